#!/usr/bin/python3
"""run_tests.py counts what a bazelw of our own reports."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

_SCRIPT = os.path.abspath(sys.argv.pop(1))

_BAZELW = """#!/bin/sh
for arg; do
  case $arg in
  --build_event_json_file=*) cp events.json "${arg#*=}" ;;
  esac
done
exit $(cat status)
"""


class RunTestsTest(unittest.TestCase):

    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)
        os.mkdir(os.path.join(self.root, "tools"))
        shutil.copy(_SCRIPT, os.path.join(self.root, "tools"))
        self.write("bazelw", _BAZELW)
        os.chmod(os.path.join(self.root, "bazelw"), 0o755)
        self.events = []

    def write(self, name, text):
        with open(os.path.join(self.root, name), "w", encoding="utf-8") as f:
            f.write(text)

    def add_test(self, label, status, cases, shard=1):
        """`cases` is what the test's XML file holds; None: it has none."""
        outputs = []
        if cases is not None:
            name = f"{len(self.events)}.xml"
            self.write(name, f"<testsuites><testsuite>{cases}</testsuite>"
                       "</testsuites>")
            uri = "file://" + os.path.join(self.root, name)
            outputs = [{"name": "test.xml", "uri": uri}]
        self.events += [
            {"id": {"testResult": {"label": label, "run": 1, "shard": shard}},
             "testResult": {"testActionOutput": outputs}},
            {"id": {"testSummary": {"label": label}},
             "testSummary": {"overallStatus": status}},
        ]

    def run_tests(self, status):
        self.write("status", str(status))
        self.write("events.json", "".join(json.dumps(e) + "\n"
                                          for e in self.events))
        done = subprocess.run(
            [sys.executable, os.path.join(self.root, "tools/run_tests.py"),
             "//..."], check=False, stdout=subprocess.PIPE,
            universal_newlines=True)
        self.assertEqual(done.returncode, status)
        return done.stdout.strip()

    def test_cases_of_all_tests_and_shards_are_counted(self):
        self.add_test("//a:a", "PASSED", "<testcase/><testcase/>", shard=1)
        self.add_test("//a:a", "PASSED", "<testcase/>", shard=2)
        self.add_test("//b:b", "FLAKY", "<testcase/>")
        self.assertEqual(self.run_tests(0), "4 passed, 0 failed")

    def test_the_last_attempt_of_a_test_counts(self):
        self.add_test("//a:a", "FAILED", "<testcase><failure/></testcase>")
        self.add_test("//a:a", "FLAKY", "<testcase/>")
        self.assertEqual(self.run_tests(0), "1 passed, 0 failed")

    def test_failed_and_skipped_cases_are_told_apart(self):
        self.add_test("//a:a", "FAILED", "<testcase/><testcase><failure/>"
                      '</testcase><testcase><error/></testcase>'
                      '<testcase result="skipped"/>'
                      '<testcase result="suppressed"/>')
        self.assertEqual(self.run_tests(3), "1 passed, 2 failed, 2 skipped")

    def test_a_test_that_died_without_a_file_is_one_failure(self):
        self.add_test("//a:a", "TIMEOUT", None)
        self.add_test("//b:b", "FAILED", "<testcase")
        self.assertEqual(self.run_tests(3), "0 passed, 2 failed")

    def test_a_build_that_failed_is_one_failure(self):
        self.assertEqual(self.run_tests(1), "0 passed, 1 failed")

    def test_no_tests_at_all_is_one_failure(self):
        self.assertEqual(self.run_tests(4), "0 passed, 1 failed")


if __name__ == "__main__":
    unittest.main()
