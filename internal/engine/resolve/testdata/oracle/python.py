"""Resolves every import of every module below ROOT with Python's path finder.

    python3 python.py ROOT PATH... > answers.jsonl

PATH are the entries of the search path, relative to ROOT, after the directory
of the file's top-level package (which for a script is its own directory). No
code of ROOT is run: the finder gets an explicit path for every level of a
dotted name. One line a question: {"from", "spec", "name", "to"}; name is an
imported name or "", to the file of the module spec (or of the submodule
spec.name), or "" if there is none below ROOT.
"""

import ast
import importlib.machinery
import json
import os
import sys
import warnings

warnings.simplefilter("ignore")
root = os.path.realpath(sys.argv[1])
entries = [os.path.normpath(os.path.join(root, p)) for p in sys.argv[2:]]
find_spec = importlib.machinery.PathFinder.find_spec
seen = {}


def find(name, path):
    """The spec of a dotted name whose first part is looked up along path."""
    key = (name, tuple(path))
    if key not in seen:
        at, spec = list(path), None
        for part in name.split("."):
            # The last part alone: a dotted name would make a namespace package
            # ask for its parent in sys.modules.
            spec = find_spec(part, at) if at is not None else None
            if spec is None:
                break
            at = list(spec.submodule_search_locations) if spec.submodule_search_locations is not None else None
        seen[key] = spec
    return seen[key]


def inside(spec):
    if spec is None or not spec.origin or not spec.origin.startswith(root + os.sep):
        return ""
    return os.path.relpath(spec.origin, root)


def top(directory):
    while os.path.exists(os.path.join(directory, "__init__.py")):
        directory = os.path.dirname(directory)
    return directory


def say(file, spec, name, to):
    print(json.dumps({"from": os.path.relpath(file, root), "spec": spec, "name": name, "to": to}))


def ask(file, spec, names):
    directory = os.path.dirname(file)
    package_root = top(directory)
    path = [package_root] + [e for e in entries if e != package_root]
    if spec.startswith("."):
        rest = spec.lstrip(".")
        base = directory
        for _ in range(len(spec) - len(rest) - 1):
            base = os.path.dirname(base)
        path = [os.path.dirname(base)]
        absolute = os.path.basename(base) + ("." + rest if rest else "")
    else:
        absolute = spec
    module = find(absolute, path)
    say(file, spec, "", inside(module))
    if module is None or module.submodule_search_locations is None:
        return
    for name in names:
        sub = find(absolute + "." + name, path)
        say(file, spec, name, inside(sub))


for folder, folders, files in os.walk(root):
    folders[:] = sorted(f for f in folders if f != ".git")
    for base in sorted(files):
        if not base.endswith(".py"):
            continue
        file = os.path.join(folder, base)
        try:
            tree = ast.parse(open(file, "rb").read())
        except (SyntaxError, ValueError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    ask(file, alias.name, [])
            elif isinstance(node, ast.ImportFrom):
                ask(file, "." * node.level + (node.module or ""), [a.name for a in node.names if a.name != "*"])
