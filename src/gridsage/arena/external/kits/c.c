/* NAME: a player for gridsage. Build it with make; try it: gridsage agents check ./NAME
 *
 * C has no JSON, so the first line we print is "plain": from then on every message is some lines
 * "key value" and an empty line, in both directions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LINE 65536
#define MOST_ACTIONS 512

static char line[MOST_LINE];
static int legal[MOST_ACTIONS], count; /* the actions that may be played now */
static unsigned long long state = 1;   /* of our random numbers */

static unsigned long long next_random(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* Read a line without its end; 0 at the end of the input. A longer line is cut. */
static int read_line(void) {
    if (!fgets(line, sizeof line, stdin)) return 0;
    size_t length = strlen(line);
    if (length && line[length - 1] == '\n') line[length - 1] = 0;
    else for (int c = getchar(); c != EOF && c != '\n'; c = getchar()) {}
    return 1;
}

/* Return the action to play. This is the part to make better: keep the lines "board ..." and
 * "observation... ..." in read_message, and look at them here. */
static int choose(void) {
    return legal[next_random() % count];
}

/* Read one message; return its type's first letter (b, t or e), or 0 at the end of the input. */
static char read_message(int *turn) {
    char type = 0;
    count = 0;
    while (read_line() && *line) {
        if (!strncmp(line, "type ", 5)) type = line[5];
        else if (!strncmp(line, "turn ", 5)) *turn = atoi(line + 5);
        else if (!strncmp(line, "seed ", 5)) state = strtoull(line + 5, NULL, 10) | 1;
        else if (!strncmp(line, "legal ", 6) && count < MOST_ACTIONS) legal[count++] = atoi(line + 6); /* "3 left" */
    }
    return type;
}

int main(void) {
    int turn = 0;
    char type;
    setvbuf(stdout, NULL, _IOLBF, 0); /* every line leaves at once */
    puts("plain");
    read_line(); /* the first message comes as JSON, and once more as plain lines */
    while ((type = read_message(&turn)) && type != 'e') {
        if (type == 'b') puts("type ready\nname NAME\n");
        else printf("type act\nturn %d\naction %d\n\n", turn, choose());
    }
    return 0; /* notes to stderr are kept with the game: gridsage replay ID --log */
}
