// Resolves every specifier of every script below ROOT with TypeScript itself.
//
//	npm install --prefix DIR typescript@5.9.3
//	NODE_PATH=DIR/node_modules node typescript.cjs ROOT > answers.jsonl
//
// One line a specifier: {"from", "spec", "to"}; to is relative to ROOT after
// links are followed, or "" where TypeScript finds nothing inside ROOT.
const ts = require("typescript");
const fs = require("fs");
const path = require("path");

const root = fs.realpathSync(process.argv[2]);
const host = { ...ts.sys, readDirectory: () => [] };
const configs = new Map();

function optionsFor(dir) {
  const file = ts.findConfigFile(dir, ts.sys.fileExists, "tsconfig.json") || "";
  if (!configs.has(file)) {
    let options = { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler };
    if (file) {
      const raw = ts.readConfigFile(file, ts.sys.readFile);
      options = ts.parseJsonConfigFileContent(raw.config || {}, host, path.dirname(file), undefined, file).options;
    }
    options.allowJs = true;
    options.resolveJsonModule = true;
    configs.set(file, { options, cache: ts.createModuleResolutionCache(root, (x) => x, options) });
  }
  return configs.get(file);
}

function* scripts(dir) {
  for (const e of fs.readdirSync(dir, { withFileTypes: true })) {
    if (e.name === "node_modules" || e.name === ".git") continue;
    const p = path.join(dir, e.name);
    if (e.isDirectory()) yield* scripts(p);
    else if (/\.([cm]?[jt]s|[jt]sx)$/.test(e.name)) yield p;
  }
}

for (const file of scripts(root)) {
  const info = ts.preProcessFile(fs.readFileSync(file, "utf8"), true, true);
  const { options, cache } = optionsFor(path.dirname(file));
  for (const spec of new Set(info.importedFiles.map((f) => f.fileName))) {
    const found = ts.resolveModuleName(spec, file, options, ts.sys, cache).resolvedModule;
    let to = "";
    if (found) {
      const real = fs.realpathSync(found.resolvedFileName);
      if (real.startsWith(root + path.sep) && !real.includes("node_modules")) to = path.relative(root, real);
    }
    console.log(JSON.stringify({ from: path.relative(root, file), spec, to }));
  }
}
