"""Grows the trees of `ken find` on the tables of bench/find -table.

    pip install lightgbm==4.7.0 numpy
    python3 train.py TABLES [-dev TABLES] [-refit] [-drop FEATURE,...] [-trees N] [-out find.trees] [-check FILE]

TABLES is a folder with a table for each repository. Trees correct the sum by the weights of docs/ranking.md, with -refit a sum that is
fitted to the same tables. Printed are the measures of the sum and of the sum with trees on repositories that they have not seen (five
folds), how well the chance of the first candidate holds there and its weights, and the measures on the tables of -dev. -out writes the
trees by the format of rank.ReadTrees, -check the inputs and sums of 200 candidates for its test.
"""
import argparse, collections, glob, gzip, json, os, re, struct, sys
import lightgbm as lgb
import numpy as np

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../docs/ranking.md")
# Features that trees do not see: those that the tasks say nothing of.
UNSEEN = set("typed crash aside test_wanted doc_wanted semantic said agreed earlier earlier_directory".split())
PLACES = "title named base dirs messages passage defines activity180 commits pairs learned symbol rare".split()
# Inputs of which more is never worse.
RISING = set("""body rank_body named title code_terms passage rank_passage pairs phrase base base_cover base_exact dirs path frame mention_first
defines defines_title rank_learned messages import_neighbour same_directory_as_top changed_with_top extension_of_top rare title_base learned
symbol symbol_name""".split()) | {"sum place"}
FOLDS, UNIT, MOST = 5, 1000, 32000


def weights():
    """Returns weight and origin of each feature of find, by the page."""
    out = {}
    for line in open(PAGE):
        if line.startswith("## impact"):
            break
        cell = [c.strip() for c in line.split("|")]
        if len(cell) > 5 and re.match(r"-?[\d.]+", cell[4]):
            out[cell[1]] = (float(cell[4].split(",")[0]), cell[4].partition(", ")[2])
    return out


class Tables:
    """The tasks of a folder: x has a row for each candidate, y tells the right ones, size the candidates of each task."""

    def __init__(self, folder, drop=()):
        xs, ys, self.size, self.gold, self.repo, self.lang, self.source = [], [], [], [], [], [], []
        for file in sorted(glob.glob(folder + "/*.jsonl.gz")):
            with gzip.open(file, "rt") as text:
                names = json.loads(text.readline())
                for line in text:
                    row = json.loads(line)
                    n = len(row["Paths"] or [])
                    if n:
                        y = np.zeros(n, np.int8)
                        y[row["Right"] or []] = 1
                        xs.append(np.array(row["Features"], np.float32))
                        ys.append(y)
                    self.size.append(n)
                    self.gold.append(row["Gold"])
                    self.repo.append(os.path.basename(file)[:-9])
                    self.lang.append(row["Lang"])
                    self.source.append(row["Source"])
        self.names, self.x, self.y = names, np.concatenate(xs), np.concatenate(ys)
        self.size, self.gold = np.array(self.size), np.array(self.gold)
        self.start = np.concatenate([[0], np.cumsum(self.size)])
        self.task = np.repeat(np.arange(len(self.size)), self.size)
        for name in drop:
            self.x[:, self.names.index(name)] = 0

    def measure(self, score, chosen=None):
        """Returns Acc@1, @5, @10, MRR, and the share of tasks with two and three files that are all in the first five."""
        rows = collections.defaultdict(list)
        for t in range(len(self.size)) if chosen is None else chosen:
            a, b = self.start[t], self.start[t + 1]
            order = np.argsort(-score[a:b], kind="stable")
            ranks = np.nonzero(self.y[a:b][order])[0] + 1
            worst = ranks.max() if len(ranks) == self.gold[t] else 10**6
            rows["all"].append((worst <= 1, worst <= 5, worst <= 10, 1 / ranks.min() if len(ranks) else 0, ranks.min() == 1 if len(ranks) else 0))
            rows[self.gold[t]].append(worst <= 5)
        m = np.array(rows["all"]).mean(axis=0)
        out = "n %d  Acc@1 %.2f  @5 %.2f  @10 %.2f  MRR %.4f  first right %.2f" % (len(rows["all"]), *(100 * m[:3]), m[3], 100 * m[4])
        return out + "".join("  %d files @5 %.1f of %d" % (k, 100 * np.mean(rows[k]), len(rows[k])) for k in (2, 3) if rows[k])


