"""Fits the weights of find.SymbolTable to the tables of bench/find -functions.

    python3 functions.py TABLES [-dev TABLES]

Printed are the measures, @10 above all, of the yardstick (BM25 over the bodies), of places by name and body alone, of the weighted
sum on repositories that its fit has not seen (five folds), and the weights of a fit to all.
"""
import argparse
import numpy as np
from train import FOLDS, Tables, fit_sum

p = argparse.ArgumentParser()
p.add_argument("tables")
p.add_argument("-dev", default="")
a = p.parse_args()


def split(t):
    """Returns the features without the yardstick, and the yardstick."""
    k = t.names.index("bm25")
    yardstick = t.x[:, k]
    t.x = np.delete(t.x, k, axis=1)
    return yardstick


t = Tables(a.tables)
names = [n for n in t.names if n != "bm25"]
print("yardstick ", t.measure(split(t)))
print("both place", t.measure(t.x[:, names.index("both_place")]))
free = [(0, "" if n in ("lines", "file") else "≥ 0") for n in names]
repos = sorted(set(t.repo))
fold = np.random.RandomState(0).permutation(len(repos)) % FOLDS
of = fold[[repos.index(r) for r in t.repo]]
score = np.zeros(len(t.x), np.float32)
for k in range(FOLDS):
    rows = (of == k)[t.task]
    score[rows] = t.x[rows] @ fit_sum(t, np.nonzero(of != k)[0], free)
print("left out  ", t.measure(score))
w = fit_sum(t, range(len(t.size)), free)
for n, v in zip(names, w):
    print("  %-12s %6.2f" % (n, v))
if a.dev:
    d = Tables(a.dev)
    print("development: yardstick", d.measure(split(d)))
    print("development: sum      ", d.measure(d.x @ w))
