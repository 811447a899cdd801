"""The files that tidy looks at, and what a rule says about them."""
import ast
import collections
import os
import re
import subprocess

# One thing that's wrong. `line` counts from 1; 0 stands for the whole file.
Violation = collections.namedtuple("Violation", "path line rule message")

CPP = (".cc", ".h")
SCRIPTS = (".py", ".sh", ".bzl")

# What a build or an editor leaves in a checkout.
_UNTRACKED = ("bazel-", ".git", ".bazelrc.user", "compile_commands.json")


class SourceTree:
    """Texts by path, relative to the workspace root, with forward slashes.

    `root` is where they lie for programs that read files by themselves, or
    None for a tree that exists in memory only.
    """

    def __init__(self, texts, root=None):
        self.texts = dict(sorted(texts.items()))
        self.root = root

    def paths(self, *suffixes):
        return [p for p in self.texts if p.endswith(suffixes)]

    def lines(self, path):
        """Pairs of line number and line."""
        return enumerate(self.texts[path].split("\n"), 1)

    def layers(self):
        """Package to layer, the table in bazel/layers.bzl."""
        table = re.search(r"^LAYERS = (\{.*?^\})",
                          self.texts["bazel/layers.bzl"],
                          re.MULTILINE | re.DOTALL)
        return ast.literal_eval(table.group(1))

    def build_files(self):
        names = ("BUILD", "BUILD.bazel", "WORKSPACE", "MODULE.bazel")
        return [
            p for p in self.texts
            if os.path.basename(p) in names or p.endswith(".bzl")
        ]


def package_of(path):
    """The top-level folder of a path, or "" for a file of the root."""
    return path.split("/")[0] if "/" in path else ""


def _tracked_by_git(root):
    """Tracked files and new ones that aren't ignored; None without git."""
    command = ["git", "-c", "safe.directory=*", "-C", root, "ls-files", "-z"]
    command += ["--cached", "--others", "--exclude-standard"]
    try:
        out = subprocess.run(command, check=True, stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    return [p for p in out.decode().split("\0") if p]


def _walk(root):
    for folder, folders, files in os.walk(root):
        folders[:] = [d for d in folders if not d.startswith(_UNTRACKED)]
        for name in files:
            if not name.startswith(_UNTRACKED):
                yield os.path.relpath(os.path.join(folder, name), root)


def read_tree(root):
    """The text files under `root`; binary ones are left out."""
    texts = {}
    for path in _tracked_by_git(root) or _walk(root):
        full = os.path.join(root, path)
        if not os.path.isfile(full) or os.path.islink(full):
            continue
        with open(full, "rb") as f:
            data = f.read()
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            texts[path.replace(os.sep, "/")] = text
    return SourceTree(texts, root)
