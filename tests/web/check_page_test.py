#!/usr/bin/env python3
"""The page of a check in a real browser: narrow and wide, light and dark, keyboard, no scripts, no network.

Usage: check_page_test.py BINARY. Exit 77 where no Chromium is installed (tools/setup.sh web).
"""
import base64
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))

from browser import Browser, Missing
from harness import SOURCE, Suite, run

FAULTY = SOURCE / "tests/machines/supermicro-l40s-8x-acs/inputs"  # gpu2 runs x8 of x16
MEASURE = (HERE / "look.js").read_text()
FOCUS = """(function () { var e = document.activeElement, r = e.getBoundingClientRect(), s = getComputedStyle(e);
  return {tag: e.tagName.toLowerCase(), cls: e.getAttribute("class") || "", top: r.top + scrollY, left: r.left,
          outline: s.outlineStyle !== "none" || !!e.closest("svg")}; })()"""
TABS_MOST = 400


def check_layout(suite, browser, page_file, name, single):
    for width in (390, 1280):
        for dark in (False, True):
            page = browser.open(page_file, width, dark)
            seen = page.value(MEASURE)
            where = f"{name} at {width} px, {'dark' if dark else 'light'}"
            suite.check(f"{where}: nothing sticks out sideways", seen["page_width"] <= width and not seen["wide"], str(seen))
            suite.check(f"{where}: contrast is at least 4.5 (AA)", not seen["faint"], str(seen["faint"]))
            if single and not dark:
                suite.check(f"{where}: findings {'beside' if width > 1000 else 'above'} the picture",
                            seen["beside"] is (width > 1000), str(seen["beside"]))
    return seen


def check_marks(suite, seen):
    guilty = [mark for mark in seen["marks"] if mark["words"].startswith("PCI012")]
    suite.check("the guilty link is marked with the finding's id", len(guilty) == 1 and guilty[0]["link"], str(seen["marks"]))
    suite.check("each mark leads to its finding", seen["marks"] and all(mark["leads"] for mark in seen["marks"]),
                str(seen["marks"]))


def check_keyboard(suite, browser, page_file):
    page = browser.open(page_file, 1280)
    stops = []
    for _ in range(TABS_MOST):
        page.press("Tab")
        stop = page.value(FOCUS)
        if stop["tag"] == "body" or (stops and stop == stops[0]):
            break
        stops.append(stop)
    suite.check("every stop of the keyboard shows", stops and all(stop["outline"] for stop in stops), str(stops)[:400])
    kinds = [("mark" if "mark" in stop["cls"] else stop["tag"]) for stop in stops]
    suite.check("the keyboard reaches the picture's marks", "mark" in kinds, str(kinds))
    before = kinds.index("mark") if "mark" in kinds else 0
    tops = [stop["top"] for stop in stops[:before] if stop["cls"] != "scroll"]
    suite.check("among findings the keyboard goes down the page", tops == sorted(tops), str(tops))


def check_without_scripts(suite, browser, page_file, findings):
    page = browser.open(page_file, 390, scripts=False)
    suite.check("with scripts off all findings and the picture are there",
                page.value("document.querySelectorAll('article.finding').length") == findings and
                page.value("document.querySelector('.picture svg').getBoundingClientRect().height") > 100)


def main():
    suite = Suite()
    try:
        browser = Browser()
    except Missing as missing:
        print(f"SKIP: {missing}")
        sys.exit(77)
    one, many = suite.folder / "one.html", suite.folder / "many.html"
    run("check", FAULTY, "--format", "html", "-o", one)
    run("check", FAULTY, "synthetic:dgx-h100", "synthetic:dgx-a100", "--format", "html", "-o", many)
    with browser:
        seen = check_layout(suite, browser, one, "one machine", True)
        check_marks(suite, seen)
        check_keyboard(suite, browser, one)
        check_without_scripts(suite, browser, one, seen["findings"])
        check_layout(suite, browser, many, "several machines", False)
        if len(sys.argv) > 2:  # for eyes
            for width in (390, 1280):
                picture = browser.open(one, width).screenshot()
                (pathlib.Path(sys.argv[2]) / f"check-{width}.png").write_bytes(base64.b64decode(picture))
    suite.finish()


if __name__ == "__main__":
    main()
