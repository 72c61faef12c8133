#!/usr/bin/env python3
""" LLVM's own test programs of its OpenMP runtime (openmp/runtime/test), built by clang and run as their RUN lines say,
under libomp and by the library path under Blitz. A test that passes there and not here is a failure, unless KNOWN gives
the reason. TESTS is that folder of the sources of that release: `tar xf llvm-toolchain-19_*.orig.tar.xz --wildcards
'*/openmp/runtime/test'`, from Debian's source package. The test programs are LLVM's, and are not kept here."""
import argparse
import concurrent.futures
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

INSIDE = "asks for structures inside libomp"
HELPER = "asks for hidden helper threads, by their numbers or their messages"
WORDS = "wants libomp's own words for a bad value"
KNOWN = {
    "api/omp60_memory_routines.c": "stands in for the library of devices, which is not known by its functions alone",
    "env/kmp_dispatch_buf_range.c": WORDS,
    "env/omp_alloc_env_invalid.c": WORDS,
    "tasking/hidden_helper_task/affinity.cpp": HELPER,
    "tasking/hidden_helper_task/gtid.cpp": HELPER,
    "tasking/kmp_task_deps_multiple_edges.c": INSIDE,
    "tasking/kmp_task_deps_multiple_edges_inoutset.c": INSIDE,
}
FEATURES = {"clang", "linux", "affinity", "hidden-helper", "multicpu", "x86_64-target-arch", "x86-target-arch"}


def substitutions(args):
    """ The replacements that lit makes in RUN lines, in its order; later ones also apply to the results of earlier
    ones."""
    flags = f"-fno-omit-frame-pointer -I {args.include} -I {args.tests} -I {args.tests}/ompt -L {args.libomp}"
    build = f"-fopenmp {flags} %s -o %t -lm -latomic"
    forms = {"": f"{args.clang}", "irbuilder-": f"{args.clang} -fopenmp-enable-irbuilder", "c99-": f"{args.clang} -std=c99",
             "cxx-": f"{args.clangxx} -std=c++17", "cxx20-": f"{args.clangxx} -std=c++20"}
    both = [(f"%libomp-{form}compile-and-run", f"%libomp-{form}compile && %t") for form in forms]
    alone = [("%libomp-cxx-compile-c", f"{args.clangxx} -std=c++17 -x c++ {build}")]
    alone += [(f"%libomp-{form}compile", f"{command} {build}") for form, command in forms.items()]
    return both + alone + [
        ("%libomp-run", "%t"), ("%clangXX", args.clangxx), ("%clang", args.clang), ("%openmp_flags", "-fopenmp"),
        ("%flags-use-compiler-omp-h", flags), ("%flags", flags), ("%python", sys.executable), ("%not", args.llvm + "/not"),
        ("%sort-threads", "sort -n -s"), ("%no-as-needed-flag", "-Wl,--no-as-needed"),
        ("%preload-tool", "env LD_PRELOAD=%T/tool.so")]


def holds(condition):
    """A condition of REQUIRES or UNSUPPORTED: words that are features or are not, with !, && and ||."""
    words = re.sub(r"[\w.+-]+", lambda word: str(word[0] in FEATURES), condition)
    return eval(words.replace("!", " not ").replace("&&", " and ").replace("||", " or "))  # of True and False alone


def lines_of(path):
    """The commands of a test; None: it is not for here."""
    runs = []
    with open(path, encoding="utf8", errors="replace") as file:
        for key, text in re.findall(r"(RUN|REQUIRES|UNSUPPORTED):(.*)", file.read()):
            text = text.strip().rstrip(",")
            if key == "RUN" and runs and runs[-1].endswith("\\"):
                runs[-1] = runs[-1][:-1] + " " + text
            elif key == "RUN":
                runs.append(text)
            elif key == "REQUIRES" and not all(holds(part) for part in text.split(",")):
                return None
            elif key == "UNSUPPORTED" and any(part.strip() == "*" or holds(part) for part in text.split(",")):
                return None
    return runs or None


def script_of(path, runs, scratch, args):
    """One for the shell."""
    for old, new in substitutions(args):
        runs = [re.sub(re.escape(old) + r"(?![A-Za-z])", lambda _, new=new: new, run) for run in runs]
    runs = [run.replace("FileCheck", args.llvm + "/FileCheck") for run in runs]
    for old, new in (("%S", os.path.dirname(path)), ("%s", path), ("%T", scratch), ("%t", scratch + "/t")):
        runs = [run.replace(old, new) for run in runs]
    return "set -e -o pipefail\n" + "\n".join("{ " + run + "\n}" for run in runs)


def passes(path, runs, folder, args):
    """By the libraries in the folder."""
    with tempfile.TemporaryDirectory() as scratch:
        env = {"PATH": args.llvm + ":" + os.environ["PATH"], "HOME": scratch, "LD_LIBRARY_PATH": folder}
        with subprocess.Popen(["bash", "-c", script_of(path, runs, scratch, args)], env=env, cwd=scratch,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              start_new_session=True) as process:
            try:
                return process.wait(args.seconds) == 0
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)
                return False


def check(name, args):
    """ The report on a test."""
    path = f"{args.tests}/{name}"
    runs = lines_of(path)
    if runs is None:
        return "skipped"
    if not passes(path, runs, args.libomp, args):
        return "fails under libomp"
    if passes(path, runs, f"{args.folder}:{args.libomp}", args):
        return "passes"
    return "known: " + KNOWN[name] if name in KNOWN else "FAILS"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tests", help="LLVM's openmp/runtime/test")
    parser.add_argument("folder", help="where our libomp.so.5 is: build/ci/lib/blitz")
    parser.add_argument("only", nargs="*", help="tests with one of these in their names; else all but those of tools")
    parser.add_argument("--llvm", required=True, help="where FileCheck and not are: such as llvm-19-tools has")
    parser.add_argument("--release", default="19", help="of LLVM, which chooses the next four (19)")
    parser.add_argument("--clang", default="clang-{}")
    parser.add_argument("--clangxx", default="clang++-{}")
    parser.add_argument("--libomp", default="/usr/lib/llvm-{}/lib")
    parser.add_argument("--include", default="/usr/lib/llvm-{0}/lib/clang/{0}/include")
    parser.add_argument("--seconds", type=float, default=100, help="for each test")
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_intermixed_args()
    for name in ("clang", "clangxx", "libomp", "include"):
        setattr(args, name, getattr(args, name).format(args.release))
    for folder in ("tests", "folder", "llvm"):
        setattr(args, folder, os.path.abspath(getattr(args, folder)))
    if not shutil.which(args.clang) or not os.path.exists(args.llvm + "/FileCheck"):
        sys.exit("no clang, or no FileCheck")
    names = [os.path.relpath(path, args.tests) for kind in ("c", "cpp")
             for path in glob.glob(f"{args.tests}/**/*.{kind}", recursive=True)]
    names = sorted(name for name in names
                   if any(part in name for part in args.only) or (not args.only and not name.startswith("ompt/")))
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        said = dict(zip(names, pool.map(lambda name: check(name, args), names)))
    for name, words in said.items():
        if words not in ("passes", "skipped"):
            print(f"{name}: {words}")
    failed = sum(words == "FAILS" for words in said.values())
    print(f"{sum(words == 'passes' for words in said.values())} passed, {failed} failed, of {len(names)}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
