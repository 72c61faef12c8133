#!/usr/bin/env python3
"""wheel.py [FOLDER]: builds the library and makes the Python wheel blitz-omp of it in FOLDER, or else in build/wheel.

Needs CMake, a compiler and binutils, nothing of Python's packages. The wheel has no code for Python's interpreter and fits
every Python 3; its tag names the oldest glibc that the files run with. Equal sources give equal bytes, as far as the
compiler does; SOURCE_DATE_EPOCH is the time of the files in it."""
import base64
import hashlib
import os
import re
import subprocess
import sys
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OLDEST_GLIBC = 17  # 2.17, the oldest that pip has a tag for
# Wheels have no links: LLVM's names are libraries without code, which need libgomp.so.1.
LIBRARIES = {
    "libgomp.so.1": "libgomp.so.1",
    "libblitz-tools.so": "libblitz-tools.so",
    "libomp.so.5": "ldconfig/libomp.so.5",
    "libomp.so": "ldconfig/libomp.so",
    "libiomp5.so": "ldconfig/libiomp5.so",
}


def built(work):
    """Builds and installs below `work`; the installation's folder."""
    prefix = work / "prefix"
    with open(work / "log", "w") as log:
        for words in (
            ["-S", ROOT, "-B", work / "build", "-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DBLITZ_TESTS=OFF",
             "-DCMAKE_INSTALL_LIBDIR=lib", "-DCMAKE_C_FLAGS=-ffile-prefix-map={}=.".format(ROOT)],
            ["--build", work / "build", "--parallel", str(os.cpu_count())],
            ["--install", work / "build", "--strip", "--prefix", prefix],
        ):
            if subprocess.run(["cmake", *words], stdout=log, stderr=log).returncode != 0:
                sys.exit("wheel.py: not built (log: {})".format(log.name))
    return prefix


def glibc(files):
    """The second number of the newest glibc that one of the files asks for."""
    said = subprocess.run(["objdump", "-p", *files], stdout=subprocess.PIPE, check=True, universal_newlines=True).stdout
    return max(OLDEST_GLIBC, *(int(number) for number in re.findall(r"GLIBC_2\.(\d+)", said)))


def contents(prefix, version):
    """What is in the wheel: (path, bytes, whether it is a program)."""
    files = {"lib/blitz/" + name: prefix / "lib/blitz" / source for name, source in LIBRARIES.items()}
    files["bin/blitz-run"] = prefix / "bin/blitz-run"
    machine = os.uname().machine
    newest = glibc(files.values())
    tags = ["py3-none-manylinux_2_{}_{}".format(newest, machine)]
    if newest == OLDEST_GLIBC:
        tags.append("py3-none-manylinux2014_" + machine)
    files["share/blitz/blitz-gdb.py"] = prefix / "share/blitz/blitz-gdb.py"
    files["__init__.py"] = ROOT / "cmake/wheel/__init__.py"
    files["__main__.py"] = ROOT / "cmake/wheel/__main__.py"
    made = [("blitz_omp/" + name, path.read_bytes(), name == "bin/blitz-run") for name, path in sorted(files.items())]
    about = {
        "METADATA": "Metadata-Version: 2.1\nName: blitz-omp\nVersion: {}\nLicense: MIT\nRequires-Python: >=3.6\n"
        "Summary: OpenMP runtime that takes the place of libgomp and libomp\nDescription-Content-Type: text/markdown\n\n"
        "`python -m blitz_omp program.py` runs a program on Blitz, whatever runtimes its packages bring;\n"
        "`blitz-run --check --folder VENV` says which these are.\n".format(version),
        "WHEEL": "Wheel-Version: 1.0\nGenerator: wheel.py\nRoot-Is-Purelib: false\n"
        + "".join("Tag: {}\n".format(tag) for tag in tags),
        "entry_points.txt": "[console_scripts]\nblitz-run = blitz_omp.__main__:blitz_run\n",
        "LICENSE": (ROOT / "LICENSE").read_text(),
    }
    folder = "blitz_omp-{}.dist-info/".format(version)
    made += [(folder + name, text.encode(), False) for name, text in about.items()]
    record = ""
    for path, data, _ in made:
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
        record += "{},sha256={},{}\n".format(path, digest, len(data))
    made.append((folder + "RECORD", (record + folder + "RECORD,,\n").encode(), False))
    platforms = ".".join(tag.rsplit("-", 1)[1] for tag in tags)
    return made, "blitz_omp-{}-py3-none-{}.whl".format(version, platforms)


def main():
    work = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/wheel").resolve()
    work.mkdir(parents=True, exist_ok=True)
    header = (ROOT / "include/blitz.h").read_text()
    version = ".".join(re.search(r"BLITZ_VERSION_{} (\d+)".format(part), header)[1] for part in ("MAJOR", "MINOR", "PATCH"))
    made, name = contents(built(work), version)
    when = time.gmtime(max(315532800, int(os.environ.get("SOURCE_DATE_EPOCH", 315532800))))[:6]  # a zip begins in 1980
    for old in work.glob("*.whl"):
        old.unlink()
    with zipfile.ZipFile(work / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data, program in made:
            entry = zipfile.ZipInfo(path, when)
            entry.external_attr = (0o100755 if program else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)
    print(work / name)


main()
