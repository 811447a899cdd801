#!/usr/bin/python3
"""MODULE.bazel and repositories.bzl declare the same repositories."""
import ast
import sys

# What only Debian's Bazel has to be given.
_ONLY_DEBIAN = {"libpfm", "remote_coverage_tools", "rules_java",
                "shale_debian_sources"}


def _calls(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id, [
                a.value for a in node.args if isinstance(a, ast.Constant)
            ], {k.arg: k.value.value for k in node.keywords
                if isinstance(k.value, ast.Constant)}


def module_names(text):
    names = set()
    for function, args, kwargs in _calls(ast.parse(text)):
        if function == "bazel_dep":
            names.add(kwargs.get("repo_name", kwargs["name"]))
        elif function == "use_repo":
            names.update(args)
    return names


def workspace_names(text):
    tree = ast.parse(text)
    tables = {
        node.targets[0].id: node.value
        for node in tree.body if isinstance(node, ast.Assign)
    }
    names = {key.value for key in tables["_ARCHIVES"].keys}
    names |= {"shale_" + row.elts[0].value for row in tables["_OPTIONAL"].elts}
    for function, args, _ in _calls(tree):
        if function == "_maybe" and args:
            names.add(args[0])
    return names - _ONLY_DEBIAN


def main(module, repositories):
    with open(module, encoding="utf-8") as f:
        of_module = module_names(f.read())
    with open(repositories, encoding="utf-8") as f:
        of_workspace = workspace_names(f.read())
    for name in sorted(of_module ^ of_workspace):
        where = module if name in of_module else repositories
        print(f"{name} is declared in {where} only")
    print(f"{len(of_module & of_workspace)} repositories in both")
    # Should the parsing break, nothing would differ.
    expected = {"com_google_absl", "shale_zstd", "rules_cc"}
    return 0 if of_module == of_workspace and expected <= of_module else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
