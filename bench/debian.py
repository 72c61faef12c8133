#!/usr/bin/env python3
"""Programs as Debian builds them, under libgomp, libomp and Blitz by nothing but LD_PRELOAD: wall and CPU time of the whole
process, in turns, and whether they print the same. Programs that are not installed are left out; see PROGRAMS."""
import argparse
import os
import random
import resource
import shutil
import statistics
import sys
import tempfile
import time

import programs
from figures import OURS, Figure
from report import table
from run import run_process

AMINO_ACIDS, BASES = "ACDEFGHIKLMNPQRSTVWY", "ACGT"


def mutated(sequence, letters, share):
    return "".join(random.choice(letters) if random.random() < share else letter for letter in sequence)


def fasta(path, sequences):
    with open(path, "w", encoding="ascii") as file:
        file.writelines(f">s{i}\n{sequence}\n" for i, sequence in enumerate(sequences))


def word(letters, length):
    return "".join(random.choice(letters) for _ in range(length))


def prepare():
    """The inputs, in the current folder; the same each time."""
    random.seed(1)
    ancestor = word(AMINO_ACIDS, 300)
    fasta("few.fa", (mutated(ancestor, AMINO_ACIDS, 0.3) for _ in range(150)))
    ancestors = [word(AMINO_ACIDS, 300) for _ in range(60)]
    fasta("many.fa", (mutated(random.choice(ancestors), AMINO_ACIDS, 0.12) for _ in range(6000)))
    family = [word(BASES, 1000)]
    for _ in range(300):
        family.append(mutated(random.choice(family), BASES, 0.03))
    fasta("tree.fa", family[1:])
    genome = word(BASES, 60000)
    fasta("reads.fa", (genome[at:at + 100] for at in (random.randrange(len(genome) - 100) for _ in range(24000))))
    with open("train.txt", "w", encoding="ascii") as file:
        for _ in range(20000):
            x = [random.gauss(0, 1) for _ in range(30)]
            row = " ".join(f"{i}:{value:.4f}" for i, value in enumerate(x))
            file.write(f"{int(x[0] * x[1] + x[2] > 0)} {row}\n")
    with open("train.conf", "w", encoding="ascii") as file:
        file.write('booster=gbtree\nobjective=binary:logistic\nmax_depth=8\nnum_round=30\nseed=1\n'
                   'data="train.txt"\nmodel_out=model\n')
    with open("picture.ppm", "wb") as file:
        file.write(b"P6 2500 2000 255\n" + random.randbytes(2500 * 2000 * 3))
    with open("page.txt", "w", encoding="ascii") as file:
        file.writelines(" ".join(word("abcdefghijklmnopqrstuvwxyz", 1 + random.randrange(9)) for _ in range(10)) + "\n"
                        for _ in range(12))


PYTHON, R = "/usr/bin/python3 -W ignore -c", "Rscript -e"

READ = "tesseract page.pbm - 2>/dev/null"
PAGE = "pbmtext < page.txt | pnmenlarge 3 > page.pbm; "

