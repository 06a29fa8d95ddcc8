// A fault that shows with some inputs only, in a function with a workspace behind its output.

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <vector>

#include "common/lab/exports/exports.h"

// conditional_fault.cc asks for these.
extern "C" const char kFaultyFunction[];
extern "C" const int kCondition;
extern "C" const char kFaultyFunction[] = "Rows";
extern "C" const int kCondition = 2;  // with 257, 513, ... elements

extern "C" const lab::ExportTable* LabExports();

extern "C" const lab::ExportTable* RightExports() {
  static const lab::ExportedFunction rows{
      .name = "Rows",
      .signature = 0,
      .argument_count = 3,
      .result_size = 0,
      .stage = [](std::span<const lab::Argument>) -> void* { return nullptr; },
      .start = [](void*, void*) {},
      .finish = [](void*) {},
      .fetch = [](void*) {},
      .release = [](void*) {},
  };
  static const lab::ExportTable table{&rows, 1};
  return &table;
}

namespace {

using lab::Argument;

template <typename T>
Argument Span(Argument::Kind kind, std::vector<T>& values) {
  return {kind, sizeof(T), alignof(T), values.data(), values.size()};
}

// The first offset of that many rows.
std::uint32_t FirstOffset(std::size_t n) {
  std::vector<std::uint32_t> lengths(n);
  std::vector<std::uint32_t> offsets(n + 1);
  std::vector<std::uint8_t> workspace(4096);
  const std::vector<Argument> arguments{Span(Argument::Kind::kInput, lengths),
                                        Span(Argument::Kind::kInOut, offsets),
                                        Span(Argument::Kind::kInOut, workspace)};
  const lab::ExportedFunction& rows = LabExports()->functions[0];
  void* const staged = rows.stage(arguments);
  rows.Run(staged, nullptr);
  rows.fetch(staged);
  rows.release(staged);
  return offsets[0];
}

TEST(ConditionalFaultTest, ShowsInTheOutputBesideAWorkspaceByTheSizeOfTheInput) {
  EXPECT_NE(FirstOffset(257), 0);
  EXPECT_EQ(FirstOffset(256), 0);
}

}  // namespace
