#include "shale/tools/shale/delimited_reader.h"

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "shale/base/status_macros.h"

namespace shale {
namespace {

constexpr size_t kReadBytes = 256 << 10;

}  // namespace

absl::StatusOr<bool> DelimitedReader::Next() {
  size_t searched = begin_;
  size_t end;  // Of the line, without its newline.
  bool newline = true;
  while ((end = buffer_.find('\n', searched)) == std::string::npos) {
    const size_t unread = buffer_.size() - begin_;
    if (unread > max_line_bytes_) return TooLong();
    SHALE_ASSIGN_OR_RETURN(const bool more, Fill());
    searched = begin_ + unread;
    if (more) continue;
    if (unread == 0) return false;
    end = buffer_.size();
    newline = false;
    break;
  }
  absl::string_view line =
      absl::string_view(buffer_).substr(begin_, end - begin_);
  if (line.size() > max_line_bytes_) return TooLong();
  bytes_read_ += line.size() + (newline ? 1 : 0);
  begin_ = newline ? end + 1 : end;
  ++line_number_;
  if (absl::EndsWith(line, "\r")) line.remove_suffix(1);
  fields_ = absl::StrSplit(line, separator_);
  return true;
}

absl::StatusOr<bool> DelimitedReader::Fill() {
  buffer_.erase(0, begin_);
  begin_ = 0;
  if (in_.eof()) return false;
  const size_t before = buffer_.size();
  buffer_.resize(before + kReadBytes);
  in_.read(&buffer_[before], kReadBytes);
  buffer_.resize(before + static_cast<size_t>(in_.gcount()));
  if (in_.bad()) {
    return absl::DataLossError(
        absl::StrCat("read error after line ", line_number_));
  }
  return in_.gcount() > 0;
}

absl::Status DelimitedReader::TooLong() const {
  return absl::InvalidArgumentError(absl::StrCat(
      "line ", line_number_ + 1, ": longer than ", max_line_bytes_, " bytes"));
}

}  // namespace shale
