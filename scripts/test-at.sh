#!/usr/bin/env bash
# Runs tests while the clock of the machine seems to show another time: test-at.sh '2028-02-29 12:00:00' src/kernel
# libfaketime changes what programs read. Durations, which are measured with the monotonic clock, stay true.
set -eu
cd "$(dirname "$0")/.."
time=$1
shift
library=$(ls /usr/lib/*/faketime/libfaketime.so.1 2>/dev/null | head -n 1)
[ -n "$library" ] || { echo 'libfaketime is missing: apt-get install libfaketime' >&2; exit 1; }
node scripts/build.mjs --if-stale
export TZ=UTC LD_PRELOAD=$library FAKETIME="@$time" FAKETIME_DONT_FAKE_MONOTONIC=1 FAKETIME_DONT_RESET=1
exec node scripts/test.mjs "$@"
