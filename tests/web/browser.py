"""A headless Chromium, spoken to over two pipes in its DevTools protocol. Nothing but the standard library.

    with Browser() as browser:
        page = browser.open(path, width=390)
        page.value("document.title")
"""
import json
import os
import shutil
import subprocess
import tempfile

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
SECONDS = 30


class Missing(Exception):
    pass


class Browser:
    def __init__(self):
        self.program = next(filter(None, map(shutil.which, PROGRAMS)), None)
        if self.program is None:
            raise Missing("no chromium is installed: tools/setup.sh web")

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="railgauge-web-")
        to_browser, self.out = os.pipe()
        self.back, from_browser = os.pipe()

        def at_3_and_4():
            # dup to high numbers first, so that neither overwrites the other
            a, b = os.dup(to_browser), os.dup(from_browser)
            os.dup2(a, 3)
            os.dup2(b, 4)

        options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                   "--no-first-run", "--disable-background-networking", "--proxy-server=127.0.0.1:9",
                   f"--user-data-dir={self.folder.name}", "--remote-debugging-pipe"]
        self.process = subprocess.Popen([self.program, *options], preexec_fn=at_3_and_4, close_fds=False,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.number, self.events = b"", 0, []
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(SECONDS)
        os.close(self.out)
        os.close(self.back)
        self.folder.cleanup()

    def _message(self):
        while b"\0" not in self.buffer:
            part = os.read(self.back, 1 << 20)
            if not part:
                raise RuntimeError("the browser ended")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def send(self, method, session=None, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def until(self, event, session):
        while True:
            for i, one in enumerate(self.events):
                if one.get("method") == event and one.get("sessionId") == session:
                    del self.events[: i + 1]
                    return
            self.events.append(self._message())

    def open(self, path, width, dark=False, scripts=True, height=900):
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session)
        page.send("Page.enable")
        page.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        page.send("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        page.send("Emulation.setScriptExecutionDisabled", value=not scripts)
        page.send("Page.navigate", url=path.resolve().as_uri())
        self.until("Page.loadEventFired", session)
        return page


class Page:
    def __init__(self, browser, session):
        self.browser, self.session = browser, session

    def send(self, method, **params):
        return self.browser.send(method, self.session, **params)

    def value(self, expression):
        """What an expression is in the page; the tool's own evaluation works with scripts off, too."""
        answer = self.send("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression[:80]}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def press(self, key):
        for kind in ("rawKeyDown", "keyUp"):
            self.send("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode={"Tab": 9}[key])

    def screenshot(self):
        """The whole page, as PNG in base64."""
        return self.send("Page.captureScreenshot", captureBeyondViewport=True)["data"]
