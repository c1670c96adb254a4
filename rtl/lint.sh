#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Lints every module alone and the whole machine in several shapes: verilator --lint-only -Wall, waivers in lint.vlt.
# Prints each failure; exit status 1 if there is one.
cd "$(dirname "$0")" || exit 2
status=0

lint() {  # NAME ARGUMENTS...: what is linted, and how
  name=$1
  shift
  if ! output=$(verilator --lint-only -Wall lint.vlt -F tally.f "$@" 2>&1) || [ -n "$output" ]; then
    echo "lint: $name"
    echo "$output"
    status=1
  fi
}

for file in $(grep '\.sv$' tally.f | grep -v '_pkg\.sv$'); do
  module=$(basename "$file" .sv)
  lint "$module" --top-module "$module"
done

# Yosys drops all but one element of an array of structures, without a word.
if grep -rnE '_pkg::[a-z_]+_t +(\[|([a-z_0-9]+, *)*[a-z_0-9]+\[)' --include='*.sv' .; then
  echo "lint: an array of structures; use plain bits"
  status=1
fi

# Yosys forgets the operator before a cast.
if grep -rnE "[~!-][A-Za-z0-9_]+'\\(" --include='*.sv' .; then
  echo "lint: an operator before a cast; put it inside"
  status=1
fi

# The extremes of every parameter, each in at least one shape.
lint "small machine" --top-module tally_top -GRows=8 -GColumns=8 -GLanes=8 -GActivationBankBytes=8192 \
  -GWeightBankBytes=16384 -GAccumulatorBankBytes=4096
lint "smallest machine" --top-module tally_top -GRows=2 -GColumns=2 -GLanes=1 -GVectorLatency=1 -GDivideBits=1 \
  -GPortBytes=4 -GActivationBanks=2 -GActivationBankBytes=256 -GWeightBanks=2 -GWeightBankBytes=256 \
  -GAccumulatorBanks=2 -GAccumulatorBankBytes=64 -GLoadOutstanding=1 -GFetchBurstBytes=64 -GLoadQueue=1 \
  -GStoreQueue=1 -GMatrixQueue=1 -GVectorQueue=1
lint "wide port and lanes" --top-module tally_top -GRows=4 -GColumns=32 -GLanes=64 -GVectorLatency=8 -GDivideBits=4 \
  -GPortBytes=64 -GActivationBanks=64 -GActivationBankBytes=256 -GWeightBanks=64 -GWeightBankBytes=512 \
  -GAccumulatorBanks=64 -GAccumulatorBankBytes=128 -GLoadOutstanding=64 -GStoreOutstanding=16 -GFetchBuffers=16 \
  -GFetchBurstBytes=4096 -GLoadQueue=64 -GStoreQueue=64 -GMatrixQueue=64 -GVectorQueue=64
lint "tall array" --top-module tally_top -GRows=64 -GColumns=4 -GLanes=2 -GPortBytes=8 -GVectorLatency=3 \
  -GLoadOutstanding=7 -GLoadQueue=3 -GStoreQueue=5 -GMatrixQueue=2 -GVectorQueue=9
lint "wide array" --top-module tally_top -GRows=2 -GColumns=64 -GLanes=16 -GPortBytes=32 -GFetchBurstBytes=128

exit $status
