// Reads texts from stdin, each after its length in bytes (uint32, little-endian),
// and prints for each a line with its numbers of tokens in cl100k_base and
// o200k_base as npm tiktoken counts them.
"use strict";

const { get_encoding } = require("tiktoken");

const decoder = new TextDecoder("utf-8", { ignoreBOM: true }); // a byte order mark counts
const encodings = ["cl100k_base", "o200k_base"].map((name) => get_encoding(name));

let pending = Buffer.alloc(0);

process.stdin.on("data", (chunk) => {
  pending = pending.length ? Buffer.concat([pending, chunk]) : chunk;
  const lines = [];
  for (;;) {
    if (pending.length < 4) break;
    const n = pending.readUInt32LE(0);
    if (pending.length < 4 + n) break;
    const text = decoder.decode(pending.subarray(4, 4 + n));
    // No special token is allowed and none is refused: all are ordinary text.
    lines.push(encodings.map((e) => e.encode(text, [], []).length).join(" ") + "\n");
    pending = pending.subarray(4 + n);
  }
  process.stdout.write(lines.join(""));
});
