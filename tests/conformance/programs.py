"""GCC's test programs: where they come from, how one is built, and how it is run."""
import fcntl
import fnmatch
import functools
import glob
import hashlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tarfile

import dejagnu

HERE = pathlib.Path(__file__).resolve().parent
ARCHIVES = "/usr/src/gcc-{0}/gcc-{0}*.tar.xz"
FOLDER = "/libgomp/testsuite/"

# OpenMP, and OpenACC on the host alone, as GCC's own tests choose it: compiler flags, environment.
OPENMP = (["-fopenmp"], {})
OPENACC = (
    ["-fopenacc", "-foffload=disable", "-DACC_DEVICE_TYPE_host=1", "-DACC_MEM_SHARED=1"],
    {"ACC_DEVICE_TYPE": "host"},
)

# Name of a set: folder, file names, language, compiler, model.
SETS = {
    "c": ("libgomp.c", "*.c", "c", ["gcc"], OPENMP),
    "c-common": ("libgomp.c-c++-common", "*.c", "c", ["gcc"], OPENMP),
    "c++-common": ("libgomp.c-c++-common", "*.c", "c++", ["g++", "-x", "c++"], OPENMP),
    "c++": ("libgomp.c++", "*.C", "c++", ["g++"], OPENMP),
    "fortran": ("libgomp.fortran", "*.[fF]*", "fortran", ["gfortran"], OPENMP),
    "acc-c": ("libgomp.oacc-c", "*.c", "c", ["gcc"], OPENACC),
    "acc-c-common": ("libgomp.oacc-c-c++-common", "*.c", "c", ["gcc"], OPENACC),
    "acc-c++-common": ("libgomp.oacc-c-c++-common", "*.c", "c++", ["g++", "-x", "c++"], OPENACC),
    "acc-c++": ("libgomp.oacc-c++", "*.C", "c++", ["g++"], OPENACC),
    "acc-fortran": ("libgomp.oacc-fortran", "*.[fF]*", "fortran", ["gfortran"], OPENACC),
}

# Expects a result that gcc gives only when it optimises: otherwise it also aborts with libgomp.
OPTIMIZED = {"c/loop-19.c": "-O2"}


def find_archive(version):
    found = sorted(glob.glob(ARCHIVES.format(version)))
    return pathlib.Path(found[-1]) if found else None


def identity(path):
    """Changes when the file does."""
    status = os.stat(path)
    return f"{path} {status.st_size} {status.st_mtime_ns}"


def extract(archive, work):
    """Unpacks the test programs below the folder WORK, once, and returns their folder."""
    work.mkdir(parents=True, exist_ok=True)
    target, stamp = work / "source", work / "source.stamp"
    with open(work / "source.lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if stamp.exists() and stamp.read_text(encoding="utf-8") == identity(archive):
            return target
        stamp.unlink(missing_ok=True)
        shutil.rmtree(target, ignore_errors=True)
        with tarfile.open(archive, "r|xz") as tar:
            inside = False
            for member in tar:
                _, found, name = member.name.partition(FOLDER)
                if inside and not found:
                    break  # the entries of a folder stand together
                inside = bool(found)
                if inside and member.isfile():
                    path = target / name
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(tar.extractfile(member).read())
        stamp.write_text(identity(archive), encoding="utf-8")
    return target


def find(name, sources, work, optimize, suffix=""):
    """The programs of the set NAME, built with OPTIMIZE unless they say otherwise."""
    folder, pattern, *_ = SETS[name]
    paths = sorted(path for path in (sources / folder).rglob(pattern) if path.is_file())
    return [Program(name, path, sources, work, optimize, suffix) for path in paths]


@functools.lru_cache(None)
def first_line(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0]


@functools.lru_cache(None)
def surroundings(sources):
    """ The inputs of a built program besides its source and command."""
    headers = [path.read_text(encoding="utf-8") for path in sorted((HERE / "include").iterdir())]
    return "".join([identity(sources)] + headers)


def clean_environment():
    return {key: value for key, value in os.environ.items() if not key.startswith(("ACC_", "OMP_", "GOMP_", "LD_", "LC_"))}


def call(command, folder, environment, limit):
    """Runs a command; returns its exit status, None after LIMIT seconds, and all that it printed."""
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=clean_environment() | {"LC_ALL": "C"} | environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    status = None
    try:
        output, _ = process.communicate(timeout=limit)
        status = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
    return status, output.decode("utf-8", "replace")


class Program:
    """ One test program. Facts about it are kept in a file next to its binary."""

    def __init__(self, set_name, path, sources, work, optimize, suffix):
        folder, _, language, compiler, (model_flags, model_environment) = SETS[set_name]
        inside = path.relative_to(sources / folder)
        self.name = f"{set_name}/{inside}"
        self.plan = dejagnu.Plan(path, language, model_flags, [OPTIMIZED.get(self.name, optimize)])
        self.plan.environment = model_environment | self.plan.environment
        self._sources = sources
        self._folder = work / "programs" / set_name / inside
        self._binary = self._folder / "a.out"
        self._notes = self._folder / "notes.json"
        includes = [HERE / "include", path.parent, sources / folder]
        modules = ["-J", self._folder] if language == "fortran" else []
        self._command = [
            compiler[0] + suffix,
            *compiler[1:],
            *model_flags,
            "-w",
            *self.plan.flags,
            *(f"-I{include}" for include in includes),
            *modules,
            path,
            *(path.parent / source for source in self.plan.sources),
            "-lm",
            "-o",
            self._binary,
        ]

    def matches(self, patterns):
        return not patterns or any(part in self.name or fnmatch.fnmatch(self.name, part) for part in patterns)

    def _read(self):
        try:
            return json.loads(self._notes.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}

    def _write(self, notes):
        new = self._folder / "notes.new"
        new.write_text(json.dumps(notes), encoding="utf-8")
        new.replace(self._notes)

    def build(self):
        """Builds the program if it is not there yet. Returns why that failed, or None."""
        parts = [str(part) for part in self._command]
        text = "\n".join(parts + [first_line(parts[0], "--version"), surroundings(self._sources)])
        key = hashlib.sha256(text.encode()).hexdigest()
        notes = self._read()
        if notes.get("key") == key:
            return notes["build"]
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir(parents=True)
        status, output = call(parts, self._folder, {}, 600)
        problem = None
        if status != 0:
            lines = [line for line in output.splitlines() if "rror:" in line or "undefined reference" in line]
            problem = (lines or output.splitlines()[-1:] or [f"status {status}"])[0]
        self._write({"key": key, "build": problem})
        return problem

    def run(self, environment, limit):
        """Runs the program. Returns why that went wrong, or None, and its output."""
        status, output = call([str(self._binary)], self._folder, environment | self.plan.environment, limit)
        if status is None:
            return f"still running after {limit:g} s", output
        return self.plan.verdict(status, output), output

    def run_libgomp(self, environment, limit):
        """The same under the system's libgomp, remembered. Where threads exceed the CPUs it crawls unless told not
        to spin."""
        notes = self._read()
        library = first_line(self._command[0], "-print-file-name=libgomp.so")
        key = f"{identity(os.path.realpath(library))} {limit}"
        known = notes.get("libgomp", {})
        if known.get("key") != key:
            known = {"key": key}
        setting = " ".join(f"{name}={value}" for name, value in sorted(environment.items()))
        if setting not in known:
            known[setting], _ = self.run({"OMP_WAIT_POLICY": "passive"} | environment, limit)
            self._write(notes | {"libgomp": known})
        return known[setting]
