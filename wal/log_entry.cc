#include "shale/wal/log_entry.h"

namespace shale {

absl::string_view LogEntryTypeName(LogEntryType type) {
  switch (type) {
    case LogEntryType::kCells:
      return "cells";
    case LogEntryType::kFlushStart:
      return "flush_start";
    case LogEntryType::kFlushCommit:
      return "flush_commit";
    case LogEntryType::kFlushAbort:
      return "flush_abort";
    case LogEntryType::kCompaction:
      return "compaction";
    case LogEntryType::kRegionOpen:
      return "region_open";
    case LogEntryType::kRegionClose:
      return "region_close";
    case LogEntryType::kBulkLoad:
      return "bulk_load";
    case LogEntryType::kRecovered:
      return "recovered";
    case LogEntryType::kCovering:
      return "covering";
    case LogEntryType::kTrimmed:
      return "trimmed";
  }
  return "unknown";
}

}  // namespace shale
