#!/bin/bash
# A seam's alias follows its flag: the default without one, else the value.
set -eu
[ "$(cat "$1")" = lead ] || { echo "default: got $(cat "$1"), want lead"; exit 1; }
[ "$(cat "$2")" = gold ] || { echo "metal=gold: got $(cat "$2")"; exit 1; }
[ "$(cat "$3")" = lead ] || { echo "metal=lead: got $(cat "$3")"; exit 1; }
