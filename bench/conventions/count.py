"""Counts how a repository is written, without ken, and compares with `ken conventions --json`.

    python3 bench/conventions/count.py KEN DIR...

Declarations come from Universal Ctags, and from Python's own parser for Python. For each pattern that ken
reports of a whole project or folder, the share by this count is printed: below 70 % it is false. Each pattern
that this count finds in 90 % of at least 5 samples must be among ken's.
"""
import ast, collections, json, os, re, subprocess, sys

LANGS = {'.js': 'javascript', '.mjs': 'javascript', '.cjs': 'javascript', '.jsx': 'javascript', '.ts': 'typescript', '.tsx': 'typescript', '.mts': 'typescript', '.cts': 'typescript',
         '.py': 'python', '.go': 'go', '.java': 'java', '.kt': 'kotlin', '.rs': 'rust', '.php': 'php', '.rb': 'ruby', '.cs': 'csharp', '.sh': 'shell', '.proto': 'proto'}
BY_PATTERN = [  # what ctags does not give
    ('kotlin', 'type', r'(?m)^(?:[a-z]+ )*(?:class|interface|object) +(\w+)'), ('rust', 'constant', r'(?m)^\s*(?:pub(?:\([^)]*\))? )?(?:const|static) +(\w+) *:'),
    ('proto', 'type', r'(?m)^(?:message|enum) +(\w+)'), ('shell', 'function', r'(?m)^(?:function +)?([\w-]+) *\(\)'),
]
ASIDE = re.compile(r'(^|/)(node_modules|vendor|dist|build|third_party|fixtures?|testdata|__snapshots__|__fixtures__|\.git|docs?)/')
GIVEN = {'index', 'main', 'mod', 'lib', '__init__', '__main__', 'doc', 'package-info', 'module-info', 'setup', 'conftest'}
KINDS = {  # letters of ctags: functions, types, constants
    'javascript': ('fm', 'c', 'C'), 'typescript': ('fm', 'cigae', 'C'), 'go': ('f', 'sita', 'c'), 'java': ('m', 'cigea', ''), 'rust': ('fP', 'sgitc', 'C'),
    'kotlin': ('m', 'cioT', 'C'), 'php': ('f', 'cit', 'd'),
}


def style(name):
    """The style of a name, or None with the styles that it contradicts."""
    name = name.strip('_$#')
    if not re.search(r'[^\W\d_]', name):
        return None, set()
    every = {'camelCase', 'PascalCase', 'snake_case', 'kebab-case', 'UPPER_CASE'}
    upper, lower = name.upper() == name, name.lower() == name
    if '-' in name:
        return ('kebab-case', every) if lower and '_' not in name else (None, every)
    if '_' in name:
        return ('UPPER_CASE', every) if upper else ('snake_case', every) if lower else (None, every)
    if lower:
        return None, {'PascalCase', 'UPPER_CASE'}
    if upper:
        return None, {'camelCase', 'snake_case', 'kebab-case'}
    return ('PascalCase', every) if name[0].isupper() else ('camelCase', every)


def is_test(path, lang):
    base, stem = os.path.basename(path), os.path.splitext(os.path.basename(path))[0]
    if lang == 'go':
        return stem.endswith('_test')
    if re.search(r'(^|/)(tests?|__tests__|specs?|e2e|testing)/', path):
        return True
    return bool(re.search(r'[._-](test|spec|e2e)s?\.[a-z]+$', base) or re.match(r'test_', base) or re.search(r'(Test|Tests|IT|Spec)$', stem) and lang in ('java', 'kotlin', 'csharp', 'php'))


class Votes:
    def __init__(self):
        self.follow, self.total = collections.Counter(), collections.Counter()

    def name(self, name):
        s, against = style(name)
        for a in against:
            self.total[a] += 1
        if s:
            self.follow[s] += 1

    def choose(self, pattern):
        self.follow[pattern] += 1

    def share(self, pattern):
        n = self.total[pattern] if self.total else sum(self.follow.values())
        return self.follow[pattern], n


def functions_of_python(path):
    try:
        tree = ast.parse(open(path, encoding='utf-8', errors='replace').read())
    except SyntaxError:
        return
    for n in ast.walk(tree):
        if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)) and not n.name.startswith('__'):
            yield 'function', n.name
    for n in tree.body:
        if isinstance(n, ast.ClassDef):
            yield 'type', n.name
        targets = n.targets if isinstance(n, ast.Assign) else [n.target] if isinstance(n, ast.AnnAssign) else []
        for t in targets:  # a name in capitals is a constant by PEP 8, no other is one
            if isinstance(t, ast.Name) and t.id == t.id.upper() and not t.id.startswith('__'):
                yield 'constant', t.id


