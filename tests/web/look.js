// Measures the page it runs in; gives one object. Used by check_page_test.py.
(function () {
  function luminance(c) {
    var parts = c.map(function (v) {
      v /= 255;
      return v <= 0.03928 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4);
    });
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  }
  function colour(text) {
    var m = /rgba?\(([^)]+)\)/.exec(text);
    return m ? m[1].split(",").map(Number) : null;
  }
  function ratio(a, b) {
    var x = luminance(a), y = luminance(b);
    return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
  }
  // The nearest opaque background of an HTML element.
  function ground(element) {
    for (; element; element = element.parentElement) {
      var c = colour(getComputedStyle(element).backgroundColor);
      if (c && (c.length < 4 || c[3] > 0)) return c;
    }
    return matchMedia("(prefers-color-scheme: dark)").matches ? [18, 18, 18] : [255, 255, 255];
  }
  function says(element) {
    return Array.prototype.some.call(element.childNodes, function (n) {
      return n.nodeType === 3 && n.textContent.trim();
    });
  }
  var faint = [];
  document.querySelectorAll("body *").forEach(function (e) {
    if (!says(e) || e.closest("svg") || e.closest("script") || !e.getClientRects().length) return;
    var style = getComputedStyle(e), fore = colour(style.color);
    var large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && style.fontWeight >= 700);
    var r = ratio(fore, ground(e));
    if (r < (large ? 3 : 4.5)) faint.push(e.tagName + "." + e.className + " " + r.toFixed(2) + " " + e.textContent.slice(0, 30));
  });
  document.querySelectorAll("svg .mark").forEach(function (mark) {
    var fore = colour(getComputedStyle(mark.querySelector(".mark-text")).fill);
    var back = colour(getComputedStyle(mark.querySelector(".mark-label")).fill);
    if (ratio(fore, back) < 4.5) faint.push("mark " + ratio(fore, back).toFixed(2));
    var paper = colour(getComputedStyle(document.querySelector("svg .paper")).fill);
    var box = colour(getComputedStyle(mark.querySelector(".mark-box")).stroke);
    if (ratio(box, paper) < 3) faint.push("outline " + ratio(box, paper).toFixed(2));
  });
  var wide = [];
  document.querySelectorAll("body *").forEach(function (e) {
    if (e.closest("svg") && e.tagName.toLowerCase() !== "svg") return;
    if (e.closest(".scroll, pre") && !e.matches(".scroll, pre")) return;
    var r = e.getBoundingClientRect();
    if (r.width && r.right > innerWidth + 1) wide.push(e.tagName + "." + e.className + " " + Math.round(r.right));
  });
  return {
    page_width: document.documentElement.scrollWidth,
    window_width: innerWidth,
    wide: wide.slice(0, 5),
    faint: faint.slice(0, 8),
    marks: Array.prototype.map.call(document.querySelectorAll("svg .mark"), function (m) {
      return { words: m.querySelector(".mark-text").textContent, href: m.getAttribute("href"),
               link: !!m.querySelector(".mark-link"),
               leads: !!document.getElementById((m.getAttribute("href") || "#").slice(1)) };
    }),
    findings: document.querySelectorAll("article.finding").length,
    beside: (function () {
      var finding = document.querySelector("article.finding"), picture = document.querySelector(".picture");
      if (!finding || !picture) return null;
      return picture.getBoundingClientRect().left >= finding.getBoundingClientRect().right;
    })()
  };
})()
