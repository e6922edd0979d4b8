// What TypeScript's language service knows of the names in a tree. Each line of
// the input is a question in JSON, each line of the output its answer:
//
//	{"files": [PATH, …]}       once, first: what the tree holds → {"version"}
//	{"references": [PLACE, …]} of what is declared at the first place that is a declaration → {"declared", "uses"}
//	{"meaning": PLACE}         what the name there means → {"declared"}
'use strict'
const fs = require('fs')
const path = require('path')
const readline = require('readline')
const ts = require('typescript')

const root = process.argv[2]
const texts = new Map()
let service, tracked

const full = name => path.join(root, name)
const isSource = f => /\.(ts|tsx|mts|cts|js|jsx|mjs|cjs)$/.test(f) && !f.endsWith('.min.js')

// compilerOptions are those of the tree's own tsconfig.json that say how modules
// are found, with all else as lenient as possible: what is resolved counts, not what is accepted.
function compilerOptions() {
  let own = {}
  for (const name of ['tsconfig.json', 'tsconfig.base.json', 'jsconfig.json']) {
    if (!fs.existsSync(full(name))) continue
    const read = ts.readConfigFile(full(name), f => fs.readFileSync(f, 'utf8'))
    own = ts.parseJsonConfigFileContent(read.config ?? {}, { ...ts.sys, readDirectory: () => [] }, root).options
    break
  }
  return {
    baseUrl: own.baseUrl, paths: own.paths, pathsBasePath: own.pathsBasePath, rootDirs: own.rootDirs,
    target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler,
    jsx: ts.JsxEmit.Preserve, strict: own.strict ?? true, experimentalDecorators: own.experimentalDecorators, lib: own.lib,
    allowJs: true, checkJs: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true, resolveJsonModule: true,
    esModuleInterop: true, maxNodeModuleJsDepth: 0,
  }
}

// workspace maps the names of the tree's own packages to their folders, because
// without an installation no node_modules links them.
function workspace() {
  const packages = new Map()
  for (const f of tracked) {
    if (path.basename(f) !== 'package.json') continue
    try {
      const manifest = JSON.parse(fs.readFileSync(full(f), 'utf8'))
      if (manifest.name && !packages.has(manifest.name)) packages.set(manifest.name, { dir: path.dirname(f), entry: manifest.types ?? manifest.typings })
    } catch { /* a broken manifest names no package */ }
  }
  return packages
}

// inWorkspace is the source file that an import of one of the tree's packages
// means: that of the same name below src, the folder itself or its adapters.
function inWorkspace(packages, specifier, files) {
  const parts = specifier.split('/')
  const name = parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/')
  if (!packages.has(name)) return undefined
  const { dir, entry } = packages.get(name)
  const below = parts.slice(specifier.startsWith('@') ? 2 : 1).join('/')
  const types = entry && path.posix.normalize(dir + '/' + entry)
  if (!below && files.has(types)) return types
  for (const base of ['src', 'lib', '.']) {
    for (const end of below ? [below, below + '/index'] : ['index', 'main', path.basename(name)]) {
      for (const ext of ['.ts', '.tsx', '.mts', '.js', '.mjs', '']) {
        const f = path.posix.normalize([dir, base, end].join('/') + ext)
        if (files.has(f)) return f
      }
    }
  }
  return undefined
}

