"""Parse sources: a JSON list a line from stdin, of which one must be Python.

Prints one JSON string a line: the parser's error, or "" if it reads one of them.
"""
import ast
import json
import sys
import warnings

warnings.simplefilter("ignore")

for line in sys.stdin:
    error = ""
    for source in json.loads(line):
        try:
            ast.parse(source)
            error = ""
            break
        except (SyntaxError, ValueError) as e:
            error = str(e)
    print(json.dumps(error))
