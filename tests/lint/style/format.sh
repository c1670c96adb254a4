#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every C++ file is as the committed configuration formats it. Prints those that are not.
cd "$(dirname "$0")/../../.." || exit 2
find cli compiler models reports sysc tests gpu \( -name '*.h' -o -name '*.cc' -o -name '*.cu' \) -print0 |
  xargs -0 "$1" --dry-run --Werror
