"""Python's multiprocessing with the fork start method around an OpenMP library: Debian's NumPy on libopenblas0-openmp.
fork_numpy.py RUNTIME: the file that must serve OpenMP's symbols here, or 'any'. Exits with 77 if NumPy is missing or does
not use that library."""
import os
import sys

try:
    import numpy
except ImportError:
    sys.exit(77)
import multiprocessing

SIZE = 400  # of a matrix: large enough for a region of all threads


def multiply(shift):
    matrix = (numpy.arange(SIZE * SIZE, dtype=numpy.float64).reshape(SIZE, SIZE) + shift) % 7
    return float((matrix @ matrix).sum())


def threads():
    return len(os.listdir("/proc/self/task"))


def multiply_and_count(shift):
    return multiply(shift), threads()


def main(runtime):
    with open("/proc/self/maps", encoding="utf-8") as maps:
        mapped = {line.split()[-1] for line in maps}
    if not any("openblas" in path and "openmp" in path for path in mapped):
        sys.exit(77)
    if runtime != "any" and os.path.realpath(runtime) not in mapped:
        sys.exit(f"{runtime} is not loaded")
    shifts = range(8)
    wanted = [multiply(shift) for shift in shifts]
    before = threads()
    for _ in range(2):
        with multiprocessing.get_context("fork").Pool(2) as pool:
            results = pool.map(multiply_and_count, shifts)
        if [product for product, _ in results] != wanted:
            sys.exit("a product is wrong")
        if max(count for _, count in results) < int(os.environ["OMP_NUM_THREADS"]):
            sys.exit("a child has fewer threads than a team")
        if [multiply(shift) for shift in shifts] != wanted or threads() != before:
            sys.exit("the parent is not as before")


main(sys.argv[1])
