#ifndef SHALE_TOOLS_CONSOLE_TABLE_PRINTER_H_
#define SHALE_TOOLS_CONSOLE_TABLE_PRINTER_H_

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "shale/tools/console/printed_value.h"
#include "shale/tools/console/printer.h"

namespace shale {

// Tables for eyes. A column is as wide as its widest value among the first
// `window` rows, which are held back; later rows are printed as they come, and
// a longer value pushes the rest of its line to the right.
class TablePrinter final : public Printer {
 public:
  // `out` outlives the printer.
  explicit TablePrinter(std::ostream& out, size_t window = 500)
      : out_(out), window_(window) {}
  // Ends the table, if one is open.
  ~TablePrinter() override { EndTable(); }

  void BeginTable(std::vector<std::string> columns,
                  std::vector<NamedValue> common) override;
  void Row(std::vector<PrintedValue> values) override;
  void EndTable() override;
  void Record(const std::vector<NamedValue>& properties) override;
  void Summary(absl::string_view sentence,
               const std::vector<NamedValue>& properties) override;
  void Note(absl::string_view text) override;

 private:
  // Settles the columns' widths and prints the header and the rows held back.
  void PrintHeld();
  void PrintLine(const std::vector<std::string>& texts);

  std::ostream& out_;
  const size_t window_;
  std::vector<NamedValue> common_;
  std::vector<std::string> header_;
  std::vector<size_t> widths_;
  std::vector<bool> right_aligned_;
  std::vector<std::vector<PrintedValue>> held_;
  bool holding_ = false;
};

}  // namespace shale

#endif  // SHALE_TOOLS_CONSOLE_TABLE_PRINTER_H_
