#!/usr/bin/python3
"""Fails on what review should not have to look for.

usage: tools/tidy/tidy.py [FILE in the root of the source tree]

Prints `file:line: rule: message` for each violation. A rule whose program is
not installed is left out with a note, or fails where SHALE_TIDY_ALL is set.
"""
import os
import sys

sys.dont_write_bytecode = True

import cpp_rules  # pylint: disable=wrong-import-position
import tree_rules  # pylint: disable=wrong-import-position
from source_tree import Violation, read_tree

RULES = {
    "banned-name": cpp_rules.banned_name,
    "buildifier": tree_rules.buildifier,
    "clang-format": tree_rules.clang_format,
    "condition": cpp_rules.condition,
    "cxx-standard": tree_rules.cxx_standard,
    "format-page": tree_rules.format_page,
    "header-guard": cpp_rules.header_guard,
    "lock-table": tree_rules.lock_table,
    "long-file": cpp_rules.long_file,
    "long-function": cpp_rules.long_function,
    "long-line": cpp_rules.long_line,
    "machine-path": tree_rules.machine_path,
    "package-readme": tree_rules.package_readme,
    "readme-example": tree_rules.readme_example,
    "seam-config": tree_rules.seam_config,
    "silent-test": cpp_rules.silent_test,
    "unfinished": tree_rules.unfinished,
    "upward-include": cpp_rules.upward_include,
}


def check(tree, require_tools=False):
    """The violations of all rules, and the rules that could not be checked."""
    violations, unchecked = [], []
    for name, rule in RULES.items():
        try:
            violations += rule(tree)
        except tree_rules.MissingTool as missing:
            unchecked.append(name)
            if require_tools:
                violations.append(
                    Violation(str(missing), 0, name, "not installed"))
    return sorted(set(violations)), unchecked


def main(argv):
    here = os.path.dirname(os.path.dirname(os.path.dirname(
        os.path.realpath(__file__))))
    # Under Bazel the file is a link that leads to the real source tree.
    root = os.path.dirname(os.path.realpath(argv[1])) if argv[1:] else here
    tree = read_tree(root)
    violations, unchecked = check(tree, "SHALE_TIDY_ALL" in os.environ)
    for v in violations:
        print(f"{v.path}:{v.line}: {v.rule}: {v.message}")
    for name in unchecked:
        print(f"note: {name} is not checked, as its program is not installed")
    print(f"{len(tree.texts)} files, {len(violations)} violations")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
