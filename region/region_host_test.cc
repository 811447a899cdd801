#include "shale/region/region_host.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/log_sink.h"
#include "shale/base/metrics.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/filesystem/testing/faulty_file_system.h"
#include "shale/region/region.h"
#include "shale/region/testing/test_host.h"

namespace shale {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A machine in memory, on which hosts are opened. It counts what they do to its
// files and can crash.
class RegionHostTest : public testing::Test {
 protected:
  RegionHostTest()
      : executor_(2, RealClock()),
        background_(1, RealClock()),
        readers_(1, RealClock()),
        memory_(executor_),
        files_(memory_, executor_) {}

  absl::StatusOr<std::unique_ptr<RegionHost>> Open(HostOptions options = {}) {
    const HostEnvironment environment{
        files_, RealClock(), executor_, background_, readers_, metrics_, log_};
    return RegionHost::Open(environment, options);
  }

  static HostOptions ReadOnly() {
    HostOptions options;
    options.read_only = true;
    return options;
  }

  static RegionSchema Schema(absl::string_view name) {
    RegionSchema schema = TestHost::Schema();
    schema.name = std::string(name);
    return schema;
  }

  // How many calls so far changed a file or object, or tried to.
  uint64_t Changes() {
    uint64_t changes = 0;
    for (const FileOp op :
         {FileOp::kCreate, FileOp::kRemove, FileOp::kClone, FileOp::kCommitMeta,
          FileOp::kSeal, FileOp::kAppend, FileOp::kSync, FileOp::kFinish}) {
      changes += files_.faults().calls(op);
    }
    return changes;
  }

  ThreadPoolExecutor executor_;
  ThreadPoolExecutor background_;
  ThreadPoolExecutor readers_;
  MemoryFileSystem memory_;
  FaultyFileSystem files_;
  MetricsRegistry metrics_;
  NullLogSink log_;
};

absl::Status Put(Region& region, absl::string_view row,
                 absl::string_view value) {
  return region.Apply(RowMutation(row).Put("f", "q", value, 1));
}

TEST_F(RegionHostTest, RegionsOfOneLogKeepTheirWritesApart) {
  {
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<RegionHost> host, Open());
    std::vector<std::unique_ptr<Region>> regions;
    for (const char* name : {"a", "b", "c"}) {
      ASSERT_OK(host->CreateRegion(Schema(name)));
      ASSERT_OK_AND_ASSIGN(regions.emplace_back(), host->OpenRegion(name));
    }
    for (int i = 0; i < 9; ++i) {
      ASSERT_OK(Put(*regions[i % 3], absl::StrCat(i), "v"));
    }
    ASSERT_OK(regions[1]->Flush().status());
    // What follows the flush of b is in the log alone, like all of a and c.
    ASSERT_OK(Put(*regions[1], "9", "v"));
    memory_.Crash(1);
  }
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<RegionHost> host, Open());
  EXPECT_THAT(host->RegionNames(), ElementsAre("a", "b", "c"));
  const char* const want[] = {"0/f:q@1=v\n3/f:q@1=v\n6/f:q@1=v\n",
                              "1/f:q@1=v\n4/f:q@1=v\n7/f:q@1=v\n9/f:q@1=v\n",
                              "2/f:q@1=v\n5/f:q@1=v\n8/f:q@1=v\n"};
  for (int i = 0; i < 3; ++i) {
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Region> region,
                         host->OpenRegion(host->RegionNames()[i]));
    EXPECT_EQ(ScanText(*region), want[i]);
  }
}

