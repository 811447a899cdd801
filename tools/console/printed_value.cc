#include "shale/tools/console/printed_value.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "shale/tools/console/timestamp_text.h"

namespace shale {
namespace {

struct TextOf {
  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(const std::string& text) const { return text; }
  std::string operator()(bool flag) const { return flag ? "yes" : "no"; }
  std::string operator()(Count n) const { return WithSeparators(n.count); }
  std::string operator()(Decimal d) const {
    return absl::StrFormat("%.*f", d.digits, d.value);
  }
  std::string operator()(ByteSize size) const { return SizeText(size.bytes); }
  std::string operator()(Moment moment) const {
    return TimestampText(moment.timestamp);
  }
};

}  // namespace

std::string ForPeople(const PrintedValue& value) {
  return std::visit(TextOf(), value);
}

bool IsNumber(const PrintedValue& value) {
  return std::holds_alternative<Count>(value) ||
         std::holds_alternative<Decimal>(value) ||
         std::holds_alternative<ByteSize>(value);
}

std::string WithSeparators(uint64_t count) {
  std::string text = absl::StrCat(count);
  for (size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, 1, ',');
  return text;
}

std::string CountOf(uint64_t count, absl::string_view singular) {
  return absl::StrCat(WithSeparators(count), " ", singular,
                      count == 1 ? "" : "s");
}

std::string SizeText(uint64_t bytes) {
  if (bytes < 1024) return absl::StrCat(bytes, " B");
  double size = static_cast<double>(bytes) / 1024;
  absl::string_view units = "KMGTPE";
  while (size >= 1023.95 && units.size() > 1) {
    size /= 1024;
    units.remove_prefix(1);
  }
  return absl::StrFormat("%.1f %ciB", size, units[0]);
}

}  // namespace shale
