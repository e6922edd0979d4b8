import ast, sys, warnings
warnings.simplefilter("ignore")
for f in sys.stdin.read().splitlines():
    try:
        ast.parse(open(f, "rb").read(), f)
        print(f)
    except (SyntaxError, ValueError, RecursionError):
        pass
