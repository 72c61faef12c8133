"""browser.py: a page in headless Chromium, driven through its pipe (DevTools protocol); nothing but Chromium is needed."""
import base64
import json
import os
import shutil
import subprocess
import tempfile


def find():
    """ The program; None if it is missing."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    return next(filter(None, map(shutil.which, names)), None)


class Page:
    def __init__(self, width=1400, height=800, dark=False):
        self.folder = tempfile.mkdtemp()
        theirs, self.write_end = os.pipe()
        self.read_end, ours = os.pipe()
        command = ('exec "$0" --headless --no-sandbox --disable-gpu --no-first-run --hide-scrollbars '
                   f'--remote-debugging-pipe --user-data-dir="{self.folder}" 3<&{theirs} 4>&{ours}')
        self.process = subprocess.Popen(["bash", "-c", command, find()], pass_fds=(theirs, ours),
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs)
        os.close(ours)
        self.number, self.buffer, self.events, self.session = 0, b"", [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = "dark" if dark else "light"
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def receive(self):
        while b"\0" not in self.buffer:
            more = os.read(self.read_end, 1 << 20)
            if not more:
                raise EOFError("Chromium has ended")
            self.buffer += more
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(answer["error"])
                return answer["result"]
            self.events.append(answer)

    def load(self, path):
        before = len(self.events)
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events[before:]):
            self.events.append(self.receive())

    def run(self, script):
        """The value of an expression in the page; waits if that is a promise."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def drawn(self):
        """Waits until what has changed is on the screen."""
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def errors(self):
        bad = []
        for event in self.events:
            method, what = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown" or \
                    (method == "Runtime.consoleAPICalled" and what["type"] in ("error", "assert")) or \
                    (method == "Log.entryAdded" and what["entry"]["level"] == "error"):
                bad.append(what)
        return bad

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def picture(self, path):
        self.drawn()
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def close(self):
        self.session = None
        try:
            self.call("Browser.close")
        except (EOFError, OSError):
            pass
        self.process.wait(20)
        shutil.rmtree(self.folder, ignore_errors=True)
