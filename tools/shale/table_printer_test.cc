#include "shale/tools/shale/table_printer.h"

#include <sstream>
#include <string>

#include "gtest/gtest.h"

namespace shale {
namespace {

std::string S(const char* text) { return text; }

TEST(TablePrinterTest, ColumnsAreAsWideAsTheirWidestValue) {
  std::ostringstream out;
  TablePrinter printer(out);
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
  TablePrinter printer(out);
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
  TablePrinter printer(out, /*window=*/2);
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

TEST(TablePrinterTest, ATableWithoutRowsPrintsNothing) {
  std::ostringstream out;
  TablePrinter printer(out);
  printer.BeginTable({"row"});
  printer.EndTable();
  EXPECT_EQ(out.str(), "");
}

TEST(TablePrinterTest, ARecordIsOnePropertyALine) {
  std::ostringstream out;
  TablePrinter printer(out);
  printer.Record({{"region", S("ucd")}, {"read_point", Count{34925}}});
  printer.Note("done");
  EXPECT_EQ(out.str(),
            "region      ucd\n"
            "read point  34,925\n"
            "done\n");
}

}  // namespace
}  // namespace shale
