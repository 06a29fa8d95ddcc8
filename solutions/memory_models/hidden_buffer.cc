// The hidden test of RunStoreBuffer.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "common/lab/call/callers.h"
#include "common/lab/call/sizes.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "labs/memory_models/answers.h"
#include "labs/memory_models/memory_models.h"

namespace memory_models::buffer {

using Program = std::vector<MemoryOperation>;

const lab::Function<decltype(RunStoreBuffer)> run_store_buffer{"RunStoreBuffer"};

// Cycle by cycle: what is at the head of the buffer has so many cycles left.
BufferReport Expected(const Program& program, std::size_t entries, std::int64_t drain_cycles) {
  std::deque<std::uint64_t> buffer;
  std::int64_t left = drain_cycles;
  BufferReport report{};
  std::size_t next = 0;
  while (next < program.size()) {
    const MemoryOperation& each = program[next];
    const bool is_held = each.kind == Kind::kStore   ? buffer.size() == entries
                         : each.kind == Kind::kFence ? !buffer.empty()
                                                     : false;
    if (each.kind == Kind::kLoad) {
      bool is_buffered = false;
      for (const std::uint64_t address : buffer) is_buffered |= address == each.address;
      report.forwarded += is_buffered;
    }
    // A cycle passes.
    ++report.cycles;
    if (!buffer.empty() && --left == 0) {
      buffer.pop_front();
      left = drain_cycles;
    }
    if (is_held) {
      ++report.waited;
      continue;
    }
    if (each.kind == Kind::kStore) buffer.push_back(each.address);
    ++next;
  }
  return report;
}

void ExpectRight(const Program& program, std::int32_t entries, std::int64_t drain_cycles,
                 const std::string& what) {
  ASSERT_EQ(Text(run_store_buffer(program, entries, drain_cycles)),
            Text(std::optional(Expected(program, entries, drain_cycles))))
      << what << ": " << program.size() << " instructions, " << entries << " entries, "
      << drain_cycles << " cycles to drain";
}

// Mostly stores, loads and fences of a few addresses.
Program AnyProgram(lab::Random& random, std::size_t size, int fences) {
  Program program;
  for (std::size_t i = 0; i < size; ++i) {
    const bool is_fence = random.UniformInt(0, 99) < fences;
    const Kind kind = is_fence                       ? Kind::kFence
                      : random.UniformInt(0, 1) == 0 ? Kind::kStore
                                                     : Kind::kLoad;
    program.push_back({kind, random.UniformInt<std::uint64_t>(0, 5) << 60});
  }
  return program;
}

TEST(RunStoreBufferTest, TakesNoInstructions) {
  EXPECT_EQ(Text(run_store_buffer(Program{}, 1, 1)), "0 cycles, 0 waited, 0 forwarded");
}

TEST(RunStoreBufferTest, TakesAnyProgramAndBuffer) {
  lab::Random random;
  for (int round = 0; round < 300; ++round) {
    const Program program = AnyProgram(random, random.UniformInt<std::size_t>(1, 40), round % 12);
    ASSERT_NO_FATAL_FAILURE(ExpectRight(program, random.UniformInt<std::int32_t>(1, 1 + round % 9),
                                        random.UniformInt<std::int64_t>(1, 1 + round % 7), "any"));
  }
}

TEST(RunStoreBufferTest, ForwardsUntilTheStoreHasLeft) {
  // In the buffer from time 1 on; it leaves at time 4.
  for (std::size_t others = 0; others < 6; ++others) {
    Program program{{Kind::kStore, 8}};
    program.insert(program.end(), others, {Kind::kLoad, 16});
    program.push_back({Kind::kLoad, 8});
    ASSERT_NO_FATAL_FAILURE(ExpectRight(program, 4, 3, "a load after other loads"));
  }
}

TEST(RunStoreBufferTest, ForwardsTheNewestOfSeveralStores) {
  ExpectRight({{Kind::kStore, 8},
               {Kind::kStore, 8},
               {Kind::kLoad, 0},
               {Kind::kLoad, 0},
               {Kind::kLoad, 8},
               {Kind::kLoad, 8},
               {Kind::kLoad, 8}},
              4, 3, "two stores to one address");
}

TEST(RunStoreBufferTest, TakesManyStoresAndALargeBuffer) {
  lab::Random random;
  const std::size_t n = lab::Scaled(1'000'000);
  for (const std::int32_t entries : {2, 1 << 20}) {
    Program program(n, {Kind::kStore, 0});
    for (std::size_t i = 0; i < n; ++i) {
      program[i].address = random.UniformInt<std::uint64_t>(0, 1 << 20) * 8;
    }
    program.push_back({Kind::kFence, 0});
    // Without a fence's wait all stores drain one after the other, from time 1 on.
    const auto cycles = 1 + static_cast<std::int64_t>(n) * (1 << 20) + 1;
    const auto got = run_store_buffer(program, entries, 1 << 20);
    ASSERT_TRUE(got.has_value());
    EXPECT_EQ(got->cycles, cycles) << n << " stores, " << entries << " entries";
    EXPECT_EQ(got->waited, cycles - static_cast<std::int64_t>(n) - 1);
  }
}

TEST(RunStoreBufferTest, LooksUpLoadsInALargeBuffer) {
  // The even addresses are in the buffer, the odd ones are not.
  const std::size_t n = lab::Scaled(500'000);
  Program program;
  for (std::size_t i = 0; i < n; ++i) program.push_back({Kind::kStore, 16 * i});
  for (std::size_t i = 0; i < n; ++i) program.push_back({Kind::kLoad, 8 * (n - i)});
  const auto got = run_store_buffer(program, 1 << 20, 1 << 20);
  ASSERT_TRUE(got.has_value());
  EXPECT_EQ(got->waited, 0);
  // No store has left yet, and every second address was stored to.
  EXPECT_EQ(got->forwarded, static_cast<std::int64_t>(n / 2)) << n << " stores";
}

TEST(RunStoreBufferTest, HasNoValueForWhatIsNoInstructionOrBuffer) {
  const Program right{{Kind::kStore, 8}};
  for (const std::int32_t entries : {0, -1, (1 << 20) + 1}) {
    EXPECT_EQ(Text(run_store_buffer(right, entries, 1)), "no value");
  }
  for (const std::int64_t cycles : {std::int64_t{0}, std::int64_t{-4}, std::int64_t{1} << 40}) {
    EXPECT_EQ(Text(run_store_buffer(right, 1, cycles)), "no value");
  }
  EXPECT_EQ(Text(run_store_buffer(Program{{static_cast<Kind>(7), 8}}, 1, 1)), "no value");
}

TEST(RunStoreBufferTest, ServesSeveralCallersAtOnce) {
  lab::Random random;
  lab::ForSeveralCallers([&](const std::string& what) {
    ASSERT_NO_FATAL_FAILURE(ExpectRight(AnyProgram(random, 200, 3), 4, 5, what));
  });
}

}  // namespace memory_models::buffer
