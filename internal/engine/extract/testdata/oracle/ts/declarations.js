// Reads file paths from stdin, one a line, and prints one JSON object a line:
// {path, errors, declarations: [[qualified, kind, start, end], …]}, offsets in
// bytes. It applies the rules of ken's Symbol to the compiler's own tree: spans
// without decorators, the whole statement for a variable declared alone, members
// without their separator.
const fs = require("fs");
const ts = require("typescript");
const K = ts.SyntaxKind;

function unwrap(e) {
  while (e && (ts.isParenthesizedExpression(e) || ts.isAsExpression(e) || ts.isSatisfiesExpression(e) || ts.isNonNullExpression(e) || ts.isTypeAssertionExpression(e))) e = e.expression;
  return e;
}
const isFunction = (e) => e && (ts.isArrowFunction(e) || ts.isFunctionExpression(e));

// require("x"), import("x"), or one member of it, awaited or not.
function isImport(e, member = false) {
  e = unwrap(e);
  if (!e) return false;
  if (ts.isAwaitExpression(e)) return isImport(e.expression, member);
  if (ts.isPropertyAccessExpression(e)) return !member && !["then", "catch", "finally"].includes(e.name.text) && isImport(e.expression, true);
  if (!ts.isCallExpression(e)) return false;
  const f = e.expression;
  return (f.kind === K.ImportKeyword || (ts.isIdentifier(f) && f.text === "require")) && e.arguments.length > 0 && ts.isStringLiteralLike(e.arguments[0]) && e.arguments[0].text !== "";
}

