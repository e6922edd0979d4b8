"""List what Python's own parser finds in files.

Reads paths from stdin, one a line, and prints one JSON object a file:
{"path": …, "declarations": [[kind, qualified, start, end], …], "imports": [[spec,
names…], …]} with byte offsets into the file, or {"path": …, "error": …}. Kinds
are function, class and variable. A variable is an assignment on module or class
level that none before it surely ran ahead of: one in the same block or a block
around it.
"""
import ast
import json
import sys
import warnings

warnings.simplefilter("ignore")


class Walk(ast.NodeVisitor):
    def __init__(self, source):
        self.lines = [0]
        for line in source.split(b"\n"):
            self.lines.append(self.lines[-1] + len(line) + 1)
        self.out, self.imports, self.all = [], [], 0
        self.path, self.level, self.seen = [], "module", [set()]

    def offset(self, line, column):
        return self.lines[line - 1] + column

    def add(self, kind, name, node):
        self.out.append([kind, ".".join(self.path + [name]),
                         self.offset(node.lineno, node.col_offset),
                         self.offset(node.end_lineno, node.end_col_offset)])

    def scope(self, name, level, body):
        before = self.level, self.seen
        self.path.append(name)
        self.level, self.seen = level, [set()]
        for n in body:
            self.visit(n)
        self.path.pop()
        self.level, self.seen = before

    def definition(self, node, kind, level):
        self.seen[-1].add(node.name)
        self.add(kind, node.name, node)
        self.scope(node.name, level, node.body)

    def visit_FunctionDef(self, node):
        self.definition(node, "function", "function")

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node):
        self.definition(node, "class", "class")

    def names(self, target):
        if isinstance(target, ast.Name):
            yield target.id
        elif isinstance(target, (ast.Tuple, ast.List)):
            for e in target.elts:
                yield from self.names(e)
        elif isinstance(target, ast.Starred):
            yield from self.names(target.value)

    def assigned(self, node, targets):
        if self.level == "function":
            return
        for t in targets:
            for name in self.names(t):
                self.all += 1
                if not any(name in s for s in self.seen):
                    self.seen[-1].add(name)
                    self.add("variable", name, node)

    def visit_Assign(self, node):
        self.assigned(node, node.targets)

    def visit_AnnAssign(self, node):
        self.assigned(node, [node.target])

    def visit_Import(self, node):
        for a in node.names:
            self.imports.append([a.name, a.asname or ""])

    def visit_ImportFrom(self, node):
        self.imports.append(["." * node.level + (node.module or "")] + [a.name + " " + (a.asname or a.name) for a in node.names])

    def generic_visit(self, node):
        for _, value in ast.iter_fields(node):
            if not isinstance(value, list):
                continue
            block = value and isinstance(value[0], ast.stmt)
            if block and not isinstance(node, ast.Module):
                self.seen.append(set())
            for v in value:
                if isinstance(v, (ast.stmt, ast.excepthandler, ast.match_case)):
                    self.visit(v)
            if block and not isinstance(node, ast.Module):
                self.seen.pop()


for path in sys.stdin:
    path = path.rstrip("\n")
    try:
        with open(path, "rb") as f:
            source = f.read()
        if source.startswith(b"\xef\xbb\xbf"):
            raise ValueError("byte order mark")
        tree = ast.parse(source)
        walk = Walk(source)
        walk.visit(tree)
        print(json.dumps({"path": path, "declarations": walk.out, "imports": walk.imports, "assignments": walk.all}))
    except (SyntaxError, ValueError, RecursionError) as e:
        print(json.dumps({"path": path, "error": str(e)}))