function open(files) {
  tracked = files
  const names = new Set(files)
  const options = compilerOptions()
  const packages = workspace()
  const cache = ts.createModuleResolutionCache(root, f => f, options)
  const resolve = (specifier, from) => {
    const found = ts.resolveModuleName(specifier, from, options, ts.sys, cache).resolvedModule
    const own = found && !path.relative(root, found.resolvedFileName).startsWith('..')
    if (own && !found.resolvedFileName.includes('/node_modules/')) return found
    const f = inWorkspace(packages, specifier, names)
    return f && isSource(f) ? { resolvedFileName: full(f), extension: path.extname(f), isExternalLibraryImport: false } : found
  }
  service = ts.createLanguageService({
    getScriptFileNames: () => files.filter(isSource).map(full),
    getScriptVersion: () => '1',
    getScriptSnapshot: f => {
      const text = ts.sys.readFile(f)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => root,
    getCompilationSettings: () => options,
    getDefaultLibFileName: o => ts.getDefaultLibFilePath(o),
    fileExists: ts.sys.fileExists, readFile: ts.sys.readFile, readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists, getDirectories: ts.sys.getDirectories,
    resolveModuleNameLiterals: (literals, from) => literals.map(l => ({ resolvedModule: resolve(l.text, from) })),
  }, ts.createDocumentRegistry())
  return { version: ts.version }
}

const place = (file, offset) => {
  const at = file.getLineAndCharacterOfPosition(offset)
  const relative = path.relative(root, file.fileName).split(path.sep).join('/')
  return { path: relative.startsWith('..') || relative.includes('node_modules/') ? '' : relative, line: at.line + 1, column: at.character }
}

// nodeAt is the identifier at a place.
function nodeAt(program, at) {
  const file = program.getSourceFile(full(at.path))
  if (!file || at.line > file.getLineStarts().length) return undefined
  const offset = file.getLineStarts()[at.line - 1] + at.column
  const node = ts.getTouchingPropertyName(file, Math.min(offset, file.end))
  return node && node.kind !== ts.SyntaxKind.SourceFile && node.getStart() === offset ? node : undefined
}

const nameOf = d => ts.getNameOfDeclaration(d) ?? (ts.isExportAssignment(d) ? d.expression : undefined)

// follow is the symbol that an import or re-export leads to.
function follow(checker, symbol) {
  if (symbol && symbol.flags & ts.SymbolFlags.Alias) {
    const target = checker.getAliasedSymbol(symbol)
    if (target && target.declarations && target.declarations.length > 0) return target
    return undefined
  }
  return symbol
}

// symbolsAt are what a name may mean: two where {x} is a property and a variable.
function symbolsAt(checker, node) {
  const list = []
  const parent = node.parent
  if (parent && ts.isShorthandPropertyAssignment(parent)) list.push(checker.getShorthandAssignmentValueSymbol(parent))
  if (parent && ts.isBindingElement(parent) && !parent.dotDotDotToken && ts.isObjectBindingPattern(parent.parent)) {
    const key = parent.propertyName ?? parent.name
    if (key === node && ts.isIdentifier(node)) list.push(checker.getPropertyOfType(checker.getTypeAtLocation(parent.parent), node.text))
  }
  if (parent && ts.isExportSpecifier(parent)) list.push(checker.getExportSpecifierLocalTargetSymbol(parent))
  list.push(checker.getSymbolAtLocation(node))
  return list.map(s => follow(checker, s)).filter(Boolean)
}

const declarationsOf = symbols => symbols.flatMap(s => s.declarations ?? [])

// valueOf is the name that a declaration takes its value from, as x in { x }, { y: x },
// exports.y = x, module.exports = x and export default x: what is declared so means x, too.
function valueOf(d) {
  if (ts.isShorthandPropertyAssignment(d)) return d.name
  let value
  if (ts.isPropertyAssignment(d)) value = d.initializer
  else if (ts.isExportAssignment(d)) value = d.expression
  else if (ts.isBinaryExpression(d)) value = d.right
  else if (d.parent && ts.isBinaryExpression(d.parent) && d.parent.left === d) value = d.parent.right
  while (value && ts.isBinaryExpression(value)) value = value.right
  return value && ts.isIdentifier(value) ? value : undefined
}

// chained are the variables declared in one chain with an assignment, as x in
// var x = exports.x = value.
function chained(d) {
  let n = ts.isBinaryExpression(d) ? d : d.parent && ts.isBinaryExpression(d.parent) && d.parent.left === d ? d.parent : undefined
  while (n && ts.isBinaryExpression(n.parent) && n.parent.right === n) n = n.parent
  return n && ts.isVariableDeclaration(n.parent) && n.parent.initializer === n ? [n.parent] : []
}

// exportedIn are the names by which a variable is reached that is declared in one chain with an export.
function exportedIn(program, checker, d) {
  const names = []
  for (let n = ts.isVariableDeclaration(d) && d.initializer; n && ts.isBinaryExpression(n); n = n.right) {
    if (isModuleExports(n)) names.push(...requirers(program, checker, n.getSourceFile()))
    else if (ts.isPropertyAccessExpression(n.left) && isExports(n.left.expression)) names.push(n.left.name)
  }
  return names
}

// meant are the declarations of a name and of the values they take.
function meant(checker, node) {
  const all = new Set(declarationsOf(symbolsAt(checker, node)))
  for (const d of all) {
    chained(d).forEach(v => all.add(v))
    const value = valueOf(d)
    if (!value) continue
    const symbols = ts.isShorthandPropertyAssignment(d) ? [follow(checker, checker.getShorthandAssignmentValueSymbol(d))] : symbolsAt(checker, value)
    declarationsOf(symbols.filter(Boolean)).forEach(v => all.add(v))
  }
  return [...all]
}

// requirers are the names that files give to what require('./x') returns, by the file required.
let required
function requirers(program, checker, file) {
  if (!required) {
    required = new Map()
    const visit = (n, from) => {
      if (ts.isCallExpression(n) && n.expression.getText(from) === 'require' && n.arguments.length === 1 && ts.isStringLiteralLike(n.arguments[0])) {
        const module = checker.getSymbolAtLocation(n.arguments[0])?.declarations?.[0]
        if (module && ts.isSourceFile(module)) {
          let list = required.get(module)
          if (!list) required.set(module, (list = []))
          list.push(n)
        }
      }
      ts.forEachChild(n, c => visit(c, from))
    }
    for (const f of program.getSourceFiles()) if (/\.[cm]?jsx?$/.test(f.fileName) && !f.fileName.includes('/node_modules/')) visit(f, f)
  }
  const names = []
  for (const call of required.get(file) ?? []) {
    if (ts.isVariableDeclaration(call.parent) && ts.isIdentifier(call.parent.name)) names.push(call.parent.name)
    else if (isModuleExports(call.parent) && call.getSourceFile() !== file) names.push(...requirers(program, checker, call.getSourceFile()))
  }
  return names
}

const isExports = n => /^(module\.)?exports$/.test(n.getText())
const isModuleExports = n => ts.isBinaryExpression(n) && isExports(n.left)

// passedOn are further names through which a use of a symbol is reached: those of
// properties that a reference is the value of, and those that requiring files give to a module that is it.
function passedOn(program, checker, node) {
  const parent = node.parent
  if (ts.isShorthandPropertyAssignment(parent)) return [node]
  if (ts.isPropertyAssignment(parent) && parent.initializer === node && parent.name.getText() === node.text) return [parent.name]
  if (!ts.isBinaryExpression(parent) || parent.right !== node) return []
  const names = []
  for (let n = parent; ts.isBinaryExpression(n); n = n.parent) {
    if (isModuleExports(n)) names.push(...requirers(program, checker, n.getSourceFile()))
    else if (ts.isPropertyAccessExpression(n.left) && n.left.name.text === node.text) names.push(n.left.name)
  }
  return names
}

// isImport says in which kind of list of names a name is.
function listRole(node) {
  for (let n = node.parent; n; n = n.parent) {
    if (ts.isImportDeclaration(n) || ts.isImportEqualsDeclaration(n)) return 'import'
    if (ts.isVariableDeclaration(n) && n.initializer && ts.isCallExpression(n.initializer) && n.initializer.expression.getText() === 'require') return 'import'
    if (ts.isExportSpecifier(n) || ts.isNamespaceExport(n)) return 'export'
    if (ts.isExportAssignment(n)) return n.expression === node ? 'export' : ''
    if (ts.isStatement(n) || ts.isExpression(n) && n !== node) return ''
  }
  return ''
}

const inComment = node => {
  for (let n = node; n; n = n.parent) if (n.kind >= ts.SyntaxKind.FirstJSDocNode && n.kind <= ts.SyntaxKind.LastJSDocNode) return true
  return false
}

// ancestors are the classes and interfaces that a class or interface inherits from, as declarations.
function ancestors(checker, declaration, seen = new Set()) {
  for (const clause of declaration.heritageClauses ?? []) {
    for (const t of clause.types) {
      for (const symbol of [follow(checker, checker.getSymbolAtLocation(t.expression)), checker.getTypeAtLocation(t).symbol]) {
        for (const d of symbol?.declarations ?? []) {
          if (seen.has(d)) continue
          seen.add(d)
          ancestors(checker, d, seen)
        }
      }
    }
  }
  return seen
}

// names says whether a declaration only gives what it takes another name, as x in { x: y } and exports.x = y.
const names = d => ts.isPropertyAssignment(d) || ts.isBinaryExpression(d) || ts.isPropertyAccessExpression(d)

// isPlainParameter says whether a declaration is that of a parameter, and of no property beside it.
const isPlainParameter = d => ts.isParameter(d) && !ts.isParameterPropertyDeclaration(d, d.parent)

function roleOf(checker, own, bases, node) {
  const listed = listRole(node)
  if (listed) return listed
  const declared = meant(checker, node)
  if (declared.some(d => own.has(d))) {
    return declared.some(d => nameOf(d) === node && (own.has(d) || names(d))) ? 'definition' : 'use'
  }
  if (ts.isPropertyAssignment(node.parent) || ts.isShorthandPropertyAssignment(node.parent) || ts.isMethodDeclaration(node.parent)) {
    // A key of a literal whose type is known only by where it is used.
    return ts.isObjectLiteralExpression(node.parent.parent) ? 'key' : 'relative'
  }
  if (declared.some(d => nameOf(d) === node)) return 'definition'
  return declared.some(d => bases.has(d.parent)) ? 'base' : 'relative'
}

function references(at) {
  const program = service.getProgram()
  const checker = program.getTypeChecker()
  for (const p of at) {
    const node = nodeAt(program, p)
    if (!node) continue
    // What the tree does not declare is not asked for, as Object.x in const { x } = Object.
    const symbols = symbolsAt(checker, node).filter(s => (s.declarations ?? []).some(d => place(d.getSourceFile(), d.getStart()).path))
    const declared = declarationsOf(symbols)
    if (!declared.some(d => nameOf(d) === node && !isPlainParameter(d))) continue
    const own = new Set(declared)
    const bases = new Set(declared.flatMap(d => d.parent && (ts.isClassLike(d.parent) || ts.isInterfaceDeclaration(d.parent)) ? [...ancestors(checker, d.parent)] : []))
    const uses = []
    const seen = new Set()
    const starts = [node, ...declared.flatMap(d => exportedIn(program, checker, d))]
    for (const start of starts) {
      for (const group of service.findReferences(start.getSourceFile().fileName, start.getStart()) ?? []) {
        for (const r of group.references) {
          const file = program.getSourceFile(r.fileName)
          const where = place(file, r.textSpan.start)
          const key = JSON.stringify(where)
          const n = ts.getTouchingPropertyName(file, r.textSpan.start)
          if (!where.path || seen.has(key) || !n || inComment(n)) continue
          const role = ts.isIdentifier(n) || ts.isPrivateIdentifier(n) ? roleOf(checker, own, bases, n) : ts.isStringLiteralLike(n) ? 'relative' : 'implicit'
          // Of what was reached through another name only that counts which means the symbol.
          if (start !== node && (role === 'relative' || role === 'key' || role === 'base')) continue
          seen.add(key)
          uses.push({ ...where, role })
          starts.push(...passedOn(program, checker, n))
        }
      }
    }
    return { declared: declared.map(d => nameOf(d)).filter(Boolean).map(n => place(n.getSourceFile(), n.getStart())), uses }
  }
  return { declared: [], uses: [] }
}

function meaning(at) {
  const program = service.getProgram()
  const node = nodeAt(program, at)
  if (!node) return { declared: [] }
  const declared = meant(program.getTypeChecker(), node)
  return { declared: declared.map(d => nameOf(d) ?? d).map(n => place(n.getSourceFile(), n.getStart())) }
}

readline.createInterface({ input: process.stdin }).on('line', line => {
  const q = JSON.parse(line)
  let answer
  try {
    answer = q.files ? open(q.files) : q.references ? references(q.references) : q.meaning ? meaning(q.meaning) : references([])
  } catch (e) {
    answer = { error: String(e.stack) }
  }
  process.stdout.write(JSON.stringify(answer) + '\n')
})
