#!/bin/bash
# The tool as a process: exit codes, where relative paths start, output that
# can't be written; and the README's tour, twice in the same directory.
#
# usage: binary_test.sh SHALE TOUR
set -u
shale=$PWD/$1
tour=$PWD/$2
work=$(mktemp -d "$TEST_TMPDIR/binary.XXXXXX")
# As `bazel run` tells where it was typed.
export BUILD_WORKING_DIRECTORY=$work
failures=0

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# expect CODE TEXT COMMAND...: the exit code, and a part of what is printed.
expect() {
  local code=$1 text=$2 output status
  shift 2
  output=$("$@" 2>&1)
  status=$?
  [ $status = "$code" ] || fail "$* gave exit code $status, want $code: $output"
  [[ $output == *"$text"* ]] || fail "$* printed no '$text' but: $output"
}

expect 2 "Usage: shale COMMAND" "$shale"
expect 0 "Usage: shale get ROW" "$shale" help get
expect 2 "shale: no command gte; see: shale help" "$shale" gte
expect 1 "$work/store" "$shale" count --dir=store
expect 0 "created region r in store" "$shale" create f --dir=store --region=r
[ -d "$work/store" ] || fail "--dir=store is not in BUILD_WORKING_DIRECTORY"
expect 0 "row  f:q" "$shale" put --dir=store -- row f:q -5
expect 0 " -5" "$shale" get row --dir=store
expect 0 "1 row, 1 cell" "$shale" count --dir=store
expect 1 "can't write the output" sh -c "'$shale' scan --dir=store >/dev/full"

# A process that was killed leaves nothing that blocks the next one.
"$shale" import /dev/stdin --dir=store --region=r --columns=ROW_KEY,f:q \
  < <(yes $'row\tvalue') >"$work/import.out" 2>&1 &
victim=$!
until [ "$(find "$work/store" -name '*.wal' -size +64k | wc -l)" != 0 ] ||
  ! kill -0 $victim 2>/dev/null; do sleep 0.1; done
expect 1 "shale import, pid" "$shale" put row f:q value --dir=store
kill -9 $victim
wait $victim 2>/dev/null
expect 0 "1 row, 1 cell" "$shale" count --dir=store
expect 0 "all good" "$shale" verify --dir=store
expect 0 "row" "$shale" put row f:q value --dir=store

for run in first second; do
  expect 0 "imported 34," "$tour" "$1" ucd
done
expect 0 "34,924 rows" "$shale" count --dir=ucd
[ $failures = 0 ]
