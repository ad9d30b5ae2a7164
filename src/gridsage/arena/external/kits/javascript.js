#!/usr/bin/env node
// NAME: a player for gridsage. Try it: gridsage agents check 'node NAME.js'
'use strict';
const readline = require('node:readline');

// A small generator of random numbers; with the player's own seed every game repeats exactly.
let state = 1;
function random(below) {
  state = (state * 1664525 + 1013904223) % 4294967296;
  return Math.floor((state / 4294967296) * below);
}

// Return the action to play. This is the part to make better.
//   turn.board        the board as a person sees it, lines of text
//   turn.observation  the same as data (gridsage agents schema GAME describes it)
//   turn.labels       what may be done now, in words; turn.legal has the numbers
function choose(turn) {
  return turn.labels[random(turn.labels.length)];
}

// One JSON object per line. Use console.error for notes: gridsage replay ID --log shows them.
function say(message) {
  process.stdout.write(JSON.stringify(message) + '\n');
}

readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.type === 'begin') {
    state = Number(BigInt(message.seed) % 4294967296n) || 1;
    say({ type: 'ready', name: 'NAME' });
  } else if (message.type === 'turn') {
    say({ type: 'act', turn: message.turn, action: choose(message) });
  } else {
    process.exit(0);
  }
});
