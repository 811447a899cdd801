#include "shale/tools/benchmark/list_flag.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/status_matchers.h"

namespace shale {
namespace {

using testing::ElementsAre;

const std::vector<std::string> kKnown = {"off", "tick", "monotonic"};

TEST(ListFlagTest, NamesComeInTheOrderGivenAndNoneStandsForAll) {
  EXPECT_THAT(*ParseNames("sequencer", "tick,off", kKnown),
              ElementsAre("tick", "off"));
  EXPECT_EQ(*ParseNames("sequencer", "", kKnown), kKnown);
}

TEST(ListFlagTest, AnUnknownNameIsNamedBesideThoseThatThereAre) {
  EXPECT_EQ(ParseNames("sequencer", "tick,of", kKnown).status().message(),
            "--sequencer: \"of\" is none of off, tick, monotonic");
  EXPECT_EQ(ParseNames("sequencer", "off,off", kKnown).status().message(),
            "--sequencer: off is there twice");
}

TEST(ListFlagTest, NumbersKeepToTheirRange) {
  EXPECT_THAT(*ParseNumbers("sweep", "1,96,2", 1, 96), ElementsAre(1, 96, 2));
  EXPECT_EQ(ParseNumbers("sweep", "1,97", 1, 96).status().message(),
            "--sweep: 97 is not in [1, 96]");
  EXPECT_EQ(ParseNumbers("sweep", "1,x", 1, 96).status().message(),
            "--sweep: \"x\" is no number");
  EXPECT_EQ(ParseNumbers("sweep", "4,4", 1, 96).status().message(),
            "--sweep: 4 is there twice");
  EXPECT_EQ(ParseNumbers("sweep", "", 1, 96).status().message(),
            "--sweep: \"\" is no number");
}

}  // namespace
}  // namespace shale