TEST_F(RegionHostTest, UnopenedRegionKeepsItsLogEntriesAcrossOpens) {
  {
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<RegionHost> host, Open());
    ASSERT_OK(host->CreateRegion(Schema("busy")));
    ASSERT_OK(host->CreateRegion(Schema("idle")));
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Region> idle,
                         host->OpenRegion("idle"));
    ASSERT_OK(Put(*idle, "a", "v"));
    memory_.Crash(1);
  }
  for (int life = 0; life < 3; ++life) {
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<RegionHost> host, Open());
    ASSERT_OK_AND_ASSIGN(std::unique_ptr<Region> busy,
                         host->OpenRegion("busy"));
    ASSERT_OK(Put(*busy, absl::StrCat(life), "v"));
    ASSERT_OK(busy->Flush().status());
    if (life == 1) {
      memory_.Crash(2);
      continue;
    }
    ASSERT_OK(busy->Close());
    busy.reset();
    ASSERT_OK(host->Close());
  }
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<RegionHost> host, Open());
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Region> idle,
                       host->OpenRegion("idle"));
  EXPECT_EQ(ScanText(*idle), "a/f:q@1=v\n");
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Region> busy,
                       host->OpenRegion("busy"));
  EXPECT_EQ(ScanText(*busy), "0/f:q@1=v\n1/f:q@1=v\n2/f:q@1=v\n");
}

TEST_F(RegionHostTest, IdleRegionIsFlushedBeforeItPinsTooMuchOfTheLog) {
  constexpr int kMaxSegments = 4;
  HostOptions options;
  options.wal.segment_bytes = 64 << 10;
  options.wal.max_segments = kMaxSegments;
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<RegionHost> host, Open(options));
  std::vector<std::unique_ptr<Region>> regions;
  for (const char* name : {"busy", "idle"}) {
    ASSERT_OK(host->CreateRegion(Schema(name)));
    ASSERT_OK_AND_ASSIGN(regions.emplace_back(), host->OpenRegion(name));
  }
  ASSERT_OK(Put(*regions[1], "a", "v"));
  const Gauge& segments =
      metrics_.GetGauge("shale_wal_segments", "", {{"log", "host/wal"}});
  const absl::Time limit = absl::Now() + absl::Seconds(30);
  for (int i = 0; i < 10 * kMaxSegments; ++i) {
    ASSERT_OK(Put(*regions[0], absl::StrCat(i), std::string(64 << 10, 'v')));
    // Flushes are in the background; at most one write comes in between.
    while (segments.value() > kMaxSegments + 2) {
      ASSERT_OK(Put(*regions[0], "small", "v"));
      ASSERT_LT(absl::Now(), limit) << segments.value() << " segments";
    }
  }
  EXPECT_EQ(regions[1]->Stats().families[0].files, 1);
  EXPECT_EQ(ReadText(*regions[1], "a"), "a/f:q@1=v");
}

TEST_F(RegionHostTest, ClosedRegionOpensAgainInTheSameHost) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<RegionHost> host, Open());
  ASSERT_OK(host->CreateRegion(Schema("r")));
  std::string want;
  for (int i = 0; i < 4; ++i) {
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Region> region,
                         host->OpenRegion("r"));
    EXPECT_EQ(ScanText(*region), want);
    ASSERT_OK(Put(*region, absl::StrCat(i), "v"));
    absl::StrAppend(&want, i, "/f:q@1=v\n");
    if (i % 2 == 0) {
      ASSERT_OK(region->Close());
    }
  }
}

TEST_F(RegionHostTest, RegionClosedInFailureNeedsTheHostOpenedAgain) {
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<RegionHost> host, Open());
  ASSERT_OK(host->CreateRegion(Schema("r")));
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<Region> region, host->OpenRegion("r"));
  ASSERT_OK(Put(*region, "a", "v"));
  files_.faults().Inject({.name = "*.store",
                          .times = FaultRule::kAlways,
                          .fault = {.outcome = FileOutcome::kNoSpace}});
  EXPECT_THAT(region->Close(), StatusIs(absl::StatusCode::kResourceExhausted));
  region.reset();
  EXPECT_THAT(host->OpenRegion("r"),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("in the log alone")));
  files_.faults().WithdrawAll();
  host.reset();
  ASSERT_OK_AND_ASSIGN(host, Open());
  ASSERT_OK_AND_ASSIGN(region, host->OpenRegion("r"));
  EXPECT_EQ(ScanText(*region), "a/f:q@1=v\n");
}

