#include "shale/storefile/store_file_writer.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "shale/base/escape.h"
#include "shale/base/status_macros.h"
#include "shale/cache/block_cache.h"
#include "shale/cell/cell_key.h"
#include "shale/cell/wall_timestamp.h"
#include "shale/storefile/block_builder.h"
#include "shale/storefile/block_format.h"
#include "shale/storefile/block_writer.h"
#include "shale/storefile/bloom_builder.h"
#include "shale/storefile/compression_codec.h"
#include "shale/storefile/file_frame.h"
#include "shale/storefile/file_info_codec.h"
#include "shale/storefile/index_builder.h"
#include "shale/storefile/separator.h"

namespace shale {
namespace {

constexpr size_t kMaxBlockBytes = 16 << 20;
constexpr int kMaxRestartInterval = 1 << 16;
// A data block ends after at most kMaxBlockBytes and one cell, except with
// cells of equal keys.
constexpr size_t kMaxCellBytes = 64 << 20;

absl::Status InRange(absl::string_view name, uint64_t value, uint64_t min,
                     uint64_t max) {
  if (value >= min && value <= max) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(name, " ", value, ", want ", min, " to ", max));
}

absl::Status CheckOptions(const StoreFileWriterOptions& options) {
  SHALE_RETURN_IF_ERROR(InRange("length of the family name",
                                options.family.size(), 0, kMaxFamilyBytes));
  SHALE_RETURN_IF_ERROR(
      InRange("block_bytes", options.block_bytes, 1, kMaxBlockBytes));
  SHALE_RETURN_IF_ERROR(InRange("index_block_bytes", options.index_block_bytes,
                                1, kMaxBlockBytes));
  SHALE_RETURN_IF_ERROR(InRange("restart_interval", options.restart_interval, 1,
                                kMaxRestartInterval));
  if (!(options.bloom_error_rate > 0 && options.bloom_error_rate <= 0.5)) {
    return absl::InvalidArgumentError(
        absl::StrCat("bloom_error_rate ", options.bloom_error_rate,
                     ", want above 0 and at most 0.5"));
  }
  return CheckAvailable(options.compression);
}

class StoreFileWriterImpl final : public StoreFileWriter {
 public:
  StoreFileWriterImpl(std::unique_ptr<AppendFile> file,
                      const StoreFileWriterOptions& options, Clock& clock)
      : options_(options),
        clock_(clock),
        blocks_(std::move(file), options.compression),
        data_(options.restart_interval),
        index_(options.index_block_bytes, blocks_),
        bloom_(options.bloom, options.bloom_error_rate,
               options.index_block_bytes, blocks_) {
    info_.family = options.family;
    info_.compression = options.compression;
    info_.bloom = options.bloom;
    info_.includes_oldest = options.includes_oldest;
  }

  ~StoreFileWriterImpl() override {
    if (!done_) blocks_.Abandon();
  }

  absl::Status Begin() { return blocks_.WriteBytes(EncodeFileHeader()); }

  absl::Status Add(const CellView& cell) override {
    SHALE_RETURN_IF_ERROR(status_);
    SHALE_RETURN_IF_ERROR(EncodeAndCheck(cell));
    status_ = AddChecked(cell);
    return status_;
  }

  absl::StatusOr<StoreFileInfo> Finish() override {
    SHALE_RETURN_IF_ERROR(status_);
    status_ = WriteRest();
    SHALE_RETURN_IF_ERROR(status_);
    done_ = true;
    status_ = absl::FailedPreconditionError("the store file is finished");
    return info_;
  }

  void Abandon() override {
    if (done_) return;
    done_ = true;
    status_ = absl::FailedPreconditionError("the store file was abandoned");
    blocks_.Abandon();
  }

 private:
  // Puts the cell's key into key_.
  absl::Status EncodeAndCheck(const CellView& cell);
  // Adds a cell whose key is key_.
  absl::Status AddChecked(const CellView& cell);
  absl::Status EndDataBlock();
  // All that comes after the cells.
  absl::Status WriteRest();

