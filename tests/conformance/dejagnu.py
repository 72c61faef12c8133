""" The { dg-... } comments of a test program, for a host without devices."""
import fnmatch
import platform
import re

DIRECTIVE = re.compile(r"\{[ \t]+(dg-[-a-z]+)[ \t]*(.*?)[ \t]+\}[^}]*$")
ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}

# Bad values have one form here, NAME=VALUE: REASON; using ANOTHER. libgomp has a sentence for each reason.
SENTENCES = (
    ("a value is missing at the end; using .*", r"Missing value at the end of environment variable \1=\2"),
    ("invalid value at (.*); using .*", r"Invalid value for environment variable \1 when parsing: \3"),
    (
        "such an allocator cannot be made; using (.*)",
        r"Allocator of environment variable \1 cannot be created, using \3 instead",
    ),
)


class Unknown(Exception):
    """A directive or target that this module has no answer for."""


def words(text):
    """Splits TEXT as a Tcl list: {braced} words stay as they are, "quoted" and bare ones lose their backslashes."""
    found, at = [], 0
    while True:
        while at < len(text) and text[at].isspace():
            at += 1
        if at == len(text):
            return found
        start = at
        if text[at] == "{":
            depth = 0
            while at < len(text):
                depth += {"{": 1, "}": -1}.get(text[at], 0)
                at += 2 if text[at] == "\\" else 1
                if depth == 0:
                    break
            found.append(text[start + 1 : at - 1])
            continue
        quoted = text[at] == '"'
        at += quoted
        word = ""
        while at < len(text) and not (text[at] == '"' if quoted else text[at].isspace()):
            if text[at] == "\\" and at + 1 < len(text):
                at += 1
                word += ESCAPES.get(text[at], text[at])
            else:
                word += text[at]
            at += 1
        at += quoted
        found.append(word)


def directives(path):
    """The directives of a file, in order, as pairs of a name and its list of words."""
    with open(path, encoding="latin-1") as file:
        for line in file:
            match = DIRECTIVE.search(line.rstrip("\n"))
            if match:
                yield match[1], words(match[2])


class Target:
    """Answers target selectors. LANGUAGE is "c", "c++" or "fortran"."""

    def __init__(self, language):
        machine = platform.machine()
        x86 = machine == "x86_64"
        self.triplet = machine + "-pc-linux-gnu"
        # For the programs, the host is a device that shares its memory.
        yes = """alias exceptions fd_truncate fopenmp fpic init_priority large_long_double lp64 lto native
            nonstandard_math_functions offload_device_shared_as openacc_host_selected pthread shared size32plus
            sync_char_short sync_int_long tls tls_runtime weak_undefined""".split()
        no = """aarch64_tiny gomp_hip_header_amd gomp_hipfort_module gomp_libamdhip64 gomp_libhipblas ia32
            offload_device offload_device_any_intel_mic offload_device_gcn offload_device_nonshared_as
            offload_device_nvptx offload_target_amdgcn offload_target_amdgcn_with_xnack offload_target_any
            offload_target_nvptx offloading_enabled omp_managedmem omp_usm openacc_cublas openacc_cuda openacc_cudart
            openacc_libcublas openacc_libcudart openacc_nvidia_accel_selected openacc_radeon_accel_selected
            run_expensive_tests skip-all-targets""".split()
        self.answers = dict.fromkeys(yes, True) | dict.fromkeys(no, False)
        self.answers |= {name: name == language for name in ("c", "c++")}
        self.answers |= dict.fromkeys(["__float128", "bitint", "sse2_runtime", "vect_simd_clones"], x86)
        self.answers["avx_runtime"] = x86 and " avx " in cpu_flags()

    def word(self, name):
        if name in self.answers:
            return self.answers[name]
        if "*" in name:
            return fnmatch.fnmatchcase(self.triplet, name)
        raise Unknown(f"effective target {name}")

    def selects(self, text):
        """Whether the selector TEXT, such as "target { lp64 && { ! ia32 } }", chooses this machine. "xfail" expects a
        failure on machines that are not this one."""
        tokens = split(words(text), "xfail")[0]
        if not tokens:
            return True
        if tokens and tokens[0] == "target":
            tokens = tokens[1:]
        return any(all(map(self._term, split(part, "&&"))) for part in split(tokens, "||"))

    def _term(self, tokens):
        if tokens[0] == "!":
            return not self._term(tokens[1:])
        # Words side by side: any of them.
        return any(self.selects(token) if len(words(token)) > 1 else self.word(token.strip()) for token in tokens)


