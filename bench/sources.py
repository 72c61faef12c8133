#!/usr/bin/env python3
"""Public programs of Debian's source packages, built by clang for LLVM's runtime, under libomp and, by the library path,
under Blitz: wall and CPU time of the whole process, in turns, and whether they print the same. Sources and programs lie in
--folder, and no package is installed; it needs clang, libomp's package for development, and what PROGRAMS names."""
import functools
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
from typing import NamedTuple

import debian
import programs
from figures import OURS
from report import table

HERE = os.path.dirname(os.path.abspath(__file__))
CLANGS = ["clang-19", "clang-18", "clang-17", "clang-16", "clang"]
BLAS = "/usr/lib/x86_64-linux-gnu/openblas-openmp/libopenblas.so.0"


class Program(NamedTuple):
    """ How a package is built and run. In the commands $CC and $CXX are clang, $TREE the sources and $ROOT the folder
    with the unpacked packages of `needs`."""
    package: str
    build: str
    file: str
    command: str
    needs: tuple = ()


CONFIGURE = "./configure CC=$CC CXX=$CXX "
PROGRAMS = {
    "FastTree": Program("fasttree", "$CC -O2 -fopenmp -DOPENMP fasttree.c -o FastTreeMP -lm", "FastTreeMP",
                        "$TREE/FastTreeMP -nt -quiet tree.fa 2>/dev/null | md5sum"),
    "CD-HIT": Program("cd-hit", "make CC=$CXX cd-hit", "cd-hit",
                      "$TREE/cd-hit -T $OMP_NUM_THREADS -i many.fa -o o -c 0.7 -M 2000 >/dev/null; md5sum < o"),
    "Velvet": Program("velvet", "sed -i 's|\"../third-party/zlib-1.2.3/zlib.h\"|<zlib.h>|' src/*.c; "
                      "make OPENMP=1 CC=\"$CC -std=gnu89\" obj velveth velvetg", "velvetg",
                      "$TREE/velveth o 21 -short -fasta reads.fa >/dev/null; $TREE/velvetg o >/dev/null; "
                      "md5sum < o/contigs.fa"),
    "Clustal Omega": Program("clustalo", CONFIGURE + "CFLAGS=\"-O2 -fopenmp -I$ROOT/usr/include\" "
                             "CXXFLAGS=\"-O2 -fopenmp -I$ROOT/usr/include\" "
                             "LDFLAGS=\"-fopenmp -L$ROOT/usr/lib/x86_64-linux-gnu\" && make",
                             "src/clustalo", "$TREE/src/clustalo --threads=$OMP_NUM_THREADS -i few.fa | md5sum",
                             ("libargtable2-dev", "libargtable2-0")),
    "MUSCLE": Program("muscle", "make -C src CXX=$CXX", "src/Linux/muscle",
                      "head -n 60 few.fa > some.fa; $TREE/src/Linux/muscle -align some.fa -output o "
                      "-threads $OMP_NUM_THREADS >/dev/null 2>&1; md5sum < o"),
    "MEGAHIT": Program("megahit", "cmake -S . -B b -DCMAKE_C_COMPILER=$CC -DCMAKE_CXX_COMPILER=$CXX "
                       "-DCMAKE_BUILD_TYPE=Release && make -C b", "b/megahit_core",
                       "$TREE/b/megahit -r reads.fa -t $OMP_NUM_THREADS -o out >/dev/null 2>&1; "
                       "md5sum < out/final.contigs.fa"),
    "SoX": Program("sox", CONFIGURE + "CFLAGS=-O2 --disable-shared && make", "src/sox",
                   "$TREE/src/sox --multi-threaded -R -n -r 48000 -c 8 -t raw -b 16 - synth 160 sine 300 reverb "
                   "rate -v 44100 | md5sum"),
    "GraphicsMagick": Program("graphicsmagick", CONFIGURE + "--without-x --without-perl --disable-shared "
                              "--without-magick-plus-plus --with-quantum-depth=16 && make", "utilities/gm",
                              "$TREE/utilities/gm convert picture.ppm -blur 0x4 -depth 8 rgb:- | md5sum"),
    "OpenBLAS of gcc": Program("", f"$CC -O2 -fopenmp {HERE}/mixed/blas.c -o blas {BLAS} "
                               f"-Wl,-rpath,{os.path.dirname(BLAS)}", "blas", "$TREE/blas 600"),
}


def sh(command, **more):
    """Runs it and says what failed."""
    done = subprocess.run(command, shell=True, capture_output=True, text=True, errors="replace", check=False, **more)
    if done.returncode:
        print(f"'{command}' failed:\n{(done.stdout + done.stderr)[-2000:]}", file=sys.stderr)
    return done.returncode == 0


