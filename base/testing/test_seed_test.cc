#include "shale/base/testing/test_seed.h"

#include <cstdlib>

#include "gtest/gtest.h"

namespace shale {
namespace {

class TestSeedTest : public testing::Test {
 protected:
  // These tests are about the variable, so a value from outside must not count.
  TestSeedTest() { unsetenv("SHALE_TEST_SEED"); }
};

TEST_F(TestSeedTest, DefaultComesFromTheTestsName) {
  // FNV-1a of "TestSeedTest.DefaultComesFromTheTestsName".
  EXPECT_EQ(TestSeed(), 0x06b9b683dcac737f);
  EXPECT_EQ(TestSeed(), TestSeed());
}

TEST_F(TestSeedTest, EnvironmentComesFirstAndIsPrinted) {
  setenv("SHALE_TEST_SEED", "18446744073709551615", 1);
  testing::internal::CaptureStdout();
  EXPECT_EQ(TestSeed(), 18446744073709551615u);
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "[     SEED ] TestSeedTest.EnvironmentComesFirstAndIsPrinted: "
            "SHALE_TEST_SEED=18446744073709551615\n");
}

TEST_F(TestSeedTest, AValueThatIsNoNumberAborts) {
  setenv("SHALE_TEST_SEED", "7x", 1);
  EXPECT_DEATH(TestSeed(), "SHALE_TEST_SEED is no number: 7x");
}

}  // namespace
}  // namespace shale
