// Parses sources: a JSON list a line from stdin, of which one must be TypeScript.
// Prints one JSON string a line: an error of the compiler's parser, or "" if it
// reads one of them.
const fs = require("fs");
const ts = require("typescript");

function errors(source) {
  let error = "";
  for (const file of ["a.tsx", "a.ts"]) {
    const sf = ts.createSourceFile(file, source, { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone }, false);
    if (sf.parseDiagnostics.length === 0) return "";
    error = ts.flattenDiagnosticMessageText(sf.parseDiagnostics[0].messageText, " ");
  }
  return error;
}

const out = [];
for (const line of fs.readFileSync(0, "utf8").split("\n")) {
  if (!line) continue;
  let error = "";
  for (const source of JSON.parse(line)) {
    error = errors(source);
    if (error === "") break;
  }
  out.push(JSON.stringify(error));
}
fs.writeFileSync(1, out.join("\n") + "\n");