def split(tokens, operator):
    parts = [[]]
    for token in tokens:
        if token == operator:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def cpu_flags():
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
        for line in file:
            if line.startswith("flags"):
                return line.rstrip() + " "
    return ""


class Plan:
    """What to do with one program: how to build it, and when its run is right.

    action       "run", "link" or "compile"
    skip         why it is not to be built at all, or None
    flags        for the compiler, beside those of the set
    sources      further files to compile with it, relative to its folder
    environment  for its runs
    should_fail  it must end with an exit status other than 0
    output       regular expressions that its output must match, as one
    """

    def __init__(self, path, language, set_flags, default_flags):
        self.action, self.skip, self.sources, self.environment = None, None, [], {}
        self.should_fail, self.output = False, []
        self._target, self._set_flags = Target(language), set_flags
        self._options, self._more, self._elsewhere = list(default_flags), [], None
        # dg-skip-if checks the options, wherever they stand.
        for name, args in sorted(directives(path), key=lambda item: item[0] == "dg-skip-if"):
            try:
                handler = getattr(self, name.replace("-", "_"), None)
                if handler:
                    handler(*args)
            except Unknown as problem:
                self.skip = self.skip or f"unknown {problem}"
        if not self.action and self._elsewhere:
            self.skip = f"only for {self._elsewhere}"
        self.action = self.action or "run"

    @property
    def flags(self):
        return self._options + self._more

    def dg_do(self, action, selector=None):
        if selector is None or self._target.selects(selector):
            self.action = action
        else:
            self._elsewhere = selector.strip()

    def dg_options(self, options, selector=None):
        if selector is None or self._target.selects(selector):
            self._options = options.split()

    def dg_additional_options(self, options, selector=None):
        if selector is None or self._target.selects(selector):
            self._more += options.split()

    def dg_additional_sources(self, names, selector=None):
        if selector is None or self._target.selects(selector):
            self.sources += names.split()

    def dg_require_effective_target(self, name, selector=None):
        if (selector is None or self._target.selects(selector)) and not self._target.word(name):
            self.skip = f"needs {name}"

    def dg_skip_if(self, comment, selector, include="*", exclude=""):
        def any_of(patterns):
            flags = self._set_flags + self.flags
            return any(pattern == "*" or pattern in flags for pattern in words(patterns))

        if self._target.selects(selector) and any_of(include or "*") and not any_of(exclude):
            self.skip = comment or f"not for {selector.strip()}"

    def dg_shouldfail(self, _comment="", selector=None):
        self.should_fail = selector is None or self._target.selects(selector)

    def dg_output(self, pattern, selector=None):
        if selector is None or self._target.selects(selector):
            self.output.append(pattern)

    def dg_set_target_env_var(self, name, value):
        self.environment[name] = value

    def verdict(self, status, output):
        """Why a run that ended with STATUS and printed OUTPUT is wrong, or None."""
        if self.should_fail and status == 0:
            return "ended with 0, should fail"
        if not self.should_fail and status != 0:
            return f"signal {-status}" if status < 0 else f"exit status {status}"
        said = output.replace("libblitz-omp: ", "libgomp: ")
        for ours, libgomp in SENTENCES:
            said = re.sub(rf"libgomp: (\w+)=(.*): {ours}", f"libgomp: {libgomp}", said)
        if self.output and not re.search("".join(self.output), said, re.DOTALL):  # as in Tcl
            return "output is not as expected"
        return None
