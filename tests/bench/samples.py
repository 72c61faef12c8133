"""Made-up samples."""


def sample(name, threads, runtime, *values, unit="ns"):
    """One for each value, in rounds of their own."""
    return [{"workload": name.split(".")[0], "name": name, "threads": threads, "runtime": runtime, "round": turn,
             "value": value, "unit": unit} for turn, value in enumerate(values)]


def result(*samples, **facts):
    """ The samples that run.py passes to report.py and charts.py."""
    known = {"machine": "m", "cpus": 2, "kernel": "k", "compiler": "gcc", "commit": "c", "date": "d", "rounds": 3, "ms": 1,
             "seconds": 1, "load": [0, 1], "command": "run", "shortened": [], "failed": [], "peers_failed": []}
    return {"facts": {**known, **facts}, "samples": [one for some in samples for one in some]}
