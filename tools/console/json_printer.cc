#include "shale/tools/console/json_printer.h"

#if SHALE_HAVE_JSON

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "nlohmann/json.hpp"
#include "shale/base/check.h"
#include "shale/tools/console/printed_value.h"

namespace shale {
namespace {

using Object = nlohmann::ordered_json;

struct JsonOf {
  Object operator()(std::monostate) const { return nullptr; }
  Object operator()(const std::string& text) const { return text; }
  Object operator()(bool flag) const { return flag; }
  Object operator()(Count n) const { return n.count; }
  Object operator()(Decimal d) const { return d.value; }
  Object operator()(ByteSize size) const { return size.bytes; }
  Object operator()(Moment moment) const { return moment.timestamp; }
};

class JsonPrinter final : public Printer {
 public:
  explicit JsonPrinter(std::ostream& out) : out_(out) {}

  void BeginTable(std::vector<std::string> columns,
                  std::vector<NamedValue> common) override {
    columns_ = std::move(columns);
    common_ = std::move(common);
  }

  void Row(std::vector<PrintedValue> values) override {
    SHALE_CHECK(values.size() == columns_.size()) << "a value for each column";
    Object object = ObjectOf(common_);
    for (size_t i = 0; i < values.size(); ++i) {
      Add(columns_[i], values[i], object);
    }
    Print(object);
  }

  void EndTable() override {}

  void Record(const std::vector<NamedValue>& properties) override {
    Print(ObjectOf(properties));
  }

  void Summary(absl::string_view,
               const std::vector<NamedValue>& properties) override {
    Record(properties);
  }

  void Note(absl::string_view) override {}

 private:
  static Object ObjectOf(const std::vector<NamedValue>& properties) {
    Object object = Object::object();
    for (const NamedValue& property : properties) {
      Add(property.name, property.value, object);
    }
    return object;
  }

  static void Add(const std::string& name, const PrintedValue& value,
                  Object& object) {
    if (std::holds_alternative<std::monostate>(value)) return;
    object[name] = std::visit(JsonOf(), value);
  }

  // A byte that is not UTF-8, in an error message say, must not end the line.
  void Print(const Object& object) {
    out_ << object.dump(-1, ' ', /*ensure_ascii=*/true,
                        Object::error_handler_t::replace)
         << '\n';
  }

  std::ostream& out_;
  std::vector<std::string> columns_;
  std::vector<NamedValue> common_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Printer>> NewJsonPrinter(std::ostream& out) {
  return std::make_unique<JsonPrinter>(out);
}

}  // namespace shale

#else

#include "absl/status/status.h"

namespace shale {

absl::StatusOr<std::unique_ptr<Printer>> NewJsonPrinter(std::ostream&) {
  return absl::UnimplementedError(
      "this build has no JSON output: the package nlohmann-json3-dev was not "
      "there when it was built");
}

}  // namespace shale

#endif
