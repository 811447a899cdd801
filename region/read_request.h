#ifndef SHALE_REGION_READ_REQUEST_H_
#define SHALE_REGION_READ_REQUEST_H_

#include <cstdint>
#include <string>
#include <vector>

#include "shale/cache/block_cache.h"
#include "shale/cell/timestamp.h"

namespace shale {

// Columns of one family to read.
struct ColumnSelection {
  std::string family;
  // Empty: all columns. Need not be sorted; doubles count once.
  std::vector<std::string> qualifiers;
};

enum class IsolationLevel {
  kReadCommitted,    // Visible writes only: durable as asked for.
  kReadUncommitted,  // Everything in memory, also what may yet be lost.
};

// What is read of each row.
struct ReadOptions {
  // Empty: all families. A family that doesn't exist is NOT_FOUND.
  std::vector<ColumnSelection> columns;
  // Newest versions of each column, at most as many as the family keeps. >= 1.
  int max_versions = 1;
  TimeRange time_range;
  IsolationLevel isolation = IsolationLevel::kReadCommitted;
  CacheFill fill = CacheFill::kFill;
};

// One row to read.
struct Get {
  // Not empty.
  std::string row;
  ReadOptions options;
};

// Rows to read, in ascending order.
struct Scan {
  // Rows from `start_row` to `stop_row`; empty is open.
  std::string start_row;
  bool include_start = true;
  std::string stop_row;
  bool include_stop = false;
  ReadOptions options;
  // Rows in all, and cells in one result (a longer row comes in several, marked
  // partial). 0: no limit.
  int64_t row_limit = 0;
  int64_t batch_cells = 0;
};

}  // namespace shale

#endif  // SHALE_REGION_READ_REQUEST_H_
