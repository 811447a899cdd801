#include "shale/base/testing/test_seed.h"

#include <cstdio>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "shale/base/testing/env_number.h"

namespace shale {
namespace {

std::string CurrentTestName() {
  const testing::TestInfo* test =
      testing::UnitTest::GetInstance()->current_test_info();
  if (test == nullptr) return "(no test)";
  return absl::StrCat(test->test_suite_name(), ".", test->name());
}

// FNV-1a: the same on every platform, which absl::Hash is not.
uint64_t HashOf(absl::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) {
    hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
  }
  return hash;
}

}  // namespace

uint64_t TestSeed() {
  const std::string name = CurrentTestName();
  const uint64_t seed = EnvNumber("SHALE_TEST_SEED", HashOf(name));
  std::printf("[     SEED ] %s: SHALE_TEST_SEED=%llu\n", name.c_str(),
              static_cast<unsigned long long>(seed));
  std::fflush(stdout);  // Before a crash can swallow it.
  return seed;
}

}  // namespace shale
