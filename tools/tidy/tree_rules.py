"""Rules about the tree as a whole, and those that run other programs."""
import os
import re
import shutil
import subprocess

from source_tree import CPP, Violation, package_of

README_WORDS = ("Owns", "Promises", "May depend on", "Used by",
                "Start reading at", "Variants and flag", "Formats")

README_LINES = 25

_UNFINISHED = re.compile(r"\b(TO[D]O|FIX[M]E)\b")
_MACHINE_PATH = re.compile(r"(?<![\w.])/(wor[k]|roo[t]|far[m])\b")


def package_readme(tree):
    layers = tree.layers()
    for path in tree.paths("/BUILD.bazel"):
        if path.count("/") != 1:
            continue
        package = package_of(path)
        readme = package + "/README.md"
        if readme not in tree.texts:
            yield Violation(path, 0, "package-readme", f"no {readme}")
        elif package in layers:
            length = tree.texts[readme].count("\n")
            if length > README_LINES:
                yield Violation(readme, length, "package-readme",
                                f"{length} lines, at most {README_LINES}")
            for word in README_WORDS:
                if f"**{word}" not in tree.texts[readme]:
                    yield Violation(readme, 0, "package-readme",
                                    f"doesn't say **{word}**")


def format_page(tree):
    """A file that declares a magic number is named by a page, and vice versa."""
    pages = {p: t for p, t in tree.texts.items()
             if re.match(r"docs/formats/[^/]+\.md$", p)}
    for path in tree.paths(*CPP):
        if path.endswith(("_test.cc", "_fuzz.cc")):
            continue
        for number, line in tree.lines(path):
            match = re.search(r"\b(k\w*Magic)\b(\[\w*\])?\s*[={(]", line)
            if match and line.lstrip().startswith(
                    ("constexpr", "inline constexpr", "static constexpr")):
                if not any(path in text for text in pages.values()):
                    yield Violation(
                        path, number, "format-page",
                        f"{match.group(1)}: no page of docs/formats names "
                        "this file")
    for page in pages:
        for number, line in tree.lines(page):
            for name in re.findall(r"\b[a-z_]+(?:/\w+)+\.(?:h|cc)\b", line):
                if name not in tree.texts:
                    yield Violation(page, number, "format-page",
                                    f"no file {name}")


_LOCK_TABLE = "docs/concurrency.md"
_CLASS = re.compile(r"^( *)(?:class|struct) (?:\w+\([^)]*\) )?([\w:]+)"
                    r"(?!.*;$)")
_MUTEX = re.compile(r"^( *)(?:mutable )?absl::Mutex (\w+)\b.*;")


def lock_table(tree):
    """Every mutex of a class stands in the one table, as Class::member. Not
    those of tests and of programs, which hold them around nothing of ours."""
    table = tree.texts.get(_LOCK_TABLE, "")
    for path in tree.paths(*CPP):
        if path.endswith(("_test.cc", "_benchmark.cc")) or re.search(
                r"/testing/|^tools/", path):
            continue
        classes = []  # Indent and name of those that the line may be in.
        for number, line in tree.lines(path):
            found = _CLASS.match(line) or _MUTEX.match(line)
            if not found:
                continue
            indent = len(found.group(1))
            while classes and classes[-1][0] >= indent:
                classes.pop()
            if found.re is _CLASS:
                classes.append((indent, found.group(2)))
            elif classes:
                name = "::".join([c for _, c in classes] + [found.group(2)])
                if not re.search(rf"`{name}`", table):
                    yield Violation(path, number, "lock-table",
                                    f"{_LOCK_TABLE} doesn't name {name}")


def seam_config(tree):
    """--config=reference and --config=seed set every seam's flag."""
    rc = tree.texts.get(".bazelrc", "")
    for path in tree.paths("BUILD.bazel"):
        package = os.path.dirname(path)
        if package_of(path) not in tree.layers():
            continue
        for match in re.finditer(r'^shale_seam\(\s*name = "(\w+)"',
                                 tree.texts[path], re.MULTILINE):
            line = tree.texts[path].count("\n", 0, match.start()) + 1
            for config in ("reference", "seed"):
                flag = f"--//{package}:{match.group(1)}="
                if not re.search(rf"^build:{config} .*{flag}", rc,
                                 re.MULTILINE):
                    yield Violation(path, line, "seam-config",
                                    f"build:{config} in .bazelrc lacks {flag}")


def readme_example(tree):
    """C++ of the README is a program of examples/, word for word, so it is
    built and run."""
    examples = [tree.texts[p] for p in tree.paths(".cc")
                if p.startswith("examples/")]
    text = tree.texts.get("README.md", "")
    for match in re.finditer(r"^```cpp\n(.*?)^```", text,
                             re.MULTILINE | re.DOTALL):
        if match.group(1) not in examples:
            line = text.count("\n", 0, match.start()) + 1
            yield Violation("README.md", line, "readme-example",
                            "no file of examples/ has this text")


def unfinished(tree):
    for path in tree.texts:
        for number, line in tree.lines(path):
            match = _UNFINISHED.search(line)
            if match and "/testdata/" not in path:
                yield Violation(path, number, "unfinished",
                                f"{match.group()}: file an issue instead")


def machine_path(tree):
    for path in tree.texts:
        for number, line in tree.lines(path):
            match = _MACHINE_PATH.search(line)
            if match:
                yield Violation(path, number, "machine-path", match.group())


def cxx_standard(tree):
    """Every header of ours reaches the check for C++20 through its includes."""
    check = "base/cxx_standard.h"
    reaches = {check}
    includes = {
        path: set(re.findall(r'^#include "shale/([^"]+)"', tree.texts[path],
                             re.MULTILINE))
        for path in tree.paths(".h")
    }
    before = 0
    while len(reaches) != before:
        before = len(reaches)
        reaches |= {p for p, names in includes.items() if names & reaches}
    for path in includes:
        if path not in reaches:
            yield Violation(path, 0, "cxx-standard",
                            f'include "shale/{check}", directly or not')


class MissingTool(Exception):
    pass


def _tool(name, variable):
    tool = os.environ.get(variable) or shutil.which(name)
    if not tool:
        raise MissingTool(name)
    return tool


def _run(tree, rule, command, paths, patterns):
    """What a program says about the files, matched to path, line, message."""
    if not paths:
        return
    done = subprocess.run([*command, *paths], cwd=tree.root, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          universal_newlines=True)
    silent = True
    for text in done.stdout.splitlines():
        for pattern in patterns:
            match = re.match(pattern, text)
            if match:
                found = match.groupdict()
                silent = False
                yield Violation(found["path"], int(found.get("line") or 0),
                                rule, found.get("message") or "not formatted")
                break
    if done.returncode != 0 and silent:
        yield Violation(command[0], 0, rule,
                        f"exit status {done.returncode}: {done.stdout[:500]}")


def clang_format(tree):
    tool = _tool("clang-format-14", "SHALE_CLANG_FORMAT")
    yield from _run(tree, "clang-format", [tool, "--dry-run", "-Werror"],
                    tree.paths(*CPP),
                    [r"(?P<path>.+?):(?P<line>\d+):\d+: error: (?P<message>.*)"])


def buildifier(tree):
    tool = _tool("buildifier", "SHALE_BUILDIFIER")
    yield from _run(tree, "buildifier", [tool, "-mode=check", "-lint=warn"],
                    tree.build_files(),
                    [r"(?P<path>[^\s:]+):(?P<line>\d+)(:\d+)?: (?P<message>.*)",
                     r"(?P<path>\S+) # reformat"])