TEST_F(RegionHostTest, SecondOpenerIsToldWhoTheOwnerIs) {
  HostOptions options;
  options.owner = "shale import, pid 4711";
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<RegionHost> host, Open(options));
  const auto refused = StatusIs(absl::StatusCode::kFailedPrecondition,
                                HasSubstr("shale import, pid 4711"));
  const uint64_t changes = Changes();
  EXPECT_THAT(Open(), refused);
  EXPECT_THAT(Open(ReadOnly()), refused);
  EXPECT_EQ(Changes(), changes);
  ASSERT_OK(host->CreateRegion(Schema("r")));  // The owner isn't disturbed.
  host.reset();
  EXPECT_OK(Open());
}

TEST_F(RegionHostTest, OwnerThatLostItsLeaseWritesNothingMore) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<RegionHost> fenced, Open());
  ASSERT_OK(fenced->CreateRegion(Schema("r")));
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Region> old,
                       fenced->OpenRegion("r"));
  ASSERT_OK(Put(*old, "a", "v"));
  memory_.ExpireLease("host");
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<RegionHost> host, Open());
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Region> region,
                       host->OpenRegion("r"));
  EXPECT_EQ(ScanText(*region), "a/f:q@1=v\n");
  EXPECT_THAT(Put(*old, "b", "lost"), StatusIs(absl::StatusCode::kUnknown));
  const RegionHealth health = old->Health();
  EXPECT_EQ(health.state, HealthState::kPoisoned);
  EXPECT_THAT(health.cause,
              StatusIs(absl::StatusCode::kAborted, HasSubstr("of \"host\"")));
  const auto refused = StatusIs(absl::StatusCode::kFailedPrecondition,
                                HasSubstr(std::string(health.cause.message())));
  EXPECT_THAT(Put(*old, "b", "refused"), refused);
  EXPECT_THAT(old->Flush(), refused);
  EXPECT_EQ(ScanText(*old), "a/f:q@1=v\n");
  ASSERT_OK(Put(*region, "c", "v"));
  EXPECT_EQ(ScanText(*region), "a/f:q@1=v\nc/f:q@1=v\n");
}

TEST_F(RegionHostTest, ReadOnlyHostSeesEverythingAndChangesNothing) {
  WriteNumber flushed;
  {
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<RegionHost> host, Open());
    ASSERT_OK(host->CreateRegion(Schema("r")));
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Region> region,
                         host->OpenRegion("r"));
    ASSERT_OK(Put(*region, "a", "in a file"));
    ASSERT_OK(region->Flush().status());
    flushed = region->Stats().flushed;
    EXPECT_GT(flushed, kNoWriteNumber);
    ASSERT_OK(Put(*region, "b", "in the log"));
    memory_.Crash(1);
  }
  const std::string want = "a/f:q@1=in a file\nb/f:q@1=in the log\n";
  const uint64_t changes = Changes();
  for (int i = 0; i < 2; ++i) {
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<RegionHost> host,
                         Open(ReadOnly()));
    EXPECT_THAT(host->CreateRegion(Schema("s")),
                StatusIs(absl::StatusCode::kFailedPrecondition));
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Region> region,
                         host->OpenRegion("r"));
    EXPECT_EQ(ScanText(*region), want);
    EXPECT_OK(region->Verify({}));
    EXPECT_EQ(region->Stats().flushed, flushed);
    const auto refused = StatusIs(absl::StatusCode::kFailedPrecondition,
                                  HasSubstr("inspection only"));
    EXPECT_THAT(Put(*region, "c", "v"), refused);
    EXPECT_THAT(region->Flush(), refused);
    EXPECT_THAT(region->Compact(), refused);
    EXPECT_OK(region->Close());
  }
  EXPECT_EQ(Changes(), changes);
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<RegionHost> host, Open());
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Region> region,
                       host->OpenRegion("r"));
  EXPECT_EQ(ScanText(*region), want);
}