# Name: (Debian's packages, the programs that it needs, what to run: what it prints is compared).
PROGRAMS = {
    "FastTree": ("fasttree", "fasttreeMP", "fasttreeMP -nt -quiet tree.fa 2>/dev/null | md5sum"),
    "Clustal Omega": ("clustalo", "clustalo", "clustalo --threads=$OMP_NUM_THREADS -i few.fa | md5sum"),
    "CD-HIT": ("cd-hit", "cd-hit", "cd-hit -T $OMP_NUM_THREADS -i many.fa -o o -c 0.7 -M 2000 >/dev/null; md5sum < o"),
    "MMseqs2": ("mmseqs2", "mmseqs", "mmseqs easy-cluster many.fa o tmp --threads $OMP_NUM_THREADS --min-seq-id 0.6 "
                "-v 0 >/dev/null 2>&1; sort o_cluster.tsv | md5sum"),
    "MEGAHIT": ("megahit", "megahit", "megahit -r reads.fa -t $OMP_NUM_THREADS -o out >/dev/null 2>&1; "
                "md5sum < out/final.contigs.fa"),
    "SoX": ("sox", "sox", "sox --multi-threaded -R -n -r 48000 -c 8 -t raw -b 16 - synth 160 sine 300 reverb rate -v "
            "44100 | md5sum"),
    "GraphicsMagick": ("graphicsmagick", "gm", "gm convert picture.ppm -blur 0x4 -depth 8 rgb:- | md5sum"),
    "Tesseract": ("tesseract-ocr netpbm", "tesseract pbmtext", f"{PAGE}{READ} | md5sum"),
    "two Tesseracts": ("tesseract-ocr netpbm", "tesseract pbmtext",
                       f"{PAGE}{READ} > other & {READ} > one; wait; md5sum one other"),
    "primecount": ("primecount-bin", "primecount", "primecount 1e15 -t$OMP_NUM_THREADS"),
    "XGBoost": ("xgboost", "xgboost", "xgboost train.conf >/dev/null 2>&1; md5sum < model"),
    "data.table": ("r-cran-data.table", "Rscript", f"""{R} 'library(data.table); setDTthreads({{threads}}); set.seed(1);
        n <- 3e6; d <- data.table(a=sample(1e5,n,TRUE), b=runif(n), c=sample(letters,n,TRUE)); setorder(d,a,c);
        print(d[, .(s=sum(b)), by=c][order(c)][1:3]); fwrite(d,"d.csv"); print(dim(fread("d.csv")))'"""),
    "mgcv": ("r-cran-mgcv", "Rscript", f"""{R} 'library(mgcv); set.seed(1); n <- 20000; x <- runif(n); z <- runif(n);
        y <- sin(6*x) + z^2 + rnorm(n)*.3; b <- bam(y ~ s(x,k=30) + s(z,k=30), nthreads={{threads}});
        print(round(deviance(b), 3))' 2>&1"""),
    "scikit-learn": ("python3-sklearn", "/usr/lib/python3/dist-packages/sklearn", f"""{PYTHON} '
from sklearn.cluster import KMeans
from sklearn.datasets import make_classification
from sklearn.ensemble import HistGradientBoostingClassifier
X, y = make_classification(20000, 20, random_state=0)
print(KMeans(20, n_init=2, random_state=0).fit(X).inertia_.round(2))
print(round(HistGradientBoostingClassifier(max_iter=60, random_state=0).fit(X, y).score(X, y), 4))'"""),
    "NumPy, OpenBLAS": ("libopenblas0-openmp", "/usr/lib/python3/dist-packages/numpy", f"""{PYTHON} '
import numpy as np
a = np.random.default_rng(0).standard_normal((1200, 1200))
print(round(float(np.abs(a @ a).sum()), 1), round(float(np.linalg.svd(a[:500, :500], compute_uv=False).sum()), 4))
for i in range(20000): c = a[:64, :64] @ a[:64, :64]
print(round(float(c.sum()), 4))'"""),
}


def is_there(needed):
    return all(os.path.exists(one) if one.startswith("/") else shutil.which(one) for one in needed.split())


def run(command, env, limit):
    """(seconds, CPU seconds, what it printed) of one process in a folder of its own; None for seconds: it took too long."""
    with tempfile.TemporaryDirectory(dir=".") as folder:
        for name in os.listdir("."):
            if os.path.isfile(name):
                os.link(name, os.path.join(folder, name))
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        status, output, _ = run_process(["bash", "-c", command], env, limit, folder)
        if status is None:
            return None, 0, ""
        wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, cpu, f"{status} {output}"


def preloaded(libraries):
    """ The first steps of a shell to choose the runtime: {name: words}."""
    return {name: f"export LD_PRELOAD={library}; " if library else "" for name, library in libraries.items()}


def time_of(walls, cpus):
    """Medians, and half of the width of the middle half of the runs in per cent."""
    wall = Figure(dict(enumerate(walls)), "")
    return f"{wall.median:.2f} s ±{wall.spread:.0f} % ({statistics.median(cpus):.2f})"


def measure(name, command, starts, args):
    """A row of the table: the command after each of the starts."""
    walls, cpus, printed = {}, {}, {}
    for _ in range(args.rounds):
        for runtime, start in starts.items():
            env = programs.environment(args.threads, None, LANG="C")
            wall, cpu, text = run(start + command, env, args.limit)
            if wall is None:
                print(f"{name} under {runtime}: not done after {args.limit} s", file=sys.stderr)
                continue
            walls.setdefault(runtime, []).append(wall)
            cpus.setdefault(runtime, []).append(cpu)
            printed.setdefault(runtime, set()).add(text)
    times = [time_of(walls[runtime], cpus[runtime]) if runtime in walls else "-" for runtime in starts]
    same = printed.get(OURS) and all(text == printed[OURS] and min(text)[:2] == "0 " for text in printed.values())
    return [name, *times, "yes" if same else "NO"]


def arguments(what):
    """ A parser of the arguments of both scripts of finished programs."""
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("names", nargs="*", help="of programs; else all")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--limit", type=float, default=120, help="seconds for one run")
    parser.add_argument("--build", default="build/release")
    return parser


def main():
    args = arguments(__doc__).parse_args()
    libraries = {name: path and os.path.abspath(path)
                 for name, path in programs.preloads(args.build, None, [])["gcc"].items() if name != programs.STUB}
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        prepare()
        rows = []
        for name, (package, needed, command) in PROGRAMS.items():
            if args.names and name not in args.names:
                continue
            if is_there(needed):
                command = command.replace("{threads}", str(args.threads))
                rows.append(measure(name, command, preloaded(libraries), args))
            else:
                print(f"{name} is left out: install {package}", file=sys.stderr)
        print(table(["wall (CPU) time", *libraries, "prints the same"], rows))
        os.chdir("/")


if __name__ == "__main__":
    main()
