# Counts what a script checks; to be sourced. What is tried writes its output to
# $scratch/log.
passed=0
failed=0

# what was checked; 0 if it holds
result() {
  if [ "$2" = 0 ]; then
    echo "ok: $1"
    passed=$((passed + 1))
  else
    echo "FAILED: $1"
    tail -n 40 "$scratch/log"
    failed=$((failed + 1))
  fi
}

# Says how many there were; fails if one did.
conclude() {
  echo "$passed passed, $failed failed"
  [ "$failed" = 0 ]
}
