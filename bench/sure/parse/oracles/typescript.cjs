const ts = require("typescript"), fs = require("fs")
for (const f of fs.readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  try {
    const tree = ts.createSourceFile(f, fs.readFileSync(f, "utf8"), ts.ScriptTarget.Latest, true)
    if (tree.parseDiagnostics.length === 0) console.log(f)
  } catch {}
}
