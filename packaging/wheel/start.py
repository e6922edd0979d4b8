"""Starts the program that the wheel has put beside Python's own."""

import os
import subprocess
import sys
import sysconfig


def main():
    name = "ken.exe" if os.name == "nt" else "ken"
    for scheme in (None, "posix_user", "nt_user"):
        folder = sysconfig.get_path("scripts", scheme) if scheme in sysconfig.get_scheme_names() else sysconfig.get_path("scripts")
        program = os.path.join(folder, name)
        if os.path.exists(program):
            break
    arguments = [program] + sys.argv[1:]
    if os.name == "nt":
        sys.exit(subprocess.call(arguments))
    os.execv(program, arguments)
