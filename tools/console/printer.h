#ifndef SHALE_TOOLS_CONSOLE_PRINTER_H_
#define SHALE_TOOLS_CONSOLE_PRINTER_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "shale/tools/console/printed_value.h"

namespace shale {

struct NamedValue {
  std::string name;  // snake_case.
  PrintedValue value;
};

// Where a command's results go, in the form the user asked for: tables for eyes
// or one JSON object a line. Both forms come out of the same calls. Not
// thread-safe.
class Printer {
 public:
  virtual ~Printer() = default;

  // A table, and after it any number of rows with one value for each column.
  // Columns are named in snake_case. What all rows have in `common` people see
  // once, above the table, and programs in every row.
  virtual void BeginTable(std::vector<std::string> columns,
                          std::vector<NamedValue> common = {}) = 0;
  virtual void Row(std::vector<PrintedValue> values) = 0;
  virtual void EndTable() = 0;

  // One thing and its properties.
  virtual void Record(const std::vector<NamedValue>& properties) = 0;

  // The outcome: a sentence for people, its properties for programs.
  virtual void Summary(absl::string_view sentence,
                       const std::vector<NamedValue>& properties) = 0;

  // A line for people; programs don't get it.
  virtual void Note(absl::string_view text) = 0;
};

}  // namespace shale

#endif  // SHALE_TOOLS_CONSOLE_PRINTER_H_
