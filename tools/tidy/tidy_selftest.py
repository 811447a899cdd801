#!/usr/bin/python3
"""Every rule of tidy finds what it is there for, and lets good files pass.

Planted files hold what tidy forbids, so their texts are put together here in
a way that tidy, which reads this file too, doesn't stumble over.
"""
import os
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True

import tidy  # pylint: disable=wrong-import-position
import tree_rules  # pylint: disable=wrong-import-position
from source_tree import SourceTree, read_tree  # pylint: disable=wrong-import-position

_README = "".join(f"**{word}**: x\n" for word in tree_rules.README_WORDS)
_LAYERS = """\"\"\"Layers.\"\"\"

LAYERS = {
    "base": 1,
    "mvcc": 3,
    "wal": 3,
}
"""
_MAGIC = "inline constexpr uint32_t kLogMagic = 7;\n"


def header(path, body, includes='#include "shale/base/cxx_standard.h"\n'):
    guard = "SHALE_" + path.upper().replace("/", "_").replace(".", "_") + "_"
    parts = [f"#ifndef {guard}\n#define {guard}\n", includes, body,
             f"#endif  // {guard}\n"]
    return "\n".join(part for part in parts if part)


# A tree that nothing is wrong with.
GOOD = {
    ".clang-format": "BasedOnStyle: Google\n",
    "README.md": "Thus:\n\n```cpp\nint a;\n```\n\nAnd not `b`.\n",
    "base/BUILD.bazel": "",
    "base/README.md": _README,
    "base/cxx_standard.h": header(
        "base/cxx_standard.h",
        "#if __cplusplus < 202002L\n#error C++20\n#endif\n", ""),
    "base/crc.cc": "#if SHALE_HAVE_ISAL && defined(__x86_64__)\n#endif\n",
    "bazel/layers.bzl": _LAYERS,
    "docs/concurrency.md": "`Log::mu_`, `Log::Shard::mu` before it.\n",
    "examples/a/a.cc": "int a;\n",
    "docs/formats/wal.md": "Written by wal/log.h.\n",
    "wal/locks.cc": "class Log;\n\nclass Log {\n  struct Shard {\n"
                    "    absl::Mutex mu;  // A leaf.\n    int a;\n  };\n"
                    "  mutable absl::Mutex mu_ ABSL_ACQUIRED_BEFORE(a);\n};\n",
    "mvcc/head_of_line.h": header("mvcc/head_of_line.h", "std::mutex mu;\n"),
    "wal/log_test.cc": 'void F() { GTEST_SKIP() << "why"; }\n'
                       "\nvoid G() {\n  GTEST_SKIP()\n"
                       '      << "' + "x" * 62 + '";\n}\n',
    "wal/log.h": header(
        "wal/log.h", "// https://example.org/" + "x" * 70 + "\n" + _MAGIC),
    "wal/log.cc": '#include "shale/wal/log.h"\n\n#include "shale/base/crc.h"\n',
}

