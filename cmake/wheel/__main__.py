"""python -m blitz_omp PROGRAM.py [ARGUMENT]...: runs a Python program on Blitz, as `blitz-run python PROGRAM.py` does."""
import os
import sys

COMMAND = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "blitz-run")


def become(*words):
    os.execv(COMMAND, ["blitz-run", *words])


def blitz_run():
    become(*sys.argv[1:])


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("Usage: python -m blitz_omp PROGRAM.py [ARGUMENT]...; blitz-run --help shows what the command can do")
    become(sys.executable, *sys.argv[1:])