TEST_F(RegionHostTest, ReadersShareADirectoryAndKeepOwnersOut) {
  ASSERT_OK(Open());
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<RegionHost> first, Open(ReadOnly()));
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<RegionHost> second, Open(ReadOnly()));
  first.reset();
  EXPECT_THAT(Open(), StatusIs(absl::StatusCode::kFailedPrecondition,
                               HasSubstr("host")));
  second.reset();
  EXPECT_OK(Open());
}

TEST_F(RegionHostTest, HostThatIsNotThereIsNotMadeUnasked) {
  HostOptions options;
  options.create_if_missing = false;
  EXPECT_THAT(Open(options),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("no catalog")));
  EXPECT_THAT(Open(ReadOnly()),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("no catalog")));
  EXPECT_EQ(Changes(), 0u);
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<RegionHost> host, Open());
  EXPECT_THAT(host->RegionNames(), IsEmpty());
}

TEST_F(RegionHostTest, RegionsAreOpenedByNameAndOnce) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<RegionHost> host, Open());
  EXPECT_THAT(host->OpenRegion("r"),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("r")));
  ASSERT_OK(host->CreateRegion(Schema("r")));
  EXPECT_THAT(
      host->CreateRegion(Schema("r")),
      StatusIs(absl::StatusCode::kAlreadyExists, HasSubstr("region r")));
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Region> region,
                       host->OpenRegion("r"));
  EXPECT_THAT(host->OpenRegion("r"),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("open already")));
  RegionOptions bad;
  bad.flush_bytes = 1;
  EXPECT_THAT(
      host->OpenRegion("r", bad),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("flush_bytes")));
}

TEST_F(RegionHostTest, BadSchemaIsRefusedForWhatIsWrongAndLeavesNothing) {
  struct Case {
    void (*spoil)(RegionSchema& schema);
    const char* complaint;
  };
  const Case cases[] = {
      {[](RegionSchema& s) { s.name = ""; }, "name is empty"},
      {[](RegionSchema& s) { s.name = "a b"; }, "isn't printable"},
      {[](RegionSchema& s) { s.name = std::string(256, 'r'); }, "256 bytes"},
      {[](RegionSchema& s) { s.families.clear(); }, "no column family"},
      {[](RegionSchema& s) { s.families[1].name = "f"; }, "there twice"},
      {[](RegionSchema& s) { s.families[0].name = ""; }, "name is empty"},
      {[](RegionSchema& s) { s.families[0].name = "a:b"; }, "':'"},
      {[](RegionSchema& s) { s.families[0].name = std::string(128, 'f'); },
       "128 bytes"},
      {[](RegionSchema& s) { s.families[0].retention.max_versions = 0; },
       "max_versions"},
      {[](RegionSchema& s) { s.families[0].retention.min_versions = 2; },
       "min_versions"},
      {[](RegionSchema& s) {
         s.families[0].retention.ttl = absl::ZeroDuration();
       },
       "ttl"},
      {[](RegionSchema& s) { s.families[0].block_bytes = 0; }, "block_bytes"},
      {[](RegionSchema& s) { s.start_row = s.end_row = "a"; },
       "not before end row"},
  };
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<RegionHost> host, Open());
  const uint64_t changes = Changes();
  for (const Case& c : cases) {
    RegionSchema schema = Schema("r");
    c.spoil(schema);
    EXPECT_THAT(
        host->CreateRegion(schema),
        StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(c.complaint)));
  }
  EXPECT_EQ(Changes(), changes);
  EXPECT_THAT(host->RegionNames(), IsEmpty());
}

}  // namespace
}  // namespace shale
