#!/usr/bin/env python3
"""Programs as Debian builds them, under libgomp, libomp and Blitz by nothing but LD_PRELOAD: wall and CPU time of the whole
process, in turns, and whether they print the same. Programs that are not installed are left out; see PROGRAMS."""
import argparse
import contextlib
import os
import random
import resource
import shutil
import statistics
import subprocess
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
    fasta("small.fa", family[1:31])
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
    prepare_physics()


def prepare_physics():
    """Water molecules, a ring of 51 inverters, a crystal of silicon, a body to mesh."""
    atoms = [f"{name} {3.1 * x + dx:.4f} {3.1 * y + dy:.4f} {3.1 * z:.4f}\n" for x in range(4) for y in range(4)
             for z in range(3) for name, dx, dy in (("O", 0, 0), ("H", .7572, .5858), ("H", -.7572, .5858))]
    inverters = [f"mn{i} s{(i + 1) % 51} s{i} 0 0 n w=1u l=.1u\nmp{i} s{(i + 1) % 51} s{i} vdd vdd p w=2u l=.1u\n"
                 f"c{i} s{(i + 1) % 51} 0 5f\n" for i in range(51)]
    models = "".join(f".model {kind} {kind}mos level=14 version=4.8.0\n" for kind in "np")
    files = {
        "waters.xyz": f"{len(atoms)}\n\n{''.join(atoms)}",
        "ring.cir": f"ring\n{models}vdd vdd 0 1.2\n{''.join(inverters)}.ic v(s0)=0 v(s1)=1.2\n.tran 5p 16n uic\n"
                    ".print tran v(s0)\n.end\n",
        "si.in": "&control\n calculation='scf', prefix='si', pseudo_dir='.', outdir='./o'\n/\n&system\n ibrav=2, "
                 "celldm(1)=10.2, nat=2, ntyp=1, ecutwfc=24\n/\n&electrons\n conv_thr=1e-8\n/\nATOMIC_SPECIES\n"
                 "Si 28.086 Si.UPF\nATOMIC_POSITIONS alat\nSi 0 0 0\nSi .25 .25 .25\nK_POINTS automatic\n"
                 "6 6 6 1 1 1\n",
        "body.geo": 'SetFactory("OpenCASCADE");\nBox(1)={0,0,0,1,1,1};\nSphere(2)={.5,.5,.5,.3};\nBooleanDifference'
                    "{Volume{1};Delete;}{Volume{2};Delete;}\nMesh.Algorithm3D=10;\nMesh.MeshSizeMax=0.04;\n",
        "water.mdp": "integrator=md\nnsteps=400\ndt=0.0002\ncutoff-scheme=Verlet\ncoulombtype=PME\nrcoulomb=0.9\n"
                     "rvdw=0.9\nnstcalcenergy=100\nnstenergy=100\ngen-vel=no\n",
    }
    for name, text in files.items():
        with open(name, "w", encoding="ascii") as file:
            file.write(text)


PYTHON, R = "/usr/bin/python3 -W ignore -c", "Rscript -e"

READ = "tesseract page.pbm - 2>/dev/null"
PAGE = "pbmtext < page.txt | pnmenlarge 3 > page.pbm; "
WATER = """gmx -quiet solvate -cs spc216.gro -box 3 3 3 -o w.gro; printf '#include "oplsaa.ff/forcefield.itp"
#include "oplsaa.ff/spc.itp"
[ system ]
w
[ molecules ]
SOL %d
' $(grep -c OW w.gro) > w.top; gmx -quiet grompp -f water.mdp -c w.gro -p w.top -o w.tpr -maxwarn 5"""
DYNAMICS = ("gmx -quiet mdrun -s w.tpr -ntmpi {ranks} -ntomp $OMP_NUM_THREADS -nb cpu -pin off -noconfout -g md.log "
            ">/dev/null 2>&1; grep -c '^Finished' md.log")
SILICON = "gzip -dc /usr/share/doc/quantum-espresso/examples/EPW/sic/pp/Si.pz-vbc.UPF.gz > Si.UPF"

