"""What threadpoolctl says of OpenMP and of BLAS before, in and after a limit of each kind, and how large a team then is."""

import numpy
from threadpoolctl import threadpool_info, threadpool_limits


def show(when):
    numpy.ones((200, 200)) @ numpy.ones((200, 200))
    for library in threadpool_info():
        print(when, library["user_api"], library["num_threads"])


show("before")
for kind in "openmp", "blas", None:
    for threads in 1, 3:
        with threadpool_limits(limits=threads, user_api=kind):
            show(f"{kind} {threads}")
        show("after")
