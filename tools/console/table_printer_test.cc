#include "shale/tools/console/table_printer.h"

#include <sstream>
#include <string>

#include "gtest/gtest.h"

namespace shale {
namespace {

std::string S(const char* text) { return text; }

TEST(TablePrinterTest, ColumnsAreAsWideAsTheirWidestValue) {
  std::ostringstream out;
  TablePrinter table(out);
  Printer& printer = table;
  printer.BeginTable({"row", "value"});
  printer.Row({S("0041"), S("LATIN CAPITAL LETTER A")});
  printer.Row({S("1F600"), S("GRINNING FACE")});
  printer.EndTable();
  EXPECT_EQ(out.str(),
            "ROW    VALUE\n"
            "0041   LATIN CAPITAL LETTER A\n"
            "1F600  GRINNING FACE\n");
}

TEST(TablePrinterTest, NumbersAlignToTheRight) {
  std::ostringstream out;
  TablePrinter table(out);
  Printer& printer = table;
  printer.BeginTable({"family", "file_bytes", "cells"});
  printer.Row({S("ucd"), ByteSize{1536}, Count{7}});
  printer.Row({S("other"), ByteSize{10}, Count{34924}});
  printer.EndTable();
  EXPECT_EQ(out.str(),
            "FAMILY  FILE BYTES   CELLS\n"
            "ucd        1.5 KiB       7\n"
            "other         10 B  34,924\n");
}

TEST(TablePrinterTest, RowsAfterTheWindowKeepItsWidthsAndComeAtOnce) {
  std::ostringstream out;
  TablePrinter table(out, /*window=*/2);
  Printer& printer = table;
  printer.BeginTable({"row", "value"});
  printer.Row({S("a"), S("1")});
  EXPECT_EQ(out.str(), "");
  printer.Row({S("b"), S("2")});
  printer.Row({S("a longer row"), S("3")});
  EXPECT_EQ(out.str(),
            "ROW  VALUE\n"
            "a    1\n"
            "b    2\n"
            "a longer row  3\n");
}

TEST(TablePrinterTest, WhatAllRowsShareIsPrintedOnceAboveThem) {
  std::ostringstream out;
  TablePrinter table(out);
  Printer& printer = table;
  printer.BeginTable({"offset"}, {{"segment", S("1.wal")}});
  printer.Row({Count{104}});
  printer.Row({Count{2000}});
  printer.EndTable();
  EXPECT_EQ(out.str(),
            "segment  1.wal\n"
            "OFFSET\n"
            "   104\n"
            " 2,000\n");
}

TEST(TablePrinterTest, ATableWithoutRowsPrintsNothing) {
  std::ostringstream out;
  TablePrinter table(out);
  Printer& printer = table;
  printer.BeginTable({"row"});
  printer.EndTable();
  EXPECT_EQ(out.str(), "");
}

TEST(TablePrinterTest, ARecordIsOnePropertyALineAndASummaryOneSentence) {
  std::ostringstream out;
  TablePrinter table(out);
  Printer& printer = table;
  printer.Record({{"region", S("ucd")}, {"read_point", Count{34925}}});
  printer.Summary("all done", {{"rows", Count{1}}});
  printer.Note("bye");
  EXPECT_EQ(out.str(),
            "region      ucd\n"
            "read point  34,925\n"
            "all done\n"
            "bye\n");
}

}  // namespace
}  // namespace shale