@functools.cache
def apt_options(folder):
    """For Debian's sources of this release, with lists and archives of our own, which are brought up to date."""
    with open("/etc/os-release", encoding="utf8") as release:
        codename = re.search(r"^VERSION_CODENAME=(\w+)", release.read(), re.MULTILINE)[1]
    for part in ("lists/partial", "archives/partial"):
        os.makedirs(f"{folder}/apt/{part}", exist_ok=True)
    origin = f"[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian {codename} main\n"
    with open(f"{folder}/apt/sources.list", "w", encoding="utf8") as file:
        file.write(f"deb {origin}deb-src {origin}")
    here = {"Etc::sourcelist": "sources.list", "State::lists": "lists", "Cache": "", "Cache::archives": "archives"}
    options = " ".join(f"-o Dir::{key}={folder}/apt/{value}" for key, value in here.items())
    options = f"-qq {options} -o Dir::Etc::sourceparts=- -o APT::Sandbox::User="
    sh(f"apt-get {options} update")
    return options


def fetch(program, tree, root, apt):
    """The sources as their authors published them. Debian's patches are not needed, nor there on all mirrors."""
    os.makedirs(tree)
    if not program.package:
        return True
    with tempfile.TemporaryDirectory() as archives:
        subprocess.run(f"apt-get {apt} source --download-only {program.package}", shell=True, cwd=archives, check=False,
                       capture_output=True)
        found = [name for name in glob.glob(archives + "/*.orig.tar.*") if not name.endswith(".asc")]
        if not found or not sh(f"tar xf {found[0]} -C {tree} --strip-components=1"):
            return False
        return all(sh(f"apt-get {apt} download {package} && dpkg-deb -x {package}_*.deb {root}", cwd=archives)
                   for package in program.needs)


def build(name, program, folder, clang):
    """ The folder of the built program, or None. An existing build is reused."""
    tree, root = f"{folder}/{program.package or 'blas'}", f"{folder}/root"
    if not os.path.exists(f"{tree}/{program.file}"):
        shutil.rmtree(tree, ignore_errors=True)
        print(f"building {name}", file=sys.stderr)
        env = {**os.environ, "CC": clang, "CXX": clang.replace("clang", "clang++"), "TREE": tree, "ROOT": root}
        if not fetch(program, tree, root, apt_options(folder)) or not sh(program.build, cwd=tree, env=env):
            return None
    return tree if os.path.exists(f"{tree}/{program.file}") else None


def served(path, env):
    """The file that the program's libomp.so.5 is."""
    text = subprocess.run(["ldd", path], capture_output=True, text=True, env=env, check=False).stdout
    found = re.search(r"libomp\.so\.5 => (\S+)", text)
    return os.path.realpath(found[1]) if found else ""


def check_served(path, libraries, ours):
    """Stops unless LLVM's runtime serves the program by itself, and ours with the folder on the library path."""
    own = served(path, {**os.environ, "LD_LIBRARY_PATH": libraries})
    blitz = served(path, {**os.environ, "LD_LIBRARY_PATH": f"{ours}:{libraries}"})
    if "llvm" not in own or not blitz.startswith(ours):
        programs.fail(f"{path} is served by {own or 'nobody'}, and with {ours} first by {blitz or 'nobody'}")


def main():
    parser = debian.arguments(__doc__)
    parser.add_argument("--folder", default="/tmp/blitz-sources", help="for sources and programs (/tmp/blitz-sources)")
    parser.add_argument("--only-build", action="store_true")
    args = parser.parse_args()
    clang = next(filter(shutil.which, CLANGS), None)
    if not clang:
        sys.exit("sources.py: no clang: install clang-19 and libomp-19-dev")
    folder, ours = os.path.abspath(args.folder), os.path.realpath(os.path.join(args.build, "lib", "blitz"))
    trees = {name: build(name, program, folder, clang) for name, program in PROGRAMS.items()
             if not args.names or name in args.names}
    for name in [name for name, tree in trees.items() if not tree]:
        print(f"{name} is left out: it could not be built", file=sys.stderr)
    if args.only_build:
        return
    unpacked = f"{folder}/root/usr/lib/x86_64-linux-gnu"
    rows = []
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        debian.prepare()
        for name, tree in trees.items():
            if not tree:
                continue
            check_served(f"{tree}/{PROGRAMS[name].file}", unpacked, ours)
            starts = {"libomp": f"export LD_LIBRARY_PATH={unpacked}; ", OURS: f"export LD_LIBRARY_PATH={ours}:{unpacked}; "}
            rows.append(debian.measure(name, f"TREE={tree}; {PROGRAMS[name].command}", starts, args))
        os.chdir("/")
    print(table(["wall (CPU) time", *starts, "prints the same"], rows))


if __name__ == "__main__":
    main()