  const StoreFileWriterOptions options_;
  Clock& clock_;
  BlockWriter blocks_;
  BlockBuilder data_;
  // Of the data block being filled.
  std::string separator_;
  IndexBuilder index_;
  BloomBuilder bloom_;
  StoreFileInfo info_;
  // Of the cell being added and of the one before; empty if there is none.
  std::string key_;
  std::string last_key_;
  // What Add and Finish return, if not OK.
  absl::Status status_;
  bool done_ = false;
};

absl::Status StoreFileWriterImpl::EncodeAndCheck(const CellView& cell) {
  const size_t bytes = cell.row.size() + cell.qualifier.size() +
                       cell.value.size() + cell.tags.size();
  CellView parsed;
  key_.clear();
  if (cell.row.size() <= kMaxRowBytes && bytes <= kMaxCellBytes) {
    AppendCellKey(cell, &key_);
  }
  if (!ParseCellKey(key_, &parsed)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "cell out of limits: row of ", cell.row.size(), " bytes, qualifier of ",
        cell.qualifier.size(), ", value of ", cell.value.size(), ", tags of ",
        cell.tags.size(), ", timestamp ", cell.timestamp, ", kind ",
        static_cast<int>(cell.kind)));
  }
  if (!cell.family.empty() && cell.family != options_.family) {
    return absl::InvalidArgumentError(
        absl::StrCat("cell of family ", EscapeBytes(cell.family), ", want ",
                     EscapeBytes(options_.family)));
  }
  if (!last_key_.empty() && CompareCellKeys(key_, last_key_) < 0) {
    CellView last;
    ParseCellKey(last_key_, &last);
    return absl::InvalidArgumentError(absl::StrCat("cell ", DebugString(parsed),
                                                   " out of order, after ",
                                                   DebugString(last)));
  }
  if (data_.raw_bytes() + bytes > kMaxRawBlockBytes / 2 && key_ == last_key_) {
    return absl::InvalidArgumentError(
        absl::StrCat("too many large cells with key ", DebugString(parsed)));
  }
  return absl::OkStatus();
}

absl::Status StoreFileWriterImpl::AddChecked(const CellView& cell) {
  // Equal keys stay together, as no separator could stand between them.
  if (data_.raw_bytes() >= options_.block_bytes && !data_.empty() &&
      key_ != last_key_) {
    SHALE_RETURN_IF_ERROR(EndDataBlock());
  }
  if (data_.empty()) separator_ = ShortestSeparator(last_key_, key_);
  SHALE_RETURN_IF_ERROR(bloom_.Add(last_key_, key_));
  data_.Add(key_, cell.value, cell.tags);
  AddCellToInfo(cell, &info_);
  std::swap(key_, last_key_);
  return absl::OkStatus();
}

absl::Status StoreFileWriterImpl::EndDataBlock() {
  SHALE_ASSIGN_OR_RETURN(const BlockHandle block,
                         blocks_.Write(BlockKind::kData, data_.Finish()));
  ++info_.data_blocks;
  return index_.Add(separator_, block);
}

absl::Status StoreFileWriterImpl::WriteRest() {
  if (!data_.empty()) SHALE_RETURN_IF_ERROR(EndDataBlock());
  SHALE_RETURN_IF_ERROR(index_.FinishLowerLevels());
  SHALE_RETURN_IF_ERROR(bloom_.FinishLowerLevels());
  FileFooter footer;
  SHALE_ASSIGN_OR_RETURN(footer.index, index_.FinishRoot());
  SHALE_ASSIGN_OR_RETURN(footer.bloom, bloom_.FinishRoot());
  info_.created_at = WallTimestamp(clock_);
  SHALE_ASSIGN_OR_RETURN(
      footer.info, blocks_.Write(BlockKind::kMeta, EncodeStoreFileInfo(info_)));
  footer.file_bytes = blocks_.offset() + kFileFooterBytes;
  info_.file_bytes = footer.file_bytes;
  SHALE_RETURN_IF_ERROR(blocks_.WriteBytes(EncodeFileFooter(footer)));
  return blocks_.Finish();
}

}  // namespace

absl::StatusOr<std::unique_ptr<StoreFileWriter>> NewStoreFileWriter(
    std::unique_ptr<AppendFile> file, const StoreFileWriterOptions& options,
    Clock& clock) {
  if (absl::Status status = CheckOptions(options); !status.ok()) {
    file->Abandon();
    return status;
  }
  auto writer =
      std::make_unique<StoreFileWriterImpl>(std::move(file), options, clock);
  SHALE_RETURN_IF_ERROR(writer->Begin());
  return writer;
}

}  // namespace shale
