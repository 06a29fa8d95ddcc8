// The hidden test of LitmusOutcomes and FewestFences.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/lab/call/callers.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "labs/memory_models/answers.h"
#include "labs/memory_models/memory_models.h"

namespace memory_models {
namespace {

using Program = std::vector<Instruction>;

const lab::Function<decltype(LitmusOutcomes)> litmus_outcomes{"LitmusOutcomes"};
const lab::Function<decltype(FewestFences)> fewest_fences{"FewestFences"};

constexpr std::array kModels{Model::kSequential, Model::kTotalStoreOrder, Model::kPartialStoreOrder,
                             Model::kRelaxed};
constexpr std::array<const char*, 4> kNames{"SC", "TSO", "PSO", "relaxed"};

Instruction Store(std::int32_t thread, std::int32_t variable, std::int32_t value = 1) {
  return {thread, Kind::kStore, variable, value};
}

Instruction Load(std::int32_t thread, std::int32_t variable, std::int32_t into) {
  return {thread, Kind::kLoad, variable, into};
}

Instruction Fence(std::int32_t thread) { return {thread, Kind::kFence, -7, 99}; }

// A machine whose threads have store buffers: one queue of all stores, or one for each variable. It
// is another definition of the models than the contract's: a store is first buffered, then drained.
class BufferedMachine {
 public:
  BufferedMachine(Model model, const Program& program) : model_(model), program_(program) {}

  OutcomeSet Outcomes() {
    Visit(State{});
    return outcomes_;
  }

 private:
  struct State {
    std::array<std::size_t, 4> next{};  // how many of its instructions each thread has executed
    std::array<std::vector<std::pair<int, int>>, 4> buffer;  // (variable, value), oldest first
    std::array<int, 4> memory{};
    std::array<int, 4> registers{};
    auto operator<=>(const State&) const = default;
  };

  void Visit(const State& state) {
    if (!seen_.insert(state).second) return;
    bool is_over = true;
    for (int thread = 0; thread < 4; ++thread) {
      is_over &= !Drain(state, thread);
      is_over &= !Execute(state, thread);
    }
    if (!is_over) return;
    int outcome = 0;
    for (int i = 3; i >= 0; --i) outcome = outcome * 4 + state.registers[i];
    outcomes_.words[outcome / 64] |= std::uint64_t{1} << outcome % 64;
  }

  // Lets a store reach memory: the oldest or, under PSO, the oldest of any variable.
  bool Drain(const State& state, int thread) {
    const auto& buffer = state.buffer[thread];
    std::set<int> older;
    for (std::size_t i = 0; i < buffer.size(); ++i) {
      if (!older.insert(buffer[i].first).second) continue;
      if (i > 0 && model_ != Model::kPartialStoreOrder) break;
      State after = state;
      after.memory[buffer[i].first] = buffer[i].second;
      after.buffer[thread].erase(after.buffer[thread].begin() + static_cast<std::ptrdiff_t>(i));
      Visit(after);
    }
    return !buffer.empty();
  }

  bool Execute(const State& state, int thread) {
    std::size_t index = 0;
    for (const Instruction& each : program_) {
      if (each.thread != thread || index++ < state.next[thread]) continue;
      State after = state;
      ++after.next[thread];
      if (each.kind == Kind::kFence && !state.buffer[thread].empty()) return true;
      if (each.kind == Kind::kStore) {
        if (model_ == Model::kSequential) {
          after.memory[each.variable] = each.value;
        } else {
          after.buffer[thread].emplace_back(each.variable, each.value);
        }
      }
      if (each.kind == Kind::kLoad) {
        int value = state.memory[each.variable];
        for (const auto& [variable, stored] : state.buffer[thread]) {
          if (variable == each.variable) value = stored;
        }
        after.registers[each.value] = value;
      }
      Visit(after);
      return true;
    }
    return false;
  }

