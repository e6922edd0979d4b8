// Prints, as JSON lines, random exported symbols of a tree of TypeScript and
// where the compiler's findReferences sees them used, after a line with the
// files it looked at:
//   {"files":[…]}
//   {"path","start","name","kind":"top"|"member","uses":[{"path","start"}]}
// start counts bytes. Import and export specifiers are no uses, nor is the
// declaration itself or a declaration that overrides it.
//   node references.cjs ROOT COUNT SEED
const path = require('path')
const ts = require('typescript')

const [root, count, seed] = [path.resolve(process.argv[2]), +process.argv[3], +process.argv[4]]

const config = ts.findConfigFile(root, ts.sys.fileExists)
const parsed = config ? ts.parseJsonConfigFileContent(ts.readConfigFile(config, ts.sys.readFile).config, ts.sys, path.dirname(config)) : { options: {} }
const options = { ...parsed.options, noEmit: true, skipLibCheck: true, composite: false, incremental: false, types: [] }
// The program is what the repository's own configuration says it is: adding files
// it leaves out can change what a name means (ambient modules).
const names = config ? parsed.fileNames : ts.sys.readDirectory(root, ['.ts', '.tsx', '.mts', '.cts'], ['**/node_modules', '**/dist', '**/.git'], undefined)
const texts = new Map()
const text = f => {
  if (!texts.has(f)) texts.set(f, ts.sys.readFile(f))
  return texts.get(f)
}
const service = ts.createLanguageService({
  getScriptFileNames: () => names,
  getScriptVersion: () => '1',
  getScriptSnapshot: f => (text(f) === undefined ? undefined : ts.ScriptSnapshot.fromString(text(f))),
  getCurrentDirectory: () => root,
  getCompilationSettings: () => options,
  getDefaultLibFileName: o => ts.getDefaultLibFilePath(o),
  fileExists: ts.sys.fileExists,
  readFile: ts.sys.readFile,
  readDirectory: ts.sys.readDirectory,
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
})
const program = service.getProgram()

// byteAt turns a UTF-16 offset into one of bytes.
const byteAt = (f, pos) => Buffer.byteLength(text(f).slice(0, pos), 'utf8')

function exportedNames() {
  const out = []
  const is = (n, kind) => (ts.canHaveModifiers(n) ? ts.getModifiers(n) || [] : []).some(m => m.kind === kind)
  for (const f of names) {
    const sf = program.getSourceFile(f)
    if (!sf || sf.isDeclarationFile) continue
    const add = (n, kind) => n && ts.isIdentifier(n) && out.push({ f, pos: n.getStart(sf), name: n.text, kind })
    for (const st of sf.statements) {
      if (!is(st, ts.SyntaxKind.ExportKeyword)) continue
      if (ts.isVariableStatement(st)) for (const d of st.declarationList.declarations) add(d.name, 'top')
      else add(st.name, 'top')
      if (ts.isClassDeclaration(st) || ts.isInterfaceDeclaration(st))
        for (const m of st.members) if (!is(m, ts.SyntaxKind.PrivateKeyword)) add(m.name, 'member')
    }
  }
  return out
}

// A small generator of its own, so that the draw is the same everywhere.
let state = seed >>> 0
const random = n => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return Math.floor((state / 4294967296) * n)
}
function draw(list, n) {
  list = list.slice()
  const out = []
  while (out.length < n && list.length) out.push(list.splice(random(list.length), 1)[0])
  return out
}

function inSpecifier(sf, pos) {
  let n = ts.getTokenAtPosition(sf, pos)
  for (; n; n = n.parent)
    if (ts.isImportSpecifier(n) || ts.isExportSpecifier(n) || ts.isImportClause(n) || ts.isNamespaceImport(n) || ts.isImportEqualsDeclaration(n)) return true
  return false
}

const rel = f => path.relative(root, f).split(path.sep).join('/')
console.log(JSON.stringify({ files: names.map(rel) }))
const all = exportedNames()
for (const d of [...draw(all.filter(d => d.kind === 'top'), count), ...draw(all.filter(d => d.kind === 'member'), count)]) {
  const uses = []
  for (const group of service.findReferences(d.f, d.pos) || [])
    for (const r of group.references) {
      if (r.isDefinition || !r.fileName.startsWith(root) || r.fileName.includes('/node_modules/')) continue
      const sf = program.getSourceFile(r.fileName)
      if (inSpecifier(sf, r.textSpan.start)) continue
      const token = ts.getTokenAtPosition(sf, r.textSpan.start)
      if (token.parent && token.parent.name === token && ts.isDeclaration(token.parent) && !ts.isShorthandPropertyAssignment(token.parent)) continue
      uses.push({ path: rel(r.fileName), start: byteAt(r.fileName, r.textSpan.start) })
    }
  console.log(JSON.stringify({ path: rel(d.f), start: byteAt(d.f, d.pos), name: d.name, kind: d.kind, uses }))
}