# rule, files put into the good tree (None removes one), line of the violation
PLANTED = [
    ("banned-name", {"base/a.cc": "int SizeFor" + "Test();\n"}, 1),
    ("banned-name", {"base/a.cc": "FRIEND_" + "TEST(A, B);\n"}, 1),
    ("banned-name", {"base/a.cc": "\nstd::mutex mu;\n"}, 2),
    ("banned-name", {"base/a.cc": "std::condition_variable c;\n"}, 1),
    ("banned-name", {"base/a.cc": "using name" + "space std;\n"}, 1),
    ("banned-name", {"base/a_test.cc": "void F() { absl::SleepFor(d); }\n"}, 1),
    ("banned-name",
     {"base/testing/a.cc": "auto f = [] { std::this_thread::sleep_for(d); };"
                           "\n"}, 1),
    ("buildifier", {"wal/BUILD.bazel": "a(b=1)\n", "wal/README.md": _README},
     0),
    ("buildifier", {"base/x.bzl": "x = 1\n"}, 1),
    ("buildifier", {"base/BUILD.bazel": "a((\n"}, 3),
    ("clang-format", {"base/a.cc": "int  a;\n"}, 1),
    ("condition", {"base/a.cc": "#ifdef SHALE_FAST_WAL\n#endif\n"}, 1),
    ("condition", {"base/a.cc": "#if 0\n#elif NDEBUG\n#endif\n"}, 2),
    ("condition", {"base/a.cc": "#if __cplusplus > 1\n#endif\n"}, 1),
    ("cxx-standard", {"wal/b.h": header("wal/b.h", "int b;\n", "")}, 0),
    ("format-page", {"docs/formats/wal.md": None}, 7),
    ("format-page", {"docs/formats/wal.md": "wal/log.h\nwal/gone.cc\n"}, 2),
    ("header-guard", {"wal/b.h": header("wal/log.h", "int b;\n")}, 1),
    ("header-guard",
     {"wal/b.h": header("wal/b.h", "int b;\n").replace("#endif  //", "//")},
     4),
    ("header-guard", {"wal/b.h": "int b;\n"}, 1),
    ("lock-table", {"docs/concurrency.md": "`Log::mu_`\n"}, 5),
    ("lock-table", {"docs/concurrency.md": "`Log::Shard::mu`\n"}, 8),
    ("lock-table", {"base/a.cc": "struct Logs {\n  absl::Mutex mu_;\n};\n"}, 2),
    ("long-file", {"base/a.cc": "\n" * 501}, 501),
    ("long-file", {"base/a.py": "\n" * 501}, 501),
    ("long-function",
     {"base/a.cc": "int A() {\n  return 1;\n}\n\nvoid B(int x,\n       int y) {"
                   "\n" + "  x = y;\n" * 58 + "}\n"}, 5),
    ("long-line", {"base/a.cc": "// " + "x" * 78 + "\n"}, 1),
    ("machine-path", {"docs/a.md": "\nsee /wo" + "rk/main\n"}, 2),
    ("machine-path", {"a.sh": 'cd "/ro' + 'ot"\n'}, 1),
    ("package-readme", {"base/README.md": None}, 0),
    ("package-readme", {"base/README.md": _README.replace("Owns", "")}, 0),
    ("package-readme", {"base/README.md": _README + 20 * "\n"}, 27),
    ("readme-example", {"examples/a/a.cc": "int b;\n"}, 3),
    ("seam-config",
     {".bazelrc": "build:reference --//wal:engine=x\n",
      "wal/README.md": _README,
      "wal/BUILD.bazel": '\nshale_seam(\n    name = "engine",\n)\n'}, 2),
    ("silent-test", {"base/a_test.cc": "\nTEST(A, DISABLED_B);\n"}, 2),
    ("silent-test", {"base/a_test.cc": "void F() { GTEST_SKIP(); }\n"}, 1),
    ("silent-test",
     {"base/testing/a.h": header(
         "base/testing/a.h", 'inline void F() { GTEST_SKIP() << ""; }\n')}, 6),
    ("unfinished", {"base/a.py": "# TO" + "DO: later\n"}, 1),
    ("unfinished", {"docs/a.md": "FIX" + "ME\n"}, 1),
    ("upward-include", {"base/a.cc": '#include "shale/wal/log.h"\n'}, 1),
    ("upward-include",
     {"base/testing/a.cc": '\n#include "shale/wal/log.h"\n'}, 2),
    ("upward-include",
     {"wal/a.cc": '#include "shale/cache/a.h"\n',
      "bazel/layers.bzl": _LAYERS.replace('"mvcc"', '"cache"')}, 1),
    ("upward-include", {"wal/a.cc": '#include "shale/nowhere/a.h"\n'}, 1),
]


def check(changes):
    """Violations of the good tree with some files changed, and its rules."""
    with tempfile.TemporaryDirectory() as root:
        for path, text in {**GOOD, **changes}.items():
            if text is None:
                continue
            full = os.path.join(root, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w", encoding="utf-8") as f:
                f.write(text)
        return tidy.check(read_tree(root))


class TidyTest(unittest.TestCase):

    def test_a_good_tree_passes(self):
        violations, _ = check({})
        self.assertEqual([tuple(v) for v in violations], [])

    def test_every_rule_finds_its_planted_violations(self):
        _, unchecked = check({})
        for rule, changes, line in PLANTED:
            if rule in unchecked:
                self.assertNotIn("SHALE_TIDY_ALL", os.environ, rule)
                print("not installed, so not tested:", rule)
                continue
            with self.subTest(rule=rule, changes=changes):
                violations, _ = check(changes)
                self.assertIn((rule, line),
                              [(v.rule, v.line) for v in violations])

    def test_every_rule_has_a_planted_violation(self):
        self.assertEqual({rule for rule, _, _ in PLANTED}, set(tidy.RULES))

    def test_a_missing_program_fails_only_where_all_are_required(self):
        nothing = {"PATH": "", "SHALE_BUILDIFIER": "", "SHALE_CLANG_FORMAT": ""}
        with mock.patch.dict(os.environ, nothing):
            tree = SourceTree({"bazel/layers.bzl": _LAYERS})
            violations, unchecked = tidy.check(tree)
            self.assertEqual(unchecked, ["buildifier", "clang-format"])
            self.assertEqual(violations, [])
            violations, _ = tidy.check(tree, require_tools=True)
            self.assertEqual([v.rule for v in violations], unchecked)


if __name__ == "__main__":
    unittest.main()
