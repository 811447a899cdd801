#ifndef SHALE_TOOLS_SHALE_DELIMITED_READER_H_
#define SHALE_TOOLS_SHALE_DELIMITED_READER_H_

#include <cstddef>
#include <cstdint>
#include <istream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/base/cxx_standard.h"

namespace shale {

inline constexpr size_t kMaxLineBytes = 64 << 20;

// Reads lines of fields that one byte separates, as HBase's ImportTsv: there is
// no quoting, so a field can't hold the separator. A line ends with "\n" or
// "\r\n"; the last one may lack it. Not thread-safe.
class DelimitedReader {
 public:
  // `in` outlives the reader; the separator is neither '\n' nor '\r'.
  DelimitedReader(std::istream& in, char separator,
                  size_t max_line_bytes = kMaxLineBytes)
      : in_(in), separator_(separator), max_line_bytes_(max_line_bytes) {}

  // Moves to the next line; false at the end. DATA_LOSS if `in` can't be read
  // further, INVALID_ARGUMENT for a line above max_line_bytes, naming its
  // number; neither can be read past.
  absl::StatusOr<bool> Next();

  // The current line's fields, at least one; valid until the next Next().
  const std::vector<absl::string_view>& fields() const { return fields_; }
  // Of the current line, from 1.
  uint64_t line_number() const { return line_number_; }
  // Up to the end of the current line.
  uint64_t bytes_read() const { return bytes_read_; }

 private:
  // Reads more behind what is unread; false at the end of `in`.
  absl::StatusOr<bool> Fill();
  absl::Status TooLong() const;

  std::istream& in_;
  const char separator_;
  const size_t max_line_bytes_;
  std::string buffer_;
  size_t begin_ = 0;  // Of what is unread in buffer_.
  uint64_t line_number_ = 0;
  uint64_t bytes_read_ = 0;
  std::vector<absl::string_view> fields_;
};

}  // namespace shale

#endif  // SHALE_TOOLS_SHALE_DELIMITED_READER_H_
