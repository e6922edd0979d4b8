"""Prints the headings markdown-it-py finds in the files named on standard input.

One line a file: its path, then LINE:LEVEL for every heading of the document
itself (not of quotes and list items), separated by tabs. Front matter is made
blank first. Needs `pip install markdown-it-py`.
"""
import re
import sys

from markdown_it import MarkdownIt

md = MarkdownIt("commonmark").enable("table")
for path in sys.stdin.read().splitlines():
    text = open(path, encoding="utf-8", errors="replace", newline="").read().replace("\r\n", "\n").removeprefix("\ufeff")
    m = re.match(r"(---|\+\+\+)[ \t]*\n.*?\n\1[ \t]*(\n|$)", text, re.S)
    if m:
        text = "\n" * m.group(0).count("\n") + text[m.end():]
    out = [f"{t.map[0] + 1}:{t.tag[1:]}" for t in md.parse(text) if t.type == "heading_open" and t.level == 0]
    print(path, *out, sep="\t")