  Model model_;
  const Program& program_;
  std::set<State> seen_;
  OutcomeSet outcomes_{};
};

// Under the relaxed model: every order of all instructions, by which each thread's accesses of a
// variable, and what fences part, stay in order. Forwarding allows nothing more.
OutcomeSet ByAllOrders(const Program& program) {
  OutcomeSet outcomes{};
  std::vector<std::size_t> order(program.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  do {
    std::array<int, 4> memory{};
    std::array<int, 4> registers{};
    bool is_legal = true;
    for (std::size_t k = 0; k < order.size() && is_legal; ++k) {
      const Instruction& each = program[order[k]];
      for (std::size_t j = 0; j < k; ++j) {
        const Instruction& before = program[order[j]];
        const bool is_kept = each.kind == Kind::kFence || before.kind == Kind::kFence ||
                             each.variable == before.variable;
        if (each.thread == before.thread && is_kept && order[j] > order[k]) is_legal = false;
      }
      if (each.kind == Kind::kStore) memory[each.variable] = each.value;
      if (each.kind == Kind::kLoad) registers[each.value] = memory[each.variable];
    }
    if (!is_legal) continue;
    const int outcome = registers[0] + 4 * registers[1] + 16 * registers[2] + 64 * registers[3];
    outcomes.words[outcome / 64] |= std::uint64_t{1} << outcome % 64;
  } while (std::next_permutation(order.begin(), order.end()));
  return outcomes;
}

OutcomeSet Expected(Model model, const Program& program) {
  if (model == Model::kRelaxed) return ByAllOrders(program);
  return BufferedMachine(model, program).Outcomes();
}

// Fatal, so that a loop over many programs stops at the first that fails.
void ExpectRight(Model model, const Program& program) {
  ASSERT_EQ(Outcomes(litmus_outcomes(model, program), 4), Outcomes(Expected(model, program), 4))
      << kNames[static_cast<int>(model)] << ", " << Text(program);
}

// Random instructions of up to `threads` threads; each load fills another register.
Program AnyProgram(lab::Random& random, int threads, std::size_t size, int fences) {
  Program program;
  std::int32_t loads = 0;
  while (program.size() < size) {
    const auto thread = random.UniformInt<std::int32_t>(0, threads - 1);
    const auto variable = random.UniformInt<std::int32_t>(0, 1 + thread % 2);
    if (random.UniformInt(0, 99) < fences) {
      program.push_back(Fence(thread));
    } else if (loads < 4 && random.UniformInt(0, 1) == 0) {
      program.push_back(Load(thread, variable, loads++));
    } else {
      program.push_back(Store(thread, variable, random.UniformInt<std::int32_t>(1, 3)));
    }
  }
  return program;
}

// Tests that the literature names, and by how many of the four models the outcome is allowed, from
// the weakest on.
struct Named {
  const char* name;
  Program program;
  std::int32_t outcome;
  int allowing_models;
};

std::vector<Named> NamedTests() {
  return {
      {"SB", {Store(0, 0), Load(0, 1, 0), Store(1, 1), Load(1, 0, 1)}, 0, 3},
      {"MP", {Store(0, 0), Store(0, 1), Load(1, 1, 0), Load(1, 0, 1)}, 1, 2},
      {"LB", {Load(0, 0, 0), Store(0, 1), Load(1, 1, 1), Store(1, 0)}, 1 + 4, 1},
      {"CoRR", {Store(0, 0), Load(1, 0, 0), Load(1, 0, 1)}, 1, 0},
      {"CoRW", {Load(0, 0, 0), Store(0, 0)}, 1, 0},
      {"CoWR", {Store(0, 0, 1), Load(0, 0, 0), Store(1, 0, 2)}, 0, 0},
      {"IRIW",
       {Store(0, 0), Store(1, 1), Load(2, 0, 0), Load(2, 1, 1), Load(3, 1, 2), Load(3, 0, 3)},
       1 + 16,
       1},
      {"WRC", {Store(0, 0), Load(1, 0, 0), Store(1, 1), Load(2, 1, 1), Load(2, 0, 2)}, 1 + 4, 1},
      {"SB with forwarding",
       {Store(0, 0), Load(0, 0, 0), Load(0, 1, 1), Store(1, 1), Load(1, 1, 2), Load(1, 0, 3)},
       1 + 16,
       3},
      {"MP with another load",
       {Store(0, 0, 1), Store(0, 1, 2), Load(1, 1, 0), Load(1, 0, 1), Load(1, 0, 2)},
       2,
       2},
      {"SB with fences",
       {Store(0, 0), Fence(0), Load(0, 1, 0), Store(1, 1), Fence(1), Load(1, 0, 1)},
       0,
       0},
      {"SB with one fence",
       {Store(0, 0), Fence(0), Load(0, 1, 0), Store(1, 1), Load(1, 0, 1)},
       0,
       3},
      {"MP with a fence between the stores",
       {Store(0, 0), Fence(0), Store(0, 1), Load(1, 1, 0), Load(1, 0, 1)},
       1,
       1},
      {"MP with a fence of a third thread",
       {Store(0, 0), Fence(2), Store(0, 1), Load(1, 1, 0), Load(1, 0, 1)},
       1,
       2},
  };
}

bool Allows(const std::optional<OutcomeSet>& set, std::int32_t outcome) {
  return set && (set->words[outcome / 64] >> outcome % 64 & 1) != 0;
}

TEST(LitmusOutcomesTest, AllowsWhatTheLiteratureSaysOfNamedTests) {
  for (const Named& test : NamedTests()) {
    for (int model = 0; model < 4; ++model) {
      EXPECT_EQ(Allows(litmus_outcomes(kModels[model], test.program), test.outcome),
                4 - model <= test.allowing_models)
          << test.name << " under " << kNames[model] << ", " << Text(test.program)
          << ", outcome number " << test.outcome;
    }
  }
}

TEST(LitmusOutcomesTest, TakesEmptyProgramsAndThreadsWithoutInstructions) {
  for (const Model model : kModels) {
    EXPECT_EQ(Outcomes(litmus_outcomes(model, Program{}), 1), "0");
    EXPECT_EQ(Outcomes(litmus_outcomes(model, Program{Fence(3)}), 1), "0");
    EXPECT_EQ(Outcomes(litmus_outcomes(model, Program{Store(3, 3, 3), Load(3, 3, 3)}), 4), "0003");
  }
}

TEST(LitmusOutcomesTest, TakesAnyProgramOfTwoThreads) {
  lab::Random random;
  for (int round = 0; round < 160; ++round) {
    const auto size = random.UniformInt<std::size_t>(2, 7);
    const Program program = AnyProgram(random, 2, size, round % 3 * 15);
    ASSERT_NO_FATAL_FAILURE(ExpectRight(kModels[round % 4], program));
  }
}

TEST(LitmusOutcomesTest, TakesAnyProgramOfFourThreads) {
  lab::Random random;
  for (int round = 0; round < 80; ++round) {
    const Program program = AnyProgram(random, 4, 7, round % 2 * 15);
    ASSERT_NO_FATAL_FAILURE(ExpectRight(kModels[round % 4], program));
  }
}

TEST(LitmusOutcomesTest, TakesOneThreadThatStoresAndLoadsOneVariable) {
  const Program program{Store(0, 0, 1), Store(0, 0, 2), Load(0, 0, 0), Store(0, 0, 3),
                        Load(0, 0, 1)};
  for (const Model model : kModels) {
    EXPECT_EQ(Outcomes(litmus_outcomes(model, program), 2), "23") << Text(program);
  }
}

// No two instructions are of one thread and one variable: the relaxed model has 12! orders.
TEST(LitmusOutcomesTest, TakesTwelveInstructionsInFewSteps) {
  Program program;
  for (std::int32_t i = 0; i < 8; ++i) program.push_back(Store(i / 4, i % 4, 1 + i / 4));
  for (std::int32_t i = 0; i < 4; ++i) program.push_back(Load(2 + i / 2, i, i));
  ASSERT_NO_FATAL_FAILURE(ExpectRight(Model::kPartialStoreOrder, program));
  const auto relaxed = litmus_outcomes(Model::kRelaxed, program);
  // Each load may get 0 or one of two values, whatever the others get.
  ASSERT_TRUE(relaxed.has_value());
  int outcomes = 0;
  for (std::int32_t outcome = 0; outcome < 256; ++outcome) outcomes += Allows(relaxed, outcome);
  EXPECT_EQ(outcomes, 81) << Text(program);
}

TEST(LitmusOutcomesTest, HasNoValueForWhatIsNoProgram) {
  const Program right{Store(0, 0), Load(1, 0, 2)};
  const auto expect_none = [](Model model, const Program& program) {
    EXPECT_EQ(Outcomes(litmus_outcomes(model, program), 4), "no value") << Text(program);
  };
  constexpr std::int32_t kLowest = std::numeric_limits<std::int32_t>::min();
  for (const std::int32_t wrong : {-1, 4, 40, kLowest}) {
    for (auto field : {&Instruction::thread, &Instruction::variable, &Instruction::value}) {
      for (std::size_t i = 0; i < right.size(); ++i) {
        Program program = right;
        program[i].*field = wrong;
        expect_none(Model::kTotalStoreOrder, program);
      }
    }
  }
  expect_none(Model::kRelaxed, {Store(0, 0, 0)});
  expect_none(Model::kRelaxed, {Load(0, 0, 1), Load(1, 1, 1)});
  expect_none(Model::kRelaxed, {{4, Kind::kFence, 0, 0}});
  expect_none(Model::kRelaxed, {{0, static_cast<Kind>(3), 0, 1}});
  expect_none(static_cast<Model>(4), right);
  expect_none(static_cast<Model>(-1), right);
  expect_none(Model::kSequential, Program(13, Store(0, 0)));
}

TEST(LitmusOutcomesTest, ServesSeveralCallersAtOnce) {
  lab::Random random;
  lab::ForSeveralCallers([&](const std::string&) {
    ASSERT_NO_FATAL_FAILURE(ExpectRight(Model::kTotalStoreOrder, AnyProgram(random, 2, 7, 10)));
  });
}

std::optional<std::int32_t> ExpectedFences(Model model, const Program& program,
                                           std::int32_t outcome) {
  for (std::uint32_t fences = 0; fences <= program.size(); ++fences) {
    for (std::uint32_t places = 0; places < 1U << program.size(); ++places) {
      if (static_cast<std::uint32_t>(__builtin_popcount(places)) != fences) continue;
      Program fenced;
      for (std::size_t i = 0; i < program.size(); ++i) {
        fenced.push_back(program[i]);
        if ((places >> i & 1) != 0) fenced.push_back(Fence(program[i].thread));
      }
      // A fence behind a thread's last instruction changes nothing, so it is never among the
      // fewest.
      if (!Allows(Expected(model, fenced), outcome)) return static_cast<std::int32_t>(fences);
    }
  }
  return std::nullopt;
}

void ExpectFences(Model model, const Program& program, std::int32_t outcome) {
  ASSERT_EQ(Text(fewest_fences(model, program, outcome)),
            Text(ExpectedFences(model, program, outcome)))
      << kNames[static_cast<int>(model)] << ", " << Text(program) << ", outcome number " << outcome;
}

TEST(FewestFencesTest, ForbidsTheOutcomesOfNamedTests) {
  const auto tests = NamedTests();
  const std::vector<std::vector<std::int32_t>> wanted{{0, 2, 2, 2}, {0, 0, 1, 2}, {0, 0, 0, 2},
                                                      {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0},
                                                      {0, 0, 0, 2}, {0, 0, 0, 2}, {0, 2, 2, 2}};
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    for (int model = 0; model < 4; ++model) {
      EXPECT_EQ(Text(fewest_fences(kModels[model], tests[i].program, tests[i].outcome)),
                Text(wanted[i][model]))
          << tests[i].name << " under " << kNames[model] << ", " << Text(tests[i].program)
          << ", outcome number " << tests[i].outcome;
    }
  }
}

TEST(FewestFencesTest, HasNoValueForAnOutcomeThatIsAllowedInOrder) {
  const Program program{Store(0, 0), Load(1, 0, 0)};
  EXPECT_EQ(Text(fewest_fences(Model::kRelaxed, program, 1)), "no value");
  EXPECT_EQ(Text(fewest_fences(Model::kRelaxed, program, 2)), "0");
}

TEST(FewestFencesTest, TakesAnySmallProgram) {
  lab::Random random;
  for (int round = 0; round < 24; ++round) {
    const Program program = AnyProgram(random, 2, 4, 0);
    const OutcomeSet allowed = Expected(kModels[round % 4], program);
    for (std::int32_t outcome = 0; outcome < 256; ++outcome) {
      if (!Allows(allowed, outcome)) continue;
      ASSERT_NO_FATAL_FAILURE(ExpectFences(kModels[round % 4], program, outcome));
    }
  }
}

TEST(FewestFencesTest, TakesProgramsThatHaveFences) {
  const Program program{Store(0, 0), Fence(0), Load(0, 1, 0), Store(1, 1), Load(1, 0, 1)};
  EXPECT_EQ(Text(fewest_fences(Model::kTotalStoreOrder, program, 0)), "1");
}

TEST(FewestFencesTest, HasNoValueForWhatIsNoProgramOrOutcome) {
  const Program right{Store(0, 0), Load(1, 0, 0)};
  for (const std::int32_t outcome : {-1, 256, 1 << 30}) {
    EXPECT_EQ(Text(fewest_fences(Model::kRelaxed, right, outcome)), "no value");
  }
  EXPECT_EQ(Text(fewest_fences(Model::kRelaxed, Program{Store(4, 0)}, 0)), "no value");
  EXPECT_EQ(Text(fewest_fences(Model::kRelaxed, Program(9, Store(0, 0)), 7)), "no value");
  EXPECT_EQ(Text(fewest_fences(static_cast<Model>(4), right, 0)), "no value");
}

TEST(FewestFencesTest, ServesSeveralCallersAtOnce) {
  lab::Random random;
  lab::ForSeveralCallers([&](const std::string&) {
    ASSERT_NO_FATAL_FAILURE(ExpectFences(Model::kTotalStoreOrder, AnyProgram(random, 2, 4, 0), 0));
  });
}

}  // namespace
}  // namespace memory_models
