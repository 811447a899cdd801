#include "shale/base/check.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace shale {

CheckFailure::CheckFailure(const char* file, int line, const char* condition) {
  message_ << file << ':' << line << ": check failed: " << condition << ' ';
}

CheckFailure::~CheckFailure() {
  message_ << '\n';
  // One write, so that threads failing together don't mix their lines.
  const std::string text = message_.str();
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
  std::abort();
}

}  // namespace shale
