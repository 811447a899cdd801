#include "shale/filesystem/lock_holders.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/filesystem/testing/temp_directory.h"

namespace shale {
namespace {

using testing::AnyOf;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(LockHoldersTest, HoldersOfThisFileAloneAreNamedOnce) {
  const TempDirectory directory;
  const std::string path = directory.path() + "/lock";
  const int first = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  const int second = open(path.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(first, 0);
  ASSERT_GE(second, 0);
  EXPECT_THAT(LockHolders(first), IsEmpty());
  ASSERT_EQ(flock(first, LOCK_SH), 0);
  ASSERT_EQ(flock(second, LOCK_SH), 0);
  // Nothing is known where the table isn't kept for the disk's file system.
  EXPECT_THAT(LockHolders(first), AnyOf(ElementsAre(getpid()), IsEmpty()));
  close(first);
  EXPECT_THAT(LockHolders(second), AnyOf(ElementsAre(getpid()), IsEmpty()));
  ASSERT_EQ(flock(second, LOCK_UN), 0);
  EXPECT_THAT(LockHolders(second), IsEmpty());
  close(second);
}

}  // namespace
}  // namespace shale