def declared(root, files):
    """(path, lang, sort, name) of declarations."""
    for p, l in files:
        if l == 'python':
            for sort, name in functions_of_python(os.path.join(root, p)):
                yield p, l, sort, name
        for lang, sort, pattern in BY_PATTERN:
            if l == lang:
                for m in re.finditer(pattern, open(os.path.join(root, p), encoding='utf-8', errors='replace').read()):
                    yield p, l, sort, m.group(1)
    rest = [p for p, l in files if l in KINDS]
    out = subprocess.run(['ctags', '--output-format=json', '--fields=+KznZ', '--langmap=TypeScript:+.tsx.mts.cts,JavaScript:+.mjs.cjs', '-f', '-', '-L', '-'],
                         input='\n'.join(rest), text=True, capture_output=True, cwd=root).stdout
    lang = dict(files)
    for line in out.splitlines():
        t = json.loads(line)
        l = lang.get(t.get('path'))
        if l is None or 'kind' not in t:
            continue
        k, name = t['kind'], t['name']
        if name.startswith('__') or 'nonymous' in name:
            continue
        if k in ('function', 'func', 'method', 'generator'):
            if l == 'java' and name == t.get('scope', '').split('.')[-1] or name == 'constructor':
                continue
            yield t['path'], l, 'function', name
        elif l in ('javascript', 'typescript') and k == 'class' and not re.search(r'\bclass\b', t.get('pattern', '')):
            continue  # ctags takes object literals for classes
        elif (l, k) not in (('rust', 'constant'), ('php', 'alias')) and k in ('class', 'struct', 'interface', 'enum', 'alias', 'typedef', 'trait', 'talias', 'annotation', 'type') and (not t.get('scope') or l == 'go' or t.get('scopeKind') == 'namespace'):
            yield t['path'], l, 'type', name
        elif k in ('constant', 'const') and (not t.get('scope') or l == 'go'):
            yield t['path'], l, 'constant', name


class Known(set):
    """The files of a repository, and its packages with their folders."""
    def __init__(self, files):
        super().__init__(files)
        self.packages = []


def imports(text, lang):
    if lang == 'python':
        for m in re.finditer(r'(?m)^\s*from\s+(\.*[\w.]*)\s+import|^\s*import\s+([\w.]+)', text):
            yield m.group(1) or m.group(2)
    else:
        for m in re.finditer(r"""(?m)^\s*(?:import|export)\b[^'";]*?from\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]|\brequire\(\s*['"]([^'"]+)['"]\s*\)""", text):
            yield m.group(1) or m.group(2) or m.group(3)


def target(path, spec, lang, known):
    """The file of the project that an import names; full names of scripts are not followed."""
    dir = os.path.dirname(path)
    if lang == 'python':
        dots = len(spec) - len(spec.lstrip('.'))
        for _ in range(max(dots - 1, 0)):
            dir = os.path.dirname(dir)
        tries = [os.path.join(dir, *spec.lstrip('.').split('.'))] if dots else [os.path.join(*spec.split('.')), os.path.join('src', *spec.split('.'))]
        tries = [t.rstrip('/') + e for t in tries for e in ('.py', '/__init__.py')]
    elif spec.startswith('.'):
        base = os.path.normpath(os.path.join(dir, spec))
        stem = re.sub(r'\.[cm]?jsx?$', '', base)
        tries = [base] + [b + e for b in (base, stem) for e in ('.ts', '.tsx', '.js', '.mjs', '.cjs', '.jsx', '/index.ts', '/index.js', '/index.tsx')]
    else:  # a package of the same repository
        own = '/'.join(spec.split('/')[:2 if spec.startswith('@') else 1])
        return next((d + '/package.json' for name, d in known.packages if name == own), None)
    return next((os.path.normpath(t) for t in tries if os.path.normpath(t) in known), None)


