"""Rules about single C++ files. Each yields violations of one SourceTree."""
import re

from source_tree import CPP, SCRIPTS, Violation, package_of

MAX_LINES = 500
MAX_FUNCTION_LINES = 60
MAX_COLUMNS = 80

# Headers whose whole point is a condition: file to what it may ask for.
CONDITION_FILES = {"base/cxx_standard.h": {"__cplusplus"}}

# What else a condition may ask for: the platform and optional libraries, never
# which variant is built.
_CONDITION_WORDS = re.compile(
    r"^(defined|SHALE_HAVE_\w+|__has_include|__x86_64__|__aarch64__|__linux__"
    r"|__SSE4_2__|__ARM_FEATURE_CRC32|__clang__|__GNUC__"
    r"|ABSL_HAVE_(ADDRESS|THREAD|MEMORY)_SANITIZER)$")

# pattern, files it is allowed in, what to do instead
_BANNED = [
    (r"\w*ForTest(ing)?\b", None, "inject the collaborator"),
    (r"\bFRIEND_TEST\b", None, "test through the public interface"),
    (r"\bstd::(recursive_|shared_|timed_)?mutex\b", r"mvcc/head_of_line",
     "use absl::Mutex with annotations"),
    (r"\bstd::condition_variable\b", r"mvcc/head_of_line",
     "wait with Await through the Clock"),
    (r"\busing namespace\b", None, "name what you use"),
    (r"#\s*pragma once\b", None, "use a header guard"),
]
_SLEEP = re.compile(r"\b(sleep_for|sleep_until|SleepFor|usleep|nanosleep)\b")


def long_file(tree):
    """What is read from top to bottom is short. BUILD files are looked up, not
    read: they are as long as their packages have targets."""
    for path in tree.paths(*CPP, *SCRIPTS):
        count = tree.texts[path].count("\n")
        if count > MAX_LINES:
            yield Violation(path, MAX_LINES + 1, "long-file",
                            f"{count} lines, at most {MAX_LINES}")


def long_line(tree):
    for path in tree.paths(*CPP):
        for number, line in tree.lines(path):
            if len(line) > MAX_COLUMNS and not re.search(
                    r"://|^\s*#\s*include\b", line):
                yield Violation(path, number, "long-line",
                                f"{len(line)} columns, at most {MAX_COLUMNS}")


def long_function(tree):
    """Functions at the outermost level: both their ends are in column 1."""
    for path in tree.paths(*CPP):
        start = 0
        for number, line in tree.lines(path):
            if line == "}":
                count = number - start + 1
                if count > MAX_FUNCTION_LINES:
                    yield Violation(
                        path, start, "long-function",
                        f"{count} lines, at most {MAX_FUNCTION_LINES}")
            elif re.match(r"[A-Za-z_]", line) and not re.match(
                    r"\w+:$|(public|private|protected)\b", line):
                start = number


def _guard(path):
    return "SHALE_" + re.sub(r"\W", "_", path).upper() + "_"


def header_guard(tree):
    for path in tree.paths(".h"):
        guard = _guard(path)
        directives = [(n, line.strip()) for n, line in tree.lines(path)
                      if line.startswith("#")]
        if [d for _, d in directives[:2]] != [
                "#ifndef " + guard, "#define " + guard]:
            number = directives[0][0] if directives else 1
            yield Violation(path, number, "header-guard",
                            f"want #ifndef and #define {guard} first")
        elif directives[-1][1] != "#endif  // " + guard:
            yield Violation(path, directives[-1][0], "header-guard",
                            f"want #endif  // {guard} last")


def condition(tree):
    for path in tree.paths(*CPP):
        allowed = CONDITION_FILES.get(path, set()) | {_guard(path)}
        for number, line in tree.lines(path):
            match = re.match(r"\s*#\s*(?:if|ifdef|ifndef|elif)\b(.*)", line)
            if not match:
                continue
            asked = re.sub(r'<[^>]*>|"[^"]*"|//.*', "", match.group(1))
            for word in re.findall(r"\b[A-Za-z_]\w*", asked):
                if not _CONDITION_WORDS.match(word) and word not in allowed:
                    yield Violation(
                        path, number, "condition",
                        f"#if on {word}: a variant is a target of its own")


def banned_name(tree):
    for path in tree.paths(*CPP):
        test = path.endswith(("_test.cc", "_test_suite.h")) or (
            "/testing/" in path)
        for number, line in tree.lines(path):
            for pattern, where, instead in _BANNED:
                found = re.search(pattern, line)
                if found and not (where and re.match(where, path)):
                    yield Violation(path, number, "banned-name",
                                    f"{found.group()}: {instead}")
            found = _SLEEP.search(line)
            if found and test:
                yield Violation(path, number, "banned-name",
                                f"{found.group()}: no test sleeps")


def silent_test(tree):
    """A test that doesn't run says so, and why. The reason may stand in the
    next line, so this looks at whole texts."""
    for path in tree.paths(*CPP):
        text = tree.texts[path]
        for found in re.finditer(
                r'\bDISABLED_\w*|\bGTEST_SKIP\(\)(?!\s*<<\s*(?!"")\S)', text):
            yield Violation(path, text.count("\n", 0, found.start()) + 1,
                            "silent-test",
                            f"{found.group()}: want GTEST_SKIP() << reason")


def upward_include(tree):
    layers = tree.layers()
    for path in tree.paths(*CPP):
        package = package_of(path)
        for number, line in tree.lines(path):
            match = re.match(r'\s*#\s*include\s*[<"]shale/(\w+)/', line)
            if not match:
                continue
            below = match.group(1)
            if below == package:
                continue
            if package not in layers or below not in layers:
                yield Violation(
                    path, number, "upward-include",
                    f"{below} or {package} has no layer in bazel/layers.bzl")
            elif layers[below] >= layers[package]:
                yield Violation(
                    path, number, "upward-include",
                    f"{package} (layer {layers[package]}) may not include "
                    f"{below} (layer {layers[below]})")
