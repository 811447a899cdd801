#include "shale/tools/console/json_printer.h"

#include <memory>
#include <sstream>
#include <string>

#include "gtest/gtest.h"
#include "shale/base/escape.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/tools/console/printed_value.h"

namespace shale {
namespace {

class JsonPrinterTest : public testing::Test {
 protected:
  void SetUp() override {
    absl::StatusOr<std::unique_ptr<Printer>> printer = NewJsonPrinter(out_);
    if (absl::IsUnimplemented(printer.status())) {
      EXPECT_THAT(printer.status().message(),
                  testing::HasSubstr("nlohmann-json3-dev"));
      GTEST_SKIP() << printer.status();
    }
    ASSERT_OK(printer);
    printer_ = *std::move(printer);
  }

  std::ostringstream out_;
  std::unique_ptr<Printer> printer_;
};

TEST_F(JsonPrinterTest, ARowIsOneObjectWithItsKeysInColumnOrder) {
  printer_->BeginTable({"row", "bytes", "timestamp", "cells", "live"});
  printer_->Row({std::string("0041"), ByteSize{2048}, Moment{1600000000000000},
                 Count{34924}, true});
  printer_->EndTable();
  EXPECT_EQ(out_.str(),
            "{\"row\":\"0041\",\"bytes\":2048,\"timestamp\":1600000000000000,"
            "\"cells\":34924,\"live\":true}\n");
}

TEST_F(JsonPrinterTest, WhatAllRowsShareIsInEveryRow) {
  printer_->BeginTable({"offset"}, {{"segment", std::string("1.wal")}});
  printer_->Row({Count{104}});
  printer_->Row({Count{200}});
  EXPECT_EQ(out_.str(),
            "{\"segment\":\"1.wal\",\"offset\":104}\n"
            "{\"segment\":\"1.wal\",\"offset\":200}\n");
}

TEST_F(JsonPrinterTest, WhatHasNoValueIsLeftOut) {
  printer_->BeginTable({"row", "family"});
  printer_->Row({std::string("a"), PrintedValue()});
  EXPECT_EQ(out_.str(), "{\"row\":\"a\"}\n");
}

TEST_F(JsonPrinterTest, BytesAreEscapedFirstAsOursAndThenAsJson) {
  printer_->Record({{"value", EscapeBytes(std::string("a\0\"\\", 4))}});
  EXPECT_EQ(out_.str(), "{\"value\":\"a\\\\x00\\\"\\\\\\\\\"}\n");
}

TEST_F(JsonPrinterTest, TextThatIsNoUtf8StillMakesAnObject) {
  printer_->Record({{"problem", std::string("\xff")}});
  EXPECT_EQ(out_.str(), "{\"problem\":\"\\ufffd\"}\n");
}

TEST_F(JsonPrinterTest, ASummaryIsItsProperties) {
  printer_->Summary("2 rows", {{"rows", Count{2}}});
  EXPECT_EQ(out_.str(), "{\"rows\":2}\n");
}

TEST_F(JsonPrinterTest, NotesAreNotForPrograms) {
  printer_->Note("2 rows");
  EXPECT_EQ(out_.str(), "");
}

}  // namespace
}  // namespace shale
