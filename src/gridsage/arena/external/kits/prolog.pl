% NAME: a player for gridsage. Try it: gridsage agents check 'swipl NAME.pl'
%
% The first line we print is "plain": from then on every message is some lines "key value" and an
% empty line, in both directions. A message is a list of Key-Value pairs of atoms.
:- initialization(main, main).

main :-
    say([plain]),
    read_line(_),                    % the first message comes as JSON, and once more as plain lines
    play.

play :-
    read_message(Message),
    (   memberchk(type-Type, Message), answer(Type, Message)
    ->  play
    ;   halt                         % the game is over, or the input has ended
    ).

answer(begin, Message) :-
    memberchk(seed-Seed, Message),
    atom_number(Seed, Number),
    set_random(seed(Number)),        % our own seed: games repeat exactly
    say(['type ready', 'name NAME', '']).
answer(turn, Message) :-
    memberchk(turn-Turn, Message),
    choose(Message, Action),
    atom_concat('turn ', Turn, TurnLine),
    atom_concat('action ', Action, ActionLine),
    say(['type act', TurnLine, ActionLine, '']).

% choose(+Message, -Action): the action to play. This is the part to make better.
% The lines "legal" are a number and its label, "board" is what a person sees.
choose(Message, Action) :-
    findall(Legal, member(legal-Legal, Message), All),
    random_member(Chosen, All),
    atomic_list_concat([Action|_], ' ', Chosen).

read_message(Message) :-
    read_line(Line),
    (   Line == '' -> Message = []
    ;   Line == end_of_file -> Message = []
    ;   split(Line, Pair), Message = [Pair|Rest], read_message(Rest)
    ).

split(Line, Key-Value) :-
    (   sub_atom(Line, Before, 1, _, ' ')
    ->  sub_atom(Line, 0, Before, _, Key),
        Start is Before + 1,
        sub_atom(Line, Start, _, 0, Value)
    ;   Key = Line, Value = ''
    ).

read_line(Line) :-
    read_line_to_codes(user_input, Codes),
    (   Codes == end_of_file -> Line = end_of_file ; atom_codes(Line, Codes) ).

say(Lines) :-
    forall(member(Line, Lines), (write(Line), nl)),
    flush_output.                    % or it stays in a buffer and the clock runs
