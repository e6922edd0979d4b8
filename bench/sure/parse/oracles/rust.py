# Prints those of the paths in its input that rustc accepts, names and types apart: an error without a code is one of syntax, E0658 and
# E0554 are features of a later language.
import json, os, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor


def accepted(path, out):
    args = ["rustc", "--edition", "2024", "--crate-type", "lib", "--crate-name", "accepted", "--emit", "metadata", "-o", os.path.join(out, "m")]
    errors = subprocess.run(args + ["--error-format", "json", path], capture_output=True, text=True).stderr
    for line in errors.splitlines():
        if line.startswith("{"):
            found = json.loads(line)
            code = (found.get("code") or {}).get("code")
            if found.get("level") == "error" and code in (None, "E0658", "E0554") and not found["message"].startswith("aborting"):
                return False
    return True


with tempfile.TemporaryDirectory() as out, ThreadPoolExecutor(os.cpu_count()) as pool:
    paths = [line.strip() for line in sys.stdin if line.strip()]
    dirs = [tempfile.mkdtemp(dir=out) for _ in paths]
    for path, ok in zip(paths, pool.map(accepted, paths, dirs)):
        if ok:
            print(path)