def fit_sum(t, tasks, origin, steps=250, rate=0.1, penalty=0.002):
    """Fits a linear sum by ListNet, as bench/rank does (cross entropy with the softmax, Adam); fixed weights stay."""
    keep = np.isin(t.task, [k for k in tasks if t.y[t.start[k]:t.start[k + 1]].any()])
    x, y = t.x[keep].astype(np.float32), t.y[keep].astype(np.float32)
    _, start = np.unique(t.task[keep], return_index=True)
    size = np.diff(np.append(start, len(x)))
    group = np.repeat(np.arange(len(size)), size)
    share = y / np.add.reduceat(y, start)[group]
    w = np.array([v if "by hand" in o else 0 for v, o in origin], np.float32)
    fixed = np.array(["by hand" in o or "trees" in o for _, o in origin])
    positive = np.array(["≥ 0" in o for _, o in origin])
    m, v, mean, late = np.zeros_like(w), np.zeros_like(w), np.zeros_like(w), steps - steps // 3
    for step in range(1, steps + 1):
        s = x @ w
        e = np.exp(s - np.maximum.reduceat(s, start)[group])
        g = x.T @ (e / np.add.reduceat(e, start)[group] - share) / len(start) + penalty * w
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
        move = rate * m / (1 - 0.9**step) / (np.sqrt(v / (1 - 0.999**step)) + 1e-8)
        w = np.where(fixed, w, w - move)
        w = np.where(positive, np.maximum(w, 0), w)
        mean += w / (steps - late) if step > late else 0
    return mean


def quantize(v):
    v = v.astype(np.float64) * UNIT
    return np.clip(np.sign(v) * np.floor(np.abs(v) + 0.5), -MOST, MOST).astype(np.float32)


def inputs(t, score):
    """Returns the names of the inputs of trees, and a row of them for each candidate."""
    seen = [k for k, n in enumerate(t.names) if n not in UNSEEN]
    names = [t.names[k] for k in seen] + ["sum place", "sum gap", "sum lead", "count"]
    places = [n for n in PLACES if n in t.names]
    extra = np.zeros((len(score), 4 + len(places)), np.float32)
    for a, b in zip(t.start, t.start[1:]):
        if b - a < 2:
            continue
        s = score[a:b]
        order = np.argsort(-s, kind="stable")
        extra[a + order, 0] = 1 / (1 + np.arange(b - a) / 4)
        extra[a:b, 1], extra[a:b, 2], extra[a:b, 3] = s[order[0]] - s, s[order[0]] - s[order[1]], np.log1p(b - a)
        for k, n in enumerate(places):
            v = t.x[a:b, t.names.index(n)]
            extra[a:b, 4 + k] = np.where(v > 0, 5 / (5 + np.searchsorted(np.sort(-v), -v)), 0)
    return names + ["place of " + n for n in places], quantize(np.concatenate([t.x[:, seen], extra], axis=1))


def grow(names, x, y, size, base, trees):
    sign = [1 if n in RISING or n.startswith("place of") and n[9:] in RISING else -1 if n == "sum gap" else 0 for n in names]
    options = dict(objective="lambdarank", metric="None", learning_rate=0.08, max_depth=5, num_leaves=32, min_data_in_leaf=100,
                   feature_fraction=0.5, bagging_fraction=0.7, bagging_freq=1, lambda_l2=5, lambdarank_truncation_level=10, num_threads=1,
                   verbose=-1, seed=1, deterministic=True, force_row_wise=True, monotone_constraints=sign, max_bin=255)
    data = lgb.Dataset(x, y, group=size[size > 0], feature_name=[n.replace(" ", "_") for n in names], init_score=base)
    return lgb.train(options, data, trees)


SHARE = 0.5  # of the sum, from which trees begin: the steps of LambdaMART are small beside a sum at its full size


def write(booster, names, path):
    """Writes the trees. Leaves are divided by SHARE, so that they are added to the sum as it is."""
    out = bytearray([len(names)])
    for n in names:
        out += bytes([len(n)]) + n.encode()
    trees = booster.dump_model()["tree_info"]
    out += struct.pack("<H", len(trees))
    for tree in trees:
        nodes, leaves = [], []

        def walk(node):
            if "split_feature" not in node:
                leaves.append(node["leaf_value"])
                return ~(len(leaves) - 1)
            at = len(nodes)
            nodes.append(None)
            low, high = walk(node["left_child"]), walk(node["right_child"])
            nodes[at] = (node["split_feature"], int(np.floor(node["threshold"])), low, high)
            return at
        if "split_feature" not in tree["tree_structure"]:
            sys.exit("a tree of one leaf: fewer trees will do")
        walk(tree["tree_structure"])
        out.append(len(nodes))
        for feature, threshold, low, high in nodes:
            out += struct.pack("<Bhbb", feature, min(max(threshold, -MOST - 1), MOST), low, high)
        for leaf in leaves:
            out += struct.pack("<h", round(leaf / SHARE * UNIT))
    open(path, "wb").write(out)
    print("%s: %d trees, %d bytes" % (path, len(trees), len(out)))


CHANCE = "path defines title_base symbol_name rare learned code query_words query_names".split()  # of the first candidate


