"""blitz-run python3 product.py: products of matrices by numpy, whose BLAS may be built with OpenMP. Prints the number of
threads, and the files that serve OpenMP."""
import os
import re

import numpy

a = numpy.arange(512 * 512, dtype=float).reshape(512, 512) % 7
assert (a @ numpy.eye(512) == a).all()
with open("/proc/self/maps", encoding="utf8") as maps:
    runtimes = set(re.findall(r"/\S*/lib(?:gomp|omp|iomp5|blitz-omp)[^/\s]*", maps.read()))
print(len(os.listdir("/proc/self/task")), *sorted(runtimes))
