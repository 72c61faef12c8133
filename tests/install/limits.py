"""What threadpoolctl says of OpenMP and of BLAS before, in and after a limit of each kind: before the first product, then
with products, then in a second thread, whose number of threads is its own."""

import os
import threading

import numpy
from threadpoolctl import threadpool_info, threadpool_limits


def show(when):
    for library in threadpool_info():
        print(when, library["user_api"], library["num_threads"], flush=True)


def limit(kind, threads, work):
    with threadpool_limits(limits=threads, user_api=kind):
        work()
        show(f"{kind} {threads}")
    work()
    show("after")


def multiply():
    numpy.ones((200, 200)) @ numpy.ones((200, 200))


show("before")
if os.fork() == 0:
    limit(None, 1, lambda: None)
    os._exit(0)
os.wait()
multiply()
for kind in "openmp", "blas", None:
    for threads in 1, 3:
        limit(kind, threads, multiply)
with threadpool_limits(limits=3, user_api="openmp"):
    other = threading.Thread(target=limit, args=("openmp", 1, multiply))
    other.start()
    other.join()
    multiply()
    show("the first thread, with 3")