def count(root):
    every = subprocess.run(['git', 'ls-files'], cwd=root, text=True, capture_output=True).stdout.split('\n')
    attributes = subprocess.run(['git', 'check-attr', '--stdin', 'linguist-vendored', 'linguist-generated'], cwd=root, text=True, capture_output=True,
                                input='\n'.join(every)).stdout
    others = {l.split(': ')[0] for l in attributes.splitlines() if l.endswith((': set', ': true'))}
    every = [p for p in every if p not in others]
    files, tests = [], []
    for p in every:
        l = LANGS.get(os.path.splitext(p)[1])
        if not l or ASIDE.search(p) or os.path.islink(os.path.join(root, p)):
            continue
        head = open(os.path.join(root, p), encoding='utf-8', errors='replace').read(600)
        if re.search(r'(?i)do not edit|@generated|generated by|code generated', head) or re.search(r'(\.min|\.config|rc)\.[cm]?[jt]sx?$', p):
            continue
        (tests if is_test(p, l) else files).append((p, l))
    votes = collections.defaultdict(Votes)
    for p, l in files:
        stem = os.path.basename(p).split('.')[0]
        if stem in GIVEN or l in ('java',):
            continue
        votes['file names', l, ''].name(stem)
        if os.path.dirname(p):
            votes['file names', l, os.path.dirname(p)].name(stem)
    for p, l, sort, name in declared(root, files):
        if l == 'go' and name[:1].isupper():
            if sort == 'type' and re.search(r'(Error|Exception)$', name):
                votes['error types', l, ''].choose('*Error' if name.endswith('Error') else '*Exception')
            continue
        votes[sort + ' names', l, ''].name(name)
        m = re.search(r'.(Error|Exception)$', name)
        if sort == 'type' and m:
            votes['error types', l, ''].choose('*' + m.group(1))
    dirs = collections.defaultdict(set)
    for p, l in files:
        dirs[os.path.splitext(os.path.basename(p))[0]].add(os.path.dirname(p))
    for p, l in tests:
        base = os.path.basename(p)
        stem, ext = os.path.splitext(base)
        m = re.match(r'(.+?)([._-](?:test|spec|tests|specs))$', stem) or (re.match(r'(.+?)(Tests?|IT|Spec|TestCase)$', stem) if l in ('java', 'kotlin', 'csharp', 'php') else None)
        if l == 'go':
            continue
        if m:
            pattern, named = '*' + m.group(2) + ext, m.group(1)
        elif re.match(r'test[_-].', stem):
            pattern, named = stem[:5] + '*' + ext, stem[5:]
        else:
            continue
        votes['test file names', l, ''].choose(pattern)
        at, where = os.path.dirname(p), dirs.get(named, set())
        if not where:
            continue
        if at in where:
            votes['where tests are', l, ''].choose('beside what they test')
        elif os.path.dirname(at) in where and at:
            votes['where tests are', l, ''].choose('in a folder %s beside what they test' % os.path.basename(at))
        else:
            own = [b for b in reversed(at.split('/')) if b in ('test', 'tests', 'spec', 'specs', '__tests__')]
            if own:
                votes['where tests are', l, ''].choose('in a tree of their own: ' + own[0])
    known = Known(p for p, _ in files + tests)
    for p in every:
        if os.path.basename(p) == 'package.json':
            try:
                known.packages.append((json.load(open(os.path.join(root, p))).get('name'), os.path.dirname(p)))
            except ValueError:
                pass
    for p, l in files:
        text = open(os.path.join(root, p), encoding='utf-8', errors='replace').read()
        if l in ('javascript', 'typescript', 'python'):
            for spec in imports(text, l):
                at = target(p, spec, l, known)
                if at:
                    near = 'within a folder' if os.path.dirname(at) == os.path.dirname(p) else 'across folders'
                    way = 'relative' if spec.startswith('.') else 'by full name'
                    v = votes['imports', l, '']
                    v.follow[way + ' ' + near] += 1
                    v.total['relative ' + near] += 1
                    v.total['by full name ' + near] += 1
        if l in ('javascript', 'typescript'):
            if re.search(r'(?m)^\s*export\b', text):
                votes['exports', l, ''].choose('default' if re.search(r'(?m)^\s*export\s+default\b|export\s*\{[^}]*\bas default\b|export\s*\{\s*default\s*[,}]', text) else 'named')
            elif re.search(r'(?m)^\s*module\.exports\s*=', text):
                votes['exports', l, ''].choose('default')
            elif re.search(r'(?m)^\s*(module\.)?exports\.\w+\s*=', text):
                votes['exports', l, ''].choose('named')
    return votes


def main():
    ken, roots = sys.argv[1], sys.argv[2:]
    total = false = missed = 0
    for root in roots:
        out = subprocess.run([ken, 'conventions', '--json'], cwd=root, text=True, capture_output=True).stdout
        votes = count(root)
        said = {(c['topic'], c['language'] if 'language' in c else '', c.get('directory', ''), c['pattern']): c for c in json.loads(out)['conventions']}
        wide = {(t, l, p) for (t, l, d, p) in said if not d}
        for (t, l, d, p), c in sorted(said.items()):
            total += 1
            f, n = votes[t, l, d].share(p)
            mark = ''
            if n < 5:
                mark = 'too few here: look'
            elif f * 100 < 70 * n:
                mark, false = 'FALSE', false + 1
            if mark or '-v' in os.environ.get('COUNT', ''):
                print(f"{os.path.basename(root)}: {t}, {l} {d}: {p}: ken {c['agree']}/{c['samples']}, here {f}/{n} {mark}")
        for (t, l, d), v in sorted(votes.items()):
            if d and (len([1 for k in votes if k == (t, l, d)]) == 0):
                continue
            for p in set(v.follow):
                f, n = v.share(p)
                if n >= 5 and f * 100 >= 90 * n and (t, l, d, p) not in said and not (d and (t, l, p) in wide):
                    missed += 1
                    print(f'{os.path.basename(root)}: MISSED {t}, {l} {d}: {p}: here {f}/{n}')
        print(f'{os.path.basename(root)}: ken says {len(said)}')
    print(f'{total} said, {false} false, {missed} missed')


main()
