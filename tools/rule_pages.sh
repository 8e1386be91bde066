#!/usr/bin/env bash
# Writes docs/rules from the rules themselves; with --check only says which pages are not what the program has.
#   tools/rule_pages.sh BINARY [--check]
set -euo pipefail
cd "$(dirname "$0")/.."
railgauge=$(realpath "$1")
folder=docs/rules
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT

{
  printf '# Rules\n\nWhat `railgauge check` looks for. Made by tools/rule_pages.sh from the program; `railgauge explain ID` prints the same.\n\n'
  "$railgauge" explain --list --format markdown
} >"$made/README.md"
while read -r id; do
  "$railgauge" explain "$id" --format markdown >"$made/$id.md"
done < <("$railgauge" explain --list --format markdown | sed -nE 's/^- \[([A-Z]{3}[0-9]{3}) .*/\1/p')

if [[ ${2:-} == --check ]]; then
  diff -rq "$made" "$folder" || { echo "docs/rules is not what the rules say: run tools/rule_pages.sh $1" >&2; exit 1; }
  exit 0
fi
mkdir -p "$folder"
find "$folder" -name '*.md' -delete
cp "$made"/*.md "$folder"/
