// NAME: a player for gridsage. Build it with make; try it: gridsage agents check ./NAME
//
// Rust's library has no JSON, so the first line we print is "plain": from then on every message is
// some lines "key value" and an empty line, in both directions.
use std::io::{self, BufRead, Write};

type Message = Vec<(String, String)>; // "legal" and "board" come several times

fn read_message(input: &mut impl BufRead) -> Option<Message> {
    let mut message = Message::new();
    let mut line = String::new();
    while input.read_line(&mut line).ok()? > 0 && !line.trim_end().is_empty() {
        let text = line.trim_end_matches('\n');
        let (key, value) = text.split_once(' ').unwrap_or((text, ""));
        message.push((key.to_string(), value.to_string()));
        line.clear();
    }
    if message.is_empty() { None } else { Some(message) }
}

fn value<'a>(message: &'a Message, key: &str) -> &'a str {
    message.iter().find(|(name, _)| name == key).map_or("", |(_, value)| value)
}

/// Our random numbers; with the player's own seed every game repeats exactly.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % most as u64) as usize
    }
}

/// Return the action to play. This is the part to make better.
fn choose<'a>(turn: &'a Message, chance: &mut Chance) -> &'a str {
    let legal: Vec<&str> = turn.iter().filter(|(key, _)| key == "legal").map(|(_, value)| value.as_str()).collect();
    legal[chance.below(legal.len())].split(' ').next().unwrap_or("0") // "3 left": a number and its label
}

fn say(lines: &[&str]) {
    let mut out = io::stdout().lock();
    // A player whose arena has gone has nothing left to say.
    let _ = out.write_all(format!("{}\n\n", lines.join("\n")).as_bytes()).and_then(|()| out.flush());
}

fn main() {
    let mut input = io::stdin().lock();
    let mut chance = Chance(1);
    println!("plain");
    let mut json = String::new();
    let _ = input.read_line(&mut json); // the first message comes as JSON, and once more as plain lines
    while let Some(message) = read_message(&mut input) {
        match value(&message, "type") {
            "begin" => {
                chance = Chance(value(&message, "seed").parse::<u64>().unwrap_or(1) | 1);
                say(&["type ready", "name NAME"]);
            }
            "turn" => {
                let turn = format!("turn {}", value(&message, "turn"));
                let action = format!("action {}", choose(&message, &mut chance));
                say(&["type act", &turn, &action]);
            }
            _ => break,
        }
    } // notes by eprintln! are kept with the game: gridsage replay ID --log
}
