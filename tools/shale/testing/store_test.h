#ifndef SHALE_TOOLS_SHALE_TESTING_STORE_TEST_H_
#define SHALE_TOOLS_SHALE_TESTING_STORE_TEST_H_

#include <string>
#include <vector>

#include "shale/tools/shale/testing/tool_test.h"

namespace shale {

// A test with a store: a region of 100 rows "row..." that are flushed and 10
// "new..." that came later.
class StoreTest : public ToolTest {
 protected:
  // Makes it in `name`. Unless `flushed`, the later rows are in the log alone,
  // and nothing was closed, as a crash leaves it.
  void MakeStore(bool flushed, const std::string& name = "store");

  // The files under the store whose names end so, in the order of their names.
  std::vector<std::string> FilesEndingIn(const std::string& end);
  // The first of them; REQUIRES: there is one.
  std::string FileEndingIn(const std::string& end);

  static std::string ReadFile(const std::string& path);
  static void ReplaceFile(const std::string& path, const std::string& bytes);
};

}  // namespace shale

#endif  // SHALE_TOOLS_SHALE_TESTING_STORE_TEST_H_
