#!/usr/bin/env python3
"""trace_pipe.py PROGRAM: a signal that comes while the program writes its trace at the end waits for the end of that: the
trace is whole, and the program ends by the signal. The trace goes into a pipe, which is full until the signal has come.
Into a pipe that nobody reads it is not written, which the program says and does not wait for."""
import array
import fcntl
import json
import os
import signal
import subprocess
import sys
import tempfile
import termios
import time

SET_PIPE_SIZE = 1031  # fcntl.F_SETPIPE_SZ, of Python 3.10


def waiting(pipe):
    count = array.array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, count)
    return count[0]


def without_reader(path):
    program = subprocess.run([sys.argv[1], "tasks"], env=dict(os.environ, BLITZ_TRACE=path), timeout=50,
                             stderr=subprocess.PIPE, text=True)
    if "No such device or address" not in program.stderr:
        sys.exit(f"trace_pipe.py: says of a pipe that nobody reads: {program.stderr}")


def main():
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "t.json")
        os.mkfifo(path)
        without_reader(path)
        pipe = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        full = fcntl.fcntl(pipe, SET_PIPE_SIZE, 4096)  # a page, if that is more
        program = subprocess.Popen([sys.argv[1], "tasks"], env=dict(os.environ, BLITZ_TRACE=path))
        end = time.monotonic() + 60
        while waiting(pipe) < full and program.poll() is None and time.monotonic() < end:
            time.sleep(0.01)
        program.send_signal(signal.SIGTERM)
        time.sleep(0.1)
        text = b""
        while program.poll() is None or waiting(pipe):
            try:
                text += os.read(pipe, 1 << 16)
            except BlockingIOError:
                time.sleep(0.001)
        if program.returncode != -signal.SIGTERM:
            sys.exit(f"trace_pipe.py: ends with {program.returncode}, not by the signal")
        try:
            json.loads(text)
        except ValueError as error:
            sys.exit(f"trace_pipe.py: the trace is cut after {len(text)} bytes: {error}")


main()
