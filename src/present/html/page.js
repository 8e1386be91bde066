// Two devices chosen, their path said. Reads the JSON in this page; asks no network.
(function () {
  var machine = JSON.parse(document.getElementById("machine").textContent);
  var from = document.getElementById("from");
  var to = document.getElementById("to");
  var result = document.getElementById("path-result");
  var byPair = {};
  machine.paths.forEach(function (path) {
    byPair[path.a + "\n" + path.b] = path;
    byPair[path.b + "\n" + path.a] = path;
  });

  function rate(path, key) {
    var value = path[key];
    if (value === null || value === undefined) return null;
    return Number((value / 1e9).toPrecision(3)) + " GB/s";
  }

  function say() {
    if (from.value === to.value) {
      result.textContent = "the same device";
      return;
    }
    var path = byPair[from.value + "\n" + to.value];
    if (!path) {
      result.textContent = "no path known";
      return;
    }
    var words = path["class"] || "class unknown: " + path.class_reason;
    if (path.nccl_path) words += ", NCCL " + path.nccl_path;
    var found = rate(path, "rate_bytes_per_second");
    var nominal = rate(path, "nominal_rate_bytes_per_second");
    words += found ? ", " + found : ", rate unknown: " + path.rate_bytes_per_second_reason;
    if (found && nominal && nominal !== found) words += " of " + nominal;
    result.textContent = from.value + " to " + to.value + ": " + words;
  }

  from.addEventListener("change", say);
  to.addEventListener("change", say);
  say();
})();
