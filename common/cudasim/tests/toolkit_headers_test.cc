// Headers that the preprocessor takes from an installed CUDA toolkit.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "common/cudasim/tests/rewriting.h"

namespace cudasim::rewriter {
namespace {

namespace fs = std::filesystem;

const char* const kNotice = "/* Copyright NVIDIA Corporation */";

class ToolkitHeadersTest : public testing::Test {
 protected:
  ToolkitHeadersTest() : root_(fs::path(testing::TempDir()) / "toolkit" / Name()) {
    fs::remove_all(root_);
    Write("crt/host_defines.h", "");
    Write("cuda_runtime_api.h", "");
  }

  static std::string Name() {
    return testing::UnitTest::GetInstance()->current_test_info()->name();
  }

  std::string Path(const std::string& name) const { return (root_ / name).string(); }

  void Write(const std::string& name, const std::string& text) const {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text;
  }

  // The error where lab.cu includes the header in its third line.
  std::string ErrorOfInclude(const std::string& header) const {
    return ErrorOf("int a;\n\n# 1 \"" + Path(header) +
                   "\" 1 3\nint b;\n# 4 \"lab.cu\" 2\nint c;\n");
  }

 private:
  fs::path root_;
};

TEST_F(ToolkitHeadersTest, AreRefusedWhereTheProgramIncludesThem) {
  Write("cuda_fp8.h", kNotice);
  EXPECT_EQ(
      ErrorOfInclude("cuda_fp8.h"),
      "lab.cu:3: the CUDA toolkit's header cuda_fp8.h is not simulated: " + Path("cuda_fp8.h"));
  Write("cccl/cub/device/device_scan.cuh", kNotice);
  EXPECT_TRUE(Has(ErrorOfInclude("cccl/cub/device/device_scan.cuh"),
                  "header device_scan.cuh is not simulated"));
}

TEST_F(ToolkitHeadersTest, AreKnownByTheirNoticeAmongOtherHeaders) {
  Write("stdio.h", "");
  Write("cuda_fp8.h", kNotice);
  Write("zlib.h", "/* a library of the system */");
  EXPECT_TRUE(Has(ErrorOfInclude("cuda_fp8.h"), "lab.cu:3:"));
  EXPECT_EQ(ErrorOfInclude("zlib.h"), "no error");
  EXPECT_EQ(ErrorOfInclude("stdio.h"), "no error");
}

TEST_F(ToolkitHeadersTest, OfOtherFoldersAreNoneOfTheToolkits) {
  EXPECT_EQ(ErrorOf("# 1 \"/usr/include/c++/12/vector\" 1 3\n# 2 \"lab.cu\" 2\n"), "no error");
  EXPECT_EQ(ErrorOf("# 1 \"cuda_fp8.h\" 1\n# 2 \"lab.cu\" 2\n"), "no error");
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "/a";
  EXPECT_EQ(ErrorOf("# 1 \"" + deep + "\" 1\n# 2 \"lab.cu\" 2\n"), "no error");
  // Returns to the program's file and macros' expansions enter no file.
  EXPECT_EQ(ErrorOf("# 2 \"" + Path("cuda_fp8.h") + "\" 2\n# 2 \"lab.cu\" 2\n"), "no error");
}

}  // namespace
}  // namespace cudasim::rewriter