def chance_inputs(t, score):
    """Returns the inputs of rank.Chance by task, and whether the first candidate is right."""
    x, y = [], []
    for a, b in zip(t.start, t.start[1:]):
        if b - a < 2:
            continue
        order = np.argsort(-score[a:b], kind="stable")
        s = score[a:b][order]
        at = lambda k: s[min(k, b - a - 1)]
        x.append([1, np.log1p(s[0] - at(1)), np.log1p(s[0] - at(4)), s[0], *(t.x[a + order[0], t.names.index(n)] for n in CHANCE)])
        y.append(t.y[a + order[0]])
    return np.array(x, np.float64), np.array(y, np.float64)


def fit_chance(x, y):
    """Fits a logistic regression by Newton's steps."""
    w = np.zeros(x.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-x @ w))
        w += np.linalg.solve((x.T * (p * (1 - p))) @ x + np.eye(len(w)), x.T @ (y - p) - w)
    return w


def show_chance(t, score, of):
    """Prints how well the probability of the first candidate holds on folds it was not fitted on, and the weights of a fit to all."""
    x, y = chance_inputs(t, score)
    fold = of[np.diff(t.start) > 1]
    p = np.zeros(len(y))
    for k in range(FOLDS):
        p[fold == k] = 1 / (1 + np.exp(-x[fold == k] @ fit_chance(x[fold != k], y[fold != k])))
    bins = np.clip((p * 10).astype(int), 0, 9)
    error = sum(abs(p[bins == k].sum() - y[bins == k].sum()) for k in range(10)) / len(y)
    print("chance of the first: calibration error %.4f" % error, " ".join("%.2f/%.2f(%d)" % (p[bins == k].mean(), y[bins == k].mean(), (bins == k).sum()) for k in range(10) if (bins == k).any()))
    for cut in (0.3, 0.35, 0.4, 0.45, 0.5):
        print("  doubtful below %.2f: %.1f %% of answers, %.1f %% of them wrong" % (cut, 100 * (p < cut).mean(), 100 * (1 - y[p < cut]).mean()))
    names = ["", "lead", "lead of five", "score", *CHANCE]
    print("  weights:", ", ".join("%s %.3f" % (n, v) for n, v in zip(names, fit_chance(x, y))))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("tables")
    for flag in ("-dev", "-drop", "-out", "-check"):
        p.add_argument(flag, default="")
    p.add_argument("-trees", type=int, default=120)
    p.add_argument("-refit", action="store_true")
    a = p.parse_args()
    drop = [d for d in a.drop.split(",") if d]
    t = Tables(a.tables, drop)
    page = weights()
    origin = [page[n] for n in t.names]
    fixed = np.array([w for w, _ in origin], np.float32)
    print(len(set(t.repo)), "repositories", len(t.size), "tasks", len(t.x), "candidates")
    print("sum as it is", t.measure(t.x @ fixed))
    if not a.refit:
        fit = lambda tasks: fixed
    else:
        fit = lambda tasks: fit_sum(t, tasks, origin)
    folds(t, fit, a.trees)
    w = fit(range(len(t.size)))
    base = t.x @ w
    names, x = inputs(t, base)
    booster = grow(names, x, t.y, t.size, SHARE * base, a.trees)
    if a.dev:
        d = Tables(a.dev, drop)
        s = d.x @ w
        compare("development", d, s, s + booster.predict(inputs(d, s)[1]) / SHARE)
    if a.out:
        write(booster, names, a.out)
    if a.check:
        rows = np.random.RandomState(2).permutation(len(x))[:200]
        with open(a.check, "w") as f:
            for row, v in zip(x[rows].astype(int), booster.predict(x[rows]) / SHARE):
                f.write("%.4f %s\n" % (v, " ".join(map(str, row))))


def folds(t, fit, trees):
    repos = sorted(set(t.repo))
    fold = np.random.RandomState(0).permutation(len(repos)) % FOLDS
    of = fold[[repos.index(r) for r in t.repo]]
    plain, grown = np.zeros(len(t.x), np.float32), np.zeros(len(t.x), np.float32)
    for k in range(FOLDS):
        tasks, rows = np.nonzero(of != k)[0], (of != k)[t.task]
        s = t.x @ fit(tasks)
        names, x = inputs(t, s)
        booster = grow(names, x[rows], t.y[rows], t.size[tasks], SHARE * s[rows], trees)
        plain[~rows], grown[~rows] = s[~rows], s[~rows] + booster.predict(x[~rows]) / SHARE
    show_chance(t, grown, of)
    compare("left out", t, plain, grown)


def compare(title, t, plain, grown):
    print(title, "sum      ", t.measure(plain))
    print(title, "and trees", t.measure(grown))
    for lang in sorted(set(t.lang)):
        chosen = [k for k in range(len(t.size)) if t.lang[k] == lang]
        print("  %-10s sum   %s\n             trees %s" % (lang, t.measure(plain, chosen), t.measure(grown, chosen)))


if __name__ == "__main__":
    main()
