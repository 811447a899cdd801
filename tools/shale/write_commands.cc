#include "shale/tools/shale/write_commands.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "shale/base/escape.h"
#include "shale/base/status_macros.h"
#include "shale/region/batch_checks.h"
#include "shale/region/column_family.h"
#include "shale/region/mutation_batch.h"
#include "shale/region/region.h"
#include "shale/region/region_options.h"
#include "shale/region/row_mutation.h"
#include "shale/tools/shale/column_spec.h"
#include "shale/tools/shale/flags.h"
#include "shale/tools/shale/store.h"

namespace shale {
namespace {

// A write of one row, and what is printed of it.
struct Write {
  StoreName store;
  absl::string_view command;
  RowMutation mutation;
  std::optional<ColumnName> column;  // None: the row.
  Timestamp timestamp = kLatestTimestamp;
  Durability durability = Durability::kDefault;
};

absl::Status Run(const Write& write, const Console& console, Printer& printer) {
  std::vector<std::string> families;
  if (write.column.has_value()) families.push_back(write.column->family);
  // What the region would refuse is refused before it is opened to be written.
  SHALE_ASSIGN_OR_RETURN(const RegionSchema schema,
                         FindRegion(write.store, console));
  SHALE_RETURN_IF_ERROR(CheckFamilies(schema, families));
  SHALE_RETURN_IF_ERROR(CheckMutation(schema, RegionOptions(), write.mutation,
                                      absl::ToUnixMicros(console.clock.Now())));
  SHALE_ASSIGN_OR_RETURN(
      const std::unique_ptr<Store> store,
      Store::Open(write.store, Access::kWrite, write.command, console));
  MutationBatch batch;
  batch.mutations.push_back(write.mutation);
  batch.durability = write.durability;
  const ApplyResult result = store->region().Apply(std::move(batch));
  SHALE_RETURN_IF_ERROR(result.status());
  SHALE_RETURN_IF_ERROR(store->Close());
  const Timestamp at = write.timestamp == kLatestTimestamp
                           ? result.commit_timestamp
                           : write.timestamp;
  PrintedValue column;
  if (write.column.has_value()) column = ColumnText(*write.column);
  printer.BeginTable({"row", "column", "timestamp"});
  printer.Row({EscapeBytes(write.mutation.row()), column, Moment{at}});
  printer.EndTable();
  return absl::OkStatus();
}

absl::StatusOr<Action> PreparePut(absl::Span<const std::string> arguments) {
  SHALE_ASSIGN_OR_RETURN(StoreName name, StoreNameFromFlags());
  SHALE_ASSIGN_OR_RETURN(const std::string row, UnescapeBytes(arguments[0]));
  SHALE_ASSIGN_OR_RETURN(ColumnName column, ParseWholeColumnName(arguments[1]));
  SHALE_ASSIGN_OR_RETURN(const std::string value, UnescapeBytes(arguments[2]));
  SHALE_ASSIGN_OR_RETURN(const Timestamp timestamp, TimestampFromFlags());
  SHALE_ASSIGN_OR_RETURN(const Durability durability, DurabilityFromFlags());
  RowMutation mutation(row);
  mutation.Put(column.family, *column.qualifier, value, timestamp);
  return [write = Write{std::move(name), "put", std::move(mutation),
                        std::move(column), timestamp, durability}](
             Console& console, Printer& printer) {
    return Run(write, console, printer);
  };
}

absl::StatusOr<RowMutation> DeletionOf(absl::string_view row,
                                       const std::optional<ColumnName>& column,
                                       Timestamp timestamp, bool exact) {
  if (exact && timestamp == kLatestTimestamp) {
    return absl::InvalidArgumentError("--exact needs a --timestamp");
  }
  RowMutation mutation(row);
  if (!column.has_value()) {
    if (exact) {
      return absl::InvalidArgumentError("--exact needs a family or a column");
    }
    return mutation.DeleteRow(timestamp);
  }
  const std::string& family = column->family;
  if (!column->qualifier.has_value()) {
    return exact ? mutation.DeleteFamilyVersion(family, timestamp)
                 : mutation.DeleteFamily(family, timestamp);
  }
  return exact ? mutation.DeleteVersion(family, *column->qualifier, timestamp)
               : mutation.DeleteColumn(family, *column->qualifier, timestamp);
}

absl::StatusOr<Action> PrepareDelete(absl::Span<const std::string> arguments) {
  SHALE_ASSIGN_OR_RETURN(StoreName name, StoreNameFromFlags());
  SHALE_ASSIGN_OR_RETURN(const std::string row, UnescapeBytes(arguments[0]));
  std::optional<ColumnName> column;
  if (arguments.size() > 1) {
    SHALE_ASSIGN_OR_RETURN(column, ParseColumnName(arguments[1]));
  }
  SHALE_ASSIGN_OR_RETURN(const Timestamp timestamp, TimestampFromFlags());
  SHALE_ASSIGN_OR_RETURN(const Durability durability, DurabilityFromFlags());
  SHALE_ASSIGN_OR_RETURN(RowMutation mutation,
                         DeletionOf(row, column, timestamp, FLAGS_exact));
  return [write = Write{std::move(name), "delete", std::move(mutation),
                        std::move(column), timestamp, durability}](
             Console& console, Printer& printer) {
    return Run(write, console, printer);
  };
}

}  // namespace

Command PutCommand() {
  return {.name = "put",
          .group = CommandGroup::kWrite,
          .arguments = "ROW FAMILY:QUALIFIER VALUE",
          .min_arguments = 3,
          .max_arguments = 3,
          .summary = "Write one cell",
          .details =
              "Bytes that are not printable are written \\x00. A column with "
              "an empty\nqualifier is written with its colon: ucd:",
          .examples = {"put 0041 ucd:note 'first letter' --dir=/tmp/ucd",
                       "put 'key\\x00' ucd:bin '\\xff' --dir=/tmp/ucd "
                       "--timestamp=5"},
          .flags = {"dir", "region", "timestamp", "durability"},
          .prepare = PreparePut};
}

Command DeleteCommand() {
  return {.name = "delete",
          .group = CommandGroup::kWrite,
          .arguments = "ROW [FAMILY[:QUALIFIER]]",
          .min_arguments = 1,
          .max_arguments = 2,
          .summary = "Delete a row, a family of it or a column of it",
          .details =
              "Deletes all versions up to now, or up to --timestamp.\n"
              "What isn't there can be deleted too.",
          .examples = {"delete 0041 --dir=/tmp/ucd",
                       "delete 0041 ucd:note --dir=/tmp/ucd --timestamp=5 "
                       "--exact"},
          .flags = {"dir", "region", "timestamp", "exact", "durability"},
          .prepare = PrepareDelete};
}

}  // namespace shale
