// The hidden test of MeasureTasks and BoundTime.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "common/lab/call/callers.h"
#include "common/lab/call/sizes.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "labs/performance_models/answers.h"
#include "labs/performance_models/performance_models.h"

namespace performance_models::tasks {

const lab::Function<decltype(MeasureTasks)> measure_tasks{"MeasureTasks"};
const lab::Function<decltype(BoundTime)> bound_time{"BoundTime"};

constexpr std::int64_t kLargest = std::int64_t{1} << 62;

struct Graph {
  std::vector<std::int64_t> costs;
  std::vector<Dependence> dependences;
};

// Renames the tasks at random and puts the dependences in any order.
Graph Shuffled(lab::Random& random, const Graph& graph) {
  std::vector<std::int32_t> name(graph.costs.size());
  std::iota(name.begin(), name.end(), 0);
  random.Shuffle(name);
  Graph result{std::vector<std::int64_t>(name.size()), graph.dependences};
  for (std::size_t task = 0; task < name.size(); ++task) {
    result.costs[name[task]] = graph.costs[task];
  }
  for (Dependence& dependence : result.dependences) {
    dependence = {name[dependence.before], name[dependence.after]};
  }
  random.Shuffle(result.dependences);
  return result;
}

// Of a graph whose dependences all lead from a lower to a higher index.
WorkAndSpan Expected(Graph graph) {
  std::sort(graph.dependences.begin(), graph.dependences.end(),
            [](const Dependence& a, const Dependence& b) { return a.before < b.before; });
  std::vector<std::int64_t> end = graph.costs;
  for (const Dependence& d : graph.dependences) {
    end[d.after] = std::max(end[d.after], end[d.before] + graph.costs[d.after]);
  }
  WorkAndSpan want{};
  for (const std::int64_t cost : graph.costs) want.work += cost;
  for (const std::int64_t time : end) want.span = std::max(want.span, time);
  return want;
}

// Fatal, so that a loop over many graphs stops at the first that fails.
void ExpectRight(lab::Random& random, const Graph& graph, const std::string& what) {
  const Graph asked = Shuffled(random, graph);
  ASSERT_EQ(Text(measure_tasks(asked.costs, asked.dependences)),
            Text(std::optional(Expected(graph))))
      << what << ": " << asked.costs.size() << " tasks, " << asked.dependences.size()
      << " dependences";
}

void ExpectNoValue(const Graph& graph, const std::string& what) {
  EXPECT_EQ(Text(measure_tasks(graph.costs, graph.dependences)), "no value") << what;
}

Graph AnyGraph(lab::Random& random, std::int32_t tasks, std::size_t dependences) {
  Graph graph;
  for (std::int32_t i = 0; i < tasks; ++i) {
    graph.costs.push_back(random.UniformInt<std::int64_t>(0, i % 3 == 0 ? 1000 : 3));
  }
  for (std::size_t i = 0; i < dependences && tasks > 1; ++i) {
    const auto after = random.UniformInt<std::int32_t>(1, tasks - 1);
    graph.dependences.push_back({random.UniformInt<std::int32_t>(0, after - 1), after});
  }
  return graph;
}

Graph Chain(std::int32_t tasks, std::int64_t cost) {
  Graph graph{std::vector<std::int64_t>(tasks, cost), {}};
  for (std::int32_t i = 1; i < tasks; ++i) graph.dependences.push_back({i - 1, i});
  return graph;
}

TEST(MeasureTasksTest, TakesNoTasksAndOneTask) {
  EXPECT_EQ(Text(measure_tasks(std::vector<std::int64_t>{}, std::vector<Dependence>{})),
            "work 0, span 0");
  EXPECT_EQ(Text(measure_tasks(std::vector<std::int64_t>{7}, std::vector<Dependence>{})),
            "work 7, span 7");
  EXPECT_EQ(Text(measure_tasks(std::vector<std::int64_t>{0}, std::vector<Dependence>{})),
            "work 0, span 0");
}

TEST(MeasureTasksTest, AddsTimesAlongThePathNotTheNumberOfTasks) {
  // The longest path by tasks, 0 1 2 3, takes 4; that over task 4 takes 12.
  const Graph graph{{1, 1, 1, 1, 10}, {{0, 1}, {1, 2}, {2, 3}, {0, 4}, {4, 3}}};
  EXPECT_EQ(Text(measure_tasks(graph.costs, graph.dependences)), "work 14, span 12");
}

TEST(MeasureTasksTest, TakesTheDearestTaskThatDependsOnNothing) {
  const Graph graph{{1, 1, 50}, {{0, 1}}};
  EXPECT_EQ(Text(measure_tasks(graph.costs, graph.dependences)), "work 52, span 50");
}

TEST(MeasureTasksTest, EndsThePathAtAnyTask) {
  // The longest path ends neither at the first nor at the last task.
  const Graph graph{{5, 90, 5, 5}, {{0, 1}, {0, 2}, {2, 3}}};
  EXPECT_EQ(Text(measure_tasks(graph.costs, graph.dependences)), "work 105, span 95");
}

TEST(MeasureTasksTest, TakesGraphsOfEveryDensity) {
  lab::Random random;
  for (int round = 0; round < 120; ++round) {
    const auto tasks = random.UniformInt<std::int32_t>(1, 40);
    const auto dependences = random.UniformInt<std::size_t>(0, 3 * tasks);
    ASSERT_NO_FATAL_FAILURE(ExpectRight(random, AnyGraph(random, tasks, dependences), "any graph"));
  }
}

TEST(MeasureTasksTest, TakesTheSameDependenceMoreThanOnce) {
  lab::Random random;
  Graph graph = Chain(5, 2);
  graph.dependences.insert(graph.dependences.end(), {{0, 1}, {0, 1}, {3, 4}});
  ExpectRight(random, graph, "a chain whose links are given twice");
}

TEST(MeasureTasksTest, AddsTimesThatNeed64Bits) {
  lab::Random random;
  ExpectRight(random, Chain(8, std::int64_t{1} << 58), "a chain of long tasks");
  ExpectRight(random, Chain(4, std::numeric_limits<std::int32_t>::max()), "a chain of long tasks");
}

TEST(MeasureTasksTest, TakesManyPathsWithoutTryingEachOfThem) {
  // 30 layers of three tasks, each of which depends on all of the layer before: 3^30 paths.
  lab::Random random;
  Graph graph = AnyGraph(random, 90, 0);
  for (std::int32_t task = 3; task < 90; ++task) {
    const std::int32_t layer = task / 3 * 3;
    for (std::int32_t before = layer - 3; before < layer; ++before) {
      graph.dependences.push_back({before, task});
    }
  }
  ExpectRight(random, graph, "layers");
}

TEST(MeasureTasksTest, TakesALongChainWhoseLinksComeInAnyOrder) {
  lab::Random random;
  const auto n = static_cast<std::int32_t>(lab::Scaled(1'000'000));
  ExpectRight(random, Chain(n, 3), "a long chain");
  const Graph forward = Chain(n, 1);
  EXPECT_EQ(Text(measure_tasks(forward.costs, forward.dependences)),
            "work " + std::to_string(n) + ", span " + std::to_string(n));
}

TEST(MeasureTasksTest, TakesManyTasksThatDependOnOne) {
  lab::Random random;
  const auto n = static_cast<std::int32_t>(lab::Scaled(300'000));
  Graph graph = AnyGraph(random, n, 0);
  for (std::int32_t task = 1; task < n; ++task) graph.dependences.push_back({0, task});
  ExpectRight(random, graph, "a star");
}

TEST(MeasureTasksTest, HasNoValueForANegativeTime) {
  for (std::size_t place = 0; place < 3; ++place) {
    Graph graph = Chain(3, 5);
    graph.costs[place] = -1;
    ExpectNoValue(graph, "a negative time");
  }
}

TEST(MeasureTasksTest, HasNoValueForATaskThatDoesNotExist) {
  constexpr std::int32_t kLowest = std::numeric_limits<std::int32_t>::min();
  constexpr std::int32_t kHighest = std::numeric_limits<std::int32_t>::max();
  for (const std::int32_t wrong : {-1, 3, kLowest, kHighest}) {
    Graph graph = Chain(3, 5);
    graph.dependences.push_back({wrong, 1});
    ExpectNoValue(graph, "before is task " + std::to_string(wrong) + " of 3");
    graph.dependences.back() = {1, wrong};
    ExpectNoValue(graph, "after is task " + std::to_string(wrong) + " of 3");
  }
  ExpectNoValue({{}, {{0, 0}}}, "a dependence without any task");
}

TEST(MeasureTasksTest, HasNoValueForACycle) {
  ExpectNoValue({{1}, {{0, 0}}}, "a task that depends on itself");
  ExpectNoValue({{0, 0}, {{0, 1}, {1, 0}}}, "two tasks of no time that wait for each other");
  lab::Random random;
  for (int round = 0; round < 30; ++round) {
    Graph graph = AnyGraph(random, 20, 30);
    const auto last = random.UniformInt<std::int32_t>(1, 19);
    const auto first = random.UniformInt<std::int32_t>(0, last - 1);
    for (std::int32_t i = first; i < last; ++i) graph.dependences.push_back({i, i + 1});
    graph.dependences.push_back({last, first});
    ExpectNoValue(Shuffled(random, graph), "a cycle among other tasks");
  }
}

TEST(MeasureTasksTest, ServesSeveralCallersAtOnce) {
  lab::Random random;
  lab::ForSeveralCallers([&](const std::string& what) {
    ASSERT_NO_FATAL_FAILURE(ExpectRight(random, AnyGraph(random, 300, 600), what));
  });
}

// What BoundTime should return, in arithmetic that cannot overflow.
TimeBounds ExpectedBounds(const WorkAndSpan& tasks, std::int64_t processors) {
  const __int128 work = tasks.work;
  const auto by_work = static_cast<std::int64_t>((work + processors - 1) / processors);
  const auto by_span = tasks.span;
  return {std::max(by_work, by_span),
          static_cast<std::int64_t>((work - tasks.span) / processors) + tasks.span};
}

void ExpectBounds(const WorkAndSpan& tasks, std::int64_t processors) {
  ASSERT_EQ(Text(bound_time(tasks, processors)),
            Text(std::optional(ExpectedBounds(tasks, processors))))
      << Text(tasks) << ", " << processors << " processors";
}

TEST(BoundTimeTest, IsExactOnOneProcessorAndForAChain) {
  EXPECT_EQ(Text(bound_time({100, 7}, 1)), "least 100, most 100");
  EXPECT_EQ(Text(bound_time({9, 9}, 4)), "least 9, most 9");
  EXPECT_EQ(Text(bound_time({0, 0}, 4)), "least 0, most 0");
}

TEST(BoundTimeTest, TakesEverySmallQuestion) {
  for (std::int64_t work = 1; work <= 9; ++work) {
    for (std::int64_t span = 1; span <= work; ++span) {
      for (const std::int64_t processors : {1, 2, 3, 4, 9, 10}) {
        ASSERT_NO_FATAL_FAILURE(ExpectBounds({work, span}, processors));
      }
    }
  }
}

TEST(BoundTimeTest, TakesLargeNumbers) {
  lab::Random random;
  for (const std::int64_t processors :
       {std::int64_t{1}, std::int64_t{3}, (std::int64_t{1} << 53) + 1, kLargest,
        std::numeric_limits<std::int64_t>::max()}) {
    ASSERT_NO_FATAL_FAILURE(ExpectBounds({kLargest, kLargest}, processors));
    ASSERT_NO_FATAL_FAILURE(ExpectBounds({kLargest, 1}, processors));
    ASSERT_NO_FATAL_FAILURE(ExpectBounds({kLargest - 1, (kLargest - 1) / 2}, processors));
  }
  for (int i = 0; i < 100; ++i) {
    const auto work = random.UniformInt<std::int64_t>(1, kLargest >> (i % 62));
    ASSERT_NO_FATAL_FAILURE(ExpectBounds({work, random.UniformInt<std::int64_t>(1, work)},
                                         random.UniformInt<std::int64_t>(1, 1 << (i % 30))));
  }
}

TEST(BoundTimeTest, HasNoValueForWorkAndSpanThatNoTasksHave) {
  for (const WorkAndSpan& tasks :
       std::vector<WorkAndSpan>{{5, 6}, {5, -1}, {-1, -1}, {-1, 0}, {0, 1}, {5, 0}, {1, 0}}) {
    EXPECT_EQ(Text(bound_time(tasks, 2)), "no value") << Text(tasks);
  }
}

TEST(BoundTimeTest, HasNoValueWithoutAProcessor) {
  for (const std::int64_t processors :
       {std::int64_t{0}, std::int64_t{-1}, std::numeric_limits<std::int64_t>::min()}) {
    EXPECT_EQ(Text(bound_time({8, 2}, processors)), "no value") << processors << " processors";
    EXPECT_EQ(Text(bound_time({0, 0}, processors)), "no value") << processors << " processors";
  }
}

}  // namespace performance_models::tasks
