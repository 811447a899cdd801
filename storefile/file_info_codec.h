// A store file's info block, and how the info is computed.
#ifndef SHALE_STOREFILE_FILE_INFO_CODEC_H_
#define SHALE_STOREFILE_FILE_INFO_CODEC_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/cell/cell.h"
#include "shale/storefile/store_file_info.h"

namespace shale {

// Adds a cell, given in key order, to what `info` says of the cells.
void AddCellToInfo(const CellView& cell, StoreFileInfo* info);

// All of `info` but `file_bytes`, which only the footer can know.
std::string EncodeStoreFileInfo(const StoreFileInfo& info);

// DATA_LOSS, naming the place in the block, if it can't be one.
absl::StatusOr<StoreFileInfo> DecodeStoreFileInfo(absl::string_view block);

}  // namespace shale

#endif  // SHALE_STOREFILE_FILE_INFO_CODEC_H_
