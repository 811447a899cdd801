// gcc's ThreadSanitizer takes Abseil's per-thread semaphore for a race. Linked
// into every test; the sanitizer asks for this string when it starts.
extern "C" __attribute__((visibility("default"), used)) const char*
__tsan_default_suppressions() {
  return "race:AbslInternalPerThreadSemPost\n";
}
