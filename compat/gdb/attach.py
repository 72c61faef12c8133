# attach.py: blitz-run --attach: the third part of blitz-gdb.py.


def silently(command):
    """Discards gdb's own output about a process that stops or goes on, which no setting turns off."""
    gdb.flush()
    output, nothing = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    try:
        gdb.execute(command, to_string=True)
    finally:
        gdb.flush()
        os.dup2(output, 1)
        os.close(output)
        os.close(nothing)


def status_of(process):
    """What the system says of a process or a thread; {}: nothing."""
    with contextlib.suppress(OSError):
        status = pathlib.Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines()
        return dict(line.split(":\t", 1) for line in status if ":\t" in line)
    return {}


def refusal(process):
    """Why the system does not let this user attach to a process; "": unknown."""
    about, scope = status_of(process), "0"
    with contextlib.suppress(OSError):
        scope = pathlib.Path("/proc/sys/kernel/yama/ptrace_scope").read_text(encoding="utf-8").strip()
    if int(about.get("TracerPid", 0)):
        return f": process {int(about['TracerPid'])} traces it"
    if os.geteuid() != 0 and about and int(about["Uid"].split()[0]) != os.geteuid():
        return ": it is another user's"
    if scope == "3" or (scope != "0" and os.geteuid() != 0):
        return f": /proc/sys/kernel/yama/ptrace_scope is {scope}: {'forbidden' if scope == '3' else 'root only'}"
    return ""


def blitz_attach(process):
    """For blitz-run --attach: prints the state of a process, or of the one with that thread, without other output of gdb."""
    process = int(status_of(process).get("Tgid", process))
    try:
        silently(f"attach {process}")
        try:
            gdb.execute("info blitz")
        finally:
            silently("detach")
    except gdb.error as error:
        why = refusal(process) if "not permitted" in str(error) else ""
        print(f"blitz-run: --attach: {str(error).splitlines()[-1].rstrip('.')}{why}", file=sys.stderr)
        gdb.execute("quit 125")
