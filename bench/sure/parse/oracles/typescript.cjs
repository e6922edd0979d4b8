// Prints those of the paths in its input that a compiler accepts: Node's own parser as a script or a module, or TypeScript, which
// parses much that it then rejects, so that its errors of grammar count too.
const ts = require("typescript"), fs = require("fs"), vm = require("vm"), { spawnSync } = require("child_process")
if (!vm.SourceTextModule) {
  process.exit(spawnSync(process.execPath, ["--no-warnings", "--experimental-vm-modules", __filename], { stdio: "inherit" }).status)
}
// What is an error of grammar is so by the number, but for these: the left side of an assignment or a loop, and members without a body.
const others = new Set([2357, 2364, 2369, 2371, 2389, 2391, 2406, 2462, 2480, 2487, 2499, 2777, 2778, 2779, 5086, 17012, 17019])
const options = { allowJs: true, checkJs: true, noLib: true, noResolve: true, target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext,
  jsx: ts.JsxEmit.Preserve, noEmit: true, skipLibCheck: true, types: [] }

function runs(src) {
  for (const make of [() => new vm.Script(src), () => new vm.SourceTextModule(src)]) {
    try { make(); return true } catch {}
  }
  return false
}

function compiles(f, src) {
  const tree = ts.createSourceFile(f, src, options.target, true)
  if (tree.parseDiagnostics.length > 0) return false
  const host = { getSourceFile: n => n === f ? tree : undefined, writeFile() {}, getDefaultLibFileName: () => "", useCaseSensitiveFileNames: () => true,
    getCanonicalFileName: n => n, getCurrentDirectory: () => "/", getNewLine: () => "\n", fileExists: n => n === f, readFile: () => src }
  const program = ts.createProgram([f], options, host)
  const found = [...program.getSyntacticDiagnostics(tree), ...program.getSemanticDiagnostics(tree)]
  return !found.some(d => d.category === ts.DiagnosticCategory.Error &&
    (d.code >= 1000 && d.code < 2000 || d.code >= 8000 && d.code < 9000 || d.code >= 18000 && d.code < 19000 || others.has(d.code)))
}

for (const f of fs.readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  try {
    const src = fs.readFileSync(f, "utf8")
    if (/\.jsx?$/.test(f) && runs(src) || compiles(f, src)) console.log(f)
  } catch {}
}