# What a program needs beside the inputs of all, made once.
SETUPS = {"GROMACS": WATER, "GROMACS, two ranks": WATER, "Quantum ESPRESSO": SILICON}

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
print(round(KMeans(20, n_init=2, random_state=0).fit(X).inertia_, 2))
print(round(HistGradientBoostingClassifier(max_iter=60, random_state=0).fit(X, y).score(X, y), 4))'"""),
    "NumPy, OpenBLAS": ("libopenblas0-openmp", "/usr/lib/python3/dist-packages/numpy", f"""{PYTHON} '
import numpy as np
a = np.random.default_rng(0).standard_normal((1200, 1200))
print(round(float(np.abs(a @ a).sum()), 1), round(float(np.linalg.svd(a[:500, :500], compute_uv=False).sum()), 4))
for i in range(20000): c = a[:64, :64] @ a[:64, :64]
print(round(float(c.sum()), 4))'"""),
    "xtb": ("xtb", "xtb", "xtb waters.xyz --sp 2>/dev/null | awk '/TOTAL ENERGY/ { printf \"%.5f\", $4 }'"),
    "Octave": ("octave libopenblas0-openmp", "octave-cli", """octave-cli --eval "rand('seed', 1); a = rand(700);
        s = svd(a); for i = 1:60, [q, r] = qr(a(1:300, 1:300)); end; printf('%.5f %.5f', s(1), abs(r(1, 1)))" 2>&1"""),
    "ngspice": ("ngspice", "ngspice", "ngspice -b ring.cir 2>/dev/null | grep -c '^[0-9]'"),
    "GROMACS": ("gromacs", "gmx", DYNAMICS.format(ranks=1)),
    "GROMACS, two ranks": ("gromacs", "gmx", DYNAMICS.format(ranks=2)),
    "IQ-TREE": ("iqtree", "iqtree2", "iqtree2 -s small.fa -T $OMP_NUM_THREADS -m GTR+G -seed 1 -redo -n 10 "
                "--prefix iq 2>&1 | awk '/BEST SCORE/ { printf \"%.0f\", $5 }'"),
    "Quantum ESPRESSO": ("quantum-espresso quantum-espresso-data", "pw.x", "OMPI_ALLOW_RUN_AS_ROOT=1 "
                         "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 pw.x -in si.in 2>/dev/null | awk '/^!/ { printf \"%.4f\", $5 }'"),
    "faiss": ("python3-faiss", "/usr/lib/python3/dist-packages/faiss", f"""{PYTHON} '
import faiss, numpy as np
x = np.random.default_rng(0).standard_normal((30000, 32)).astype("float32")
flat = faiss.IndexFlatL2(32)
flat.add(x)
print(flat.search(x[:2000], 5)[1].sum())
k = faiss.Kmeans(32, 50, niter=20, seed=1)
k.train(x)
cells = faiss.IndexIVFFlat(faiss.IndexFlatL2(32), 32, 64)
cells.train(x)
cells.add(x)
print(sum(cells.search(x[j:j + 8], 5)[1].sum() for j in range(2000)))'"""),
    "k-means": ("python3-sklearn", "/usr/lib/python3/dist-packages/sklearn", f"""{PYTHON} '
from sklearn.cluster import KMeans
from sklearn.datasets import make_classification
X, y = make_classification(20000, 20, random_state=0)
print(round(KMeans(20, n_init=4, random_state=0).fit(X).inertia_, 2))'"""),
    "gmsh": ("gmsh", "gmsh", "gmsh -3 body.geo -nt $OMP_NUM_THREADS -o body.msh -v 0 >/dev/null 2>&1; test -s body.msh; "
             "echo $?"),
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


def both_policies(starts):
    """The same, each with a passive wait policy, too."""
    passive = "export OMP_WAIT_POLICY=passive; "
    return {name + suffix: first + words for name, words in starts.items()
            for suffix, first in (("", ""), (", passive", passive))}


@contextlib.contextmanager
def busy(count):
    """That many loops that compute beside the programs."""
    loops = []
    try:
        for _ in range(count):
            loops.append(subprocess.Popen(["sh", "-c", "while :; do :; done"]))
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def copied(command, copies):
    """Several copies at once, in folders of their own."""
    if copies == 1:
        return command
    one = f"(mkdir $i; cd $i; ln ../* . 2>/dev/null; {command}) > $i.out"
    return f"for i in $(seq {copies}); do {one} & done; wait; cat [0-9]*.out"


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
    parser = arguments(__doc__)
    parser.add_argument("--copies", type=int, default=1, help="of each program at once")
    parser.add_argument("--busy", type=int, default=0, metavar="N", help="loops that compute beside them")
    parser.add_argument("--policies", action="store_true", help="each runtime with OMP_WAIT_POLICY=passive, too")
    args = parser.parse_args()
    libraries = {name: path and os.path.abspath(path)
                 for name, path in programs.preloads(args.build, None, [])["gcc"].items() if name != programs.STUB}
    starts = preloaded(libraries)
    if args.policies:
        starts = both_policies(starts)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        prepare()
        rows = []
        for name, (package, needed, command) in PROGRAMS.items():
            if args.names and name not in args.names:
                continue
            if is_there(needed):
                if name in SETUPS:
                    subprocess.run(["bash", "-c", SETUPS[name]], capture_output=True, check=False)
                command = copied(command.replace("{threads}", str(args.threads)), args.copies)
                with busy(args.busy):
                    rows.append(measure(name, command, starts, args))
            else:
                print(f"{name} is left out: install {package}", file=sys.stderr)
        print(table(["wall (CPU) time", *starts, "prints the same"], rows))
        os.chdir("/")


if __name__ == "__main__":
    main()