function declarations(path, text) {
  const ext = path.slice(path.lastIndexOf("."));
  const kind = { ".tsx": ts.ScriptKind.TSX, ".js": ts.ScriptKind.JSX, ".mjs": ts.ScriptKind.JSX, ".cjs": ts.ScriptKind.JSX, ".jsx": ts.ScriptKind.JSX }[ext] || ts.ScriptKind.TS;
  const sf = ts.createSourceFile(path, text, { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone }, true, kind);
  const out = [];
  const bytes = new Uint32Array(text.length + 1);
  for (let i = 0, b = 0; i < text.length; i++) {
    bytes[i] = b;
    const c = text.charCodeAt(i);
    if (c >= 0xd800 && c < 0xdc00) { bytes[i + 1] = b; b += 4; i++; } else b += c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
    bytes[i + 1] = b;
  }

  function start(n) {
    let at = n.getStart(sf);
    for (const m of n.modifiers || []) {
      if (m.kind !== K.Decorator) break;
      at = ts.skipTrivia(text, m.end);
    }
    return at;
  }
  function member(n) {
    let end = n.end;
    if (text[end - 1] === ";" || text[end - 1] === ",") {
      const last = n.getLastToken(sf);
      end = last.kind === K.SemicolonToken || last.kind === K.CommaToken ? last.getFullStart() : end;
    }
    return end;
  }
  function name(n) {
    if (ts.isStringLiteralLike(n)) return n.getText(sf).slice(1, -1).trim();
    return n.getText(sf).trim();
  }
  function add(owner, text, kind, from, to) {
    const q = owner ? owner + "." + text : text;
    out.push([q, kind, bytes[from], bytes[to]]);
    return q;
  }
  const each = (n, owner) => ts.forEachChild(n, (c) => visit(c, owner));

  function members(n, owner) {
    for (const m of n.members) {
      switch (m.kind) {
        case K.Constructor: case K.MethodDeclaration: case K.MethodSignature: case K.GetAccessor: case K.SetAccessor: {
          const q = add(owner, m.kind === K.Constructor ? "constructor" : name(m.name), "method", start(m), member(m));
          if (m.kind === K.Constructor) {
            for (const p of m.parameters) {
              if (p.modifiers && p.modifiers.some((x) => x.kind !== K.Decorator) && ts.isIdentifier(p.name)) add(owner, name(p.name), "field", start(p), p.end);
            }
          }
          each(m, q);
          break;
        }
        case K.PropertyDeclaration: case K.PropertySignature: {
          const fn = isFunction(unwrap(m.initializer));
          each(m, add(owner, name(m.name), fn ? "method" : "field", start(m), member(m)));
          break;
        }
        default: each(m, owner);
      }
    }
  }
  function methods(o, owner) {
    for (const p of o.properties) {
      const fn = ts.isMethodDeclaration(p) || ts.isGetAccessor(p) || ts.isSetAccessor(p) || (ts.isPropertyAssignment(p) && isFunction(unwrap(p.initializer)));
      each(p, fn ? add(owner, name(p.name), "method", start(p), p.end) : owner);
    }
  }
  // value declares what an initialiser makes of its name.
  function value(owner, text, e, from, to) {
    const v = unwrap(e);
    if (isFunction(v)) return each(v, add(owner, text, "function", from, to));
    if (v && ts.isClassExpression(v)) return members(v, add(owner, text, "class", from, to));
    const q = add(owner, text, "variable", from, to);
    if (v && ts.isObjectLiteralExpression(v)) return methods(v, q);
    if (e) visit(e, q);
  }
  function pattern(p, owner, from, to) {
    for (const e of p.elements) {
      if (ts.isOmittedExpression(e)) continue;
      if (ts.isIdentifier(e.name)) add(owner, e.name.text, "variable", from, to);
      else pattern(e.name, owner, from, to);
    }
  }
  function variables(n, owner) {
    const list = n.declarationList.declarations;
    for (const d of list) {
      const [from, to] = list.length === 1 ? [start(n), n.end] : [d.getStart(sf), d.end];
      if (isImport(d.initializer)) continue;
      if (!ts.isIdentifier(d.name)) {
        pattern(d.name, owner, from, to);
        each(d, owner);
      } else value(owner, d.name.text, d.initializer, from, to);
    }
  }
  function typeMembers(t, owner) {
    if (ts.isTypeLiteralNode(t)) members(t, owner);
    else if (ts.isIntersectionTypeNode(t)) t.types.forEach((x) => typeMembers(x, owner));
    else if (ts.isParenthesizedTypeNode(t)) typeMembers(t.type, owner);
    else visit(t, owner);
  }
  // target says what an assignment exports: "*", a name, or undefined.
  function target(e) {
    if (ts.isIdentifier(e) && e.text === "exports") return "*";
    if (!ts.isPropertyAccessExpression(e)) return undefined;
    const o = e.expression.getText(sf);
    if (o === "module" && e.name.text === "exports") return "*";
    return o === "exports" || o === "module.exports" ? e.name.text : undefined;
  }
  function commonJS(n) {
    const a = n.expression;
    const isAssign = (x) => ts.isBinaryExpression(x) && x.operatorToken.kind === K.EqualsToken;
    if (!isAssign(a) || n.parent !== sf) return false;
    let t = target(a.left);
    if (t === undefined) return false;
    let v = a.right;
    for (; isAssign(v); v = v.right) if (target(v.left) === "*") t = "*";
    const inner = unwrap(v);
    if (t === "*" && ts.isObjectLiteralExpression(inner)) {
      for (const p of inner.properties) {
        const fn = ts.isMethodDeclaration(p) || ts.isGetAccessor(p) || ts.isSetAccessor(p) || (ts.isPropertyAssignment(p) && !ts.isComputedPropertyName(p.name) && isFunction(unwrap(p.initializer)));
        each(p, fn ? add("", name(p.name), "function", start(p), p.end) : "");
      }
      return true;
    }
    if (ts.isIdentifier(inner) || isImport(inner) || (t === "*" ? ts.isPropertyAccessExpression(inner) : ts.isVoidExpression(inner) || ts.isPrefixUnaryExpression(inner) || ts.isTypeOfExpression(inner))) {
      visit(v, "");
      return true;
    }
    const own = t === "*" && (ts.isFunctionExpression(inner) || ts.isClassExpression(inner)) && inner.name;
    value("", own ? own.text : t === "*" ? "default" : t, v, n.getStart(sf), n.end);
    return true;
  }

  function visit(n, owner) {
    switch (n.kind) {
      case K.FunctionDeclaration:
        return each(n, add(owner, n.name ? n.name.text : "default", "function", start(n), n.end));
      case K.ClassDeclaration:
        return members(n, add(owner, n.name ? n.name.text : "default", "class", start(n), n.end));
      case K.ClassExpression:
        // no symbol; declarations inside its methods are
        return each(n, owner);
      case K.InterfaceDeclaration:
        return members(n, add(owner, n.name.text, "interface", start(n), n.end));
      case K.TypeAliasDeclaration:
        return typeMembers(n.type, add(owner, n.name.text, "type", start(n), n.end));
      case K.EnumDeclaration: {
        const q = add(owner, n.name.text, "enum", start(n), n.end);
        for (const m of n.members) each(m, add(q, name(m.name), "enum_member", start(m), m.end));
        return;
      }
      case K.ModuleDeclaration: {
        let text = name(n.name), body = n.body;
        while (body && body.kind === K.ModuleDeclaration) { text += "." + name(body.name); body = body.body; }
        const q = add(owner, text, "module", start(n), n.end);
        return body && each(body, q);
      }
      case K.VariableStatement:
        if (n.parent === sf || n.parent.kind === K.ModuleBlock) return variables(n, owner);
        return each(n, owner);
      case K.ExportAssignment: {
        const v = unwrap(n.expression);
        if (ts.isIdentifier(v)) return;
        const own = (ts.isFunctionExpression(v) || ts.isClassExpression(v)) && v.name;
        return value(owner, own ? own.text : "default", n.expression, start(n), n.end);
      }
      case K.ExpressionStatement:
        if (commonJS(n)) return;
    }
    each(n, owner);
  }
  each(sf, "");
  return { path, errors: sf.parseDiagnostics.length, declarations: out };
}

for (const path of fs.readFileSync(0, "utf8").split("\n")) {
  if (!path) continue;
  let text = fs.readFileSync(path, "utf8");
  process.stdout.write(JSON.stringify(declarations(path, text)) + "\n");
}
