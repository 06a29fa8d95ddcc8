// Right and wrong OpenMP programs, built as a submission is for the race checker.
//
// Without an argument it names them, wrong ones with a mark in front. With one of these it runs the
// program many times: ThreadSanitizer must report a race in a wrong one, and none in a right one.
#include <omp.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <thread>

namespace {

constexpr int kThreads = 4;

void Require(bool is_right) {
  if (!is_right) std::puts("a result is wrong");
}

int shared[64];

void IterationsInOrder() {
  shared[0] = 1;
#pragma omp parallel for ordered(1) schedule(static, 1) num_threads(kThreads)
  for (int i = 1; i < 64; ++i) {
#pragma omp ordered depend(sink : i - 1)
    shared[i] = shared[i - 1] + 1;
#pragma omp ordered depend(source)
  }
  Require(shared[63] == 64);
}

void IterationsThatWaitForOthers() {
#pragma omp parallel for ordered(1) schedule(static, 1) num_threads(kThreads)
  for (int i = 1; i < 64; ++i) {
#pragma omp ordered depend(sink : i - 2)
    shared[i] = shared[i - 1] + 1;
#pragma omp ordered depend(source)
  }
}

void TasksThatReduce() {
  int sum = 0;
#pragma omp parallel num_threads(kThreads)
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum)
  for (int i = 0; i < 64; ++i) {
#pragma omp task in_reduction(+ : sum) firstprivate(i)
    sum += i;
  }
  Require(sum == 2016);
}

void TasksThatShouldReduce() {
  int sum = 0;
#pragma omp parallel num_threads(kThreads)
#pragma omp single
#pragma omp taskgroup
  for (int i = 0; i < 64; ++i) {
#pragma omp task shared(sum) firstprivate(i)
    sum += i;
  }
}

void LoopOfTasksThatReduce() {
  int sum = 0;
#pragma omp parallel num_threads(kThreads)
#pragma omp single
#pragma omp taskloop reduction(+ : sum)
  for (int i = 0; i < 64; ++i) sum += i;
  Require(sum == 2016);
}

struct SlowlyCopied {
  SlowlyCopied() = default;
  SlowlyCopied(const SlowlyCopied& other) : value(other.value) { usleep(20); }
  int value = 1;
};

// Later tasks get the memory of those that have ended.
void LoopOfTasksThatEndEarly() {
  SlowlyCopied one;
  int sum = 0;
#pragma omp parallel num_threads(kThreads)
#pragma omp single
#pragma omp taskloop grainsize(1) shared(sum) firstprivate(one)
  for (int i = 0; i < 100; ++i) {
#pragma omp atomic
    sum += one.value;
  }
  Require(sum == 100);
}

int Fibonacci(int n) {
  if (n < 2) return n;
  int sum = 0;
#pragma omp taskgroup task_reduction(+ : sum)
  for (int i = 1; i <= 2; ++i) {
#pragma omp task in_reduction(+ : sum) firstprivate(i)
    sum += Fibonacci(n - i);
  }
  return sum;
}

void TasksInTasksThatReduce() {
  int result = 0;
#pragma omp parallel num_threads(kThreads)
#pragma omp single
  result = Fibonacci(7);
  Require(result == 13);
}

template <int wrong_by>
void TaskThatItsThreadRunsItself() {
  int values[2] = {};
#pragma omp parallel num_threads(kThreads)
#pragma omp single
  for (int i = 0; i < 20; ++i) {
#pragma omp task depend(out : values[0]) firstprivate(i)
    values[0] = i;
#pragma omp task if (false) depend(in : values[wrong_by]) firstprivate(i)
    if constexpr (wrong_by == 0) {
      Require(values[0] == i);
    } else {
      ++values[0];
    }
  }
}

template <int wrong_by>
void WaitForSomeTasks() {
  int values[2] = {};
#pragma omp parallel num_threads(kThreads)
#pragma omp single
  for (int i = 0; i < 20; ++i) {
#pragma omp task depend(out : values[0]) firstprivate(i)
    values[0] = i;
#pragma omp taskwait depend(in : values[wrong_by])
    ++values[0];
  }
}

template <class Publish, class Await>
void PassOn(Publish publish, Await await) {
  shared[0] = 0;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
    shared[0] = 5;
    publish();
  } else {
    await();
    Require(shared[0] == 5);
  }
}

int flag;

void FlushesAroundAtomics() {
  flag = 0;
  PassOn(
      [] {
#pragma omp flush
#pragma omp atomic write
        flag = 1;
      },
      [] {
        for (int found = 0; found == 0;) {
#pragma omp atomic read
          found = flag;
        }
#pragma omp flush
      });
}

void AtomicsWithoutFlushes() {
  flag = 0;
  PassOn(
      [] {
#pragma omp atomic write
        flag = 1;
      },
      [] {
        for (int found = 0; found == 0;) {
#pragma omp atomic read
          found = flag;
        }
      });
}

volatile int not_atomic;

void FlushesWithoutAtomics() {
  not_atomic = 0;
  PassOn(
      [] {
#pragma omp flush
        not_atomic = 1;
      },
      [] {
        while (not_atomic == 0) continue;
#pragma omp flush
      });
}

std::atomic<bool> is_set;

constexpr auto kAcquire = std::memory_order_acquire, kRelease = std::memory_order_release;

template <void (*fence)(std::memory_order), std::memory_order before, std::memory_order after>
void Fences() {
  is_set = false;
  PassOn(
      [] {
        fence(before);
        is_set.store(true, std::memory_order_relaxed);
      },
      [] {
        while (!is_set.load(std::memory_order_relaxed)) continue;
        fence(after);
      });
}

void OrderSignals(std::memory_order order) { std::atomic_signal_fence(order); }

__attribute__((noinline)) void OrderThreads(std::memory_order order) {
  std::atomic_thread_fence(order);
}

void FenceTooEarly() {
  is_set = false;
  PassOn(
      [] {
        std::atomic_thread_fence(kRelease);
        shared[0] = 5;
        is_set.store(true, std::memory_order_relaxed);
      },
      [] {
        while (!is_set.load(std::memory_order_relaxed)) continue;
        std::atomic_thread_fence(kAcquire);
      });
}

struct Base {
  virtual ~Base() = default;
};

// What is read in place of a virtual table.
void ReadsBesideATable() {
  const void* object = &shared[4];
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
    shared[0] = 0;
  } else {
    const void* volatile whole = dynamic_cast<void*>(reinterpret_cast<Base*>(&object));
    static_cast<void>(whole);
  }
}

void RelaxedWithoutFences() {
  is_set = false;
  PassOn([] { is_set.store(true, std::memory_order_relaxed); },
         [] {
           while (!is_set.load(std::memory_order_relaxed)) continue;
         });
}

struct Digits {
  void Add(const Digits& other) {
    for (int i = 0; i < 10; ++i) counts[i] += other.counts[i];
  }
  int counts[10] = {};
};
#pragma omp declare reduction(add:Digits : omp_out.Add(omp_in))

// In each of the ways in which the OpenMP runtime combines, with and without a barrier.
void Reductions() {
  for (const int threads : {1, 2, 4, 5, 13}) {
    Digits digits;
    long sum = 0;
#pragma omp parallel for num_threads(threads) reduction(add : digits) reduction(+ : sum)
    for (int i = 0; i < 100; ++i) ++digits.counts[i % 10], ++sum;
#pragma omp parallel num_threads(threads)
    {
#pragma omp for reduction(add : digits)
      for (int i = 0; i < 100; ++i) ++digits.counts[i % 10];
#pragma omp for reduction(+ : sum) nowait
      for (int i = 0; i < 100; ++i) ++sum;
#pragma omp barrier
#pragma omp single
      ++digits.counts[3], ++sum;
    }
    Require(digits.counts[3] == 21 && sum == 201);
  }
}

int combined;

void Combine(int& into, int from) {
  ++combined;
  into += from;
}
#pragma omp declare reduction(combine:int : Combine(omp_out, omp_in))

void CombinerThatRaces() {
#pragma omp parallel num_threads(kThreads)
  for (int i = 0; i < 50; ++i) {
    int counted = 0;
#pragma omp parallel num_threads(1) reduction(combine : counted)
    ++counted;
  }
}

// No instruction adds to a long double atomically.
void LongDoubles() {
  long double sum = 0, reduced = 0;
#pragma omp parallel for num_threads(kThreads) reduction(+ : reduced)
  for (int i = 0; i < 100; ++i) {
    reduced += 1;
#pragma omp atomic
    sum += 1;
  }
  Require(sum == 100 && reduced == 100);
}

void LongDoubleThatRaces() {
  long double sum = 0;
#pragma omp parallel for num_threads(kThreads)
  for (int i = 0; i < 100; ++i) sum += 1;
}

// Each thread is the first to take one of the locks.
template <bool is_own>
void Locks() {
  omp_lock_t locks[kThreads];
  for (omp_lock_t& lock : locks) omp_init_lock(&lock);
  int sums[kThreads] = {};
#pragma omp parallel num_threads(kThreads)
  for (int i = 0; i < kThreads; ++i) {
    const int place = (omp_get_thread_num() + i) % kThreads;
    omp_set_lock(&locks[place]);
    ++sums[is_own ? place : 0];
    omp_unset_lock(&locks[place]);
  }
  for (omp_lock_t& lock : locks) omp_destroy_lock(&lock);
  if (is_own) Require(sums[0] == kThreads && sums[kThreads - 1] == kThreads);
}

template <bool waits>
void LocalArray() {
  int local[4] = {};
#pragma omp parallel num_threads(2)
#pragma omp single nowait
  {
#pragma omp task shared(local)
    ++local[2];
    if (waits) {
#pragma omp taskwait
    }
    ++local[shared[1] != 0 ? 2 : 1];
  }
}

void QueriesIntoOneVariable() {
  static omp_sched_t kind;
  static int chunk;
#pragma omp parallel num_threads(kThreads)
  omp_get_schedule(&kind, &chunk);
}

// Each iteration is one thread's.
template <typename Index>
void LoopsWithModifiers() {
  constexpr Index kCount = 1000;
  static int runs[kCount];
  std::memset(runs, 0, sizeof runs);
#pragma omp parallel num_threads(kThreads)
  {
#pragma omp for simd schedule(simd : static, 16)
    for (Index i = 0; i < kCount; ++i) ++runs[i];
#pragma omp for schedule(monotonic : static)
    for (Index i = 0; i < kCount; ++i) ++runs[i];
#pragma omp for schedule(monotonic : static, 16)
    for (Index i = 0; i < kCount; ++i) ++runs[i];
#pragma omp for schedule(nonmonotonic : static, 16)
    for (Index i = 0; i < kCount; ++i) ++runs[i];
  }
  for (const int count : runs) Require(count == 4);
}

// Wrong: both sections write the same element.
template <int wrong_by>
void Sections() {
  int last = 0;
  for (int& number : shared) number = 0;
#pragma omp parallel sections num_threads(2) lastprivate(last)
  {
#pragma omp section
    {
      ++shared[0];
      last = 1;
    }
#pragma omp section
    {
      ++shared[1 - wrong_by];
      last = 2;
    }
  }
  Require(last == 2 && shared[0] == 1 + wrong_by);
}

int of_thread[2];
#pragma omp threadprivate(of_thread)

void CopiesIn() {
  of_thread[0] = of_thread[1] + 1;
  const int first = of_thread[0];
#pragma omp parallel num_threads(kThreads) copyin(of_thread)
  of_thread[0] += omp_get_thread_num();
#pragma omp parallel num_threads(kThreads)
  Require(of_thread[0] == first + omp_get_thread_num());
}

int of_all;

void GlobalOfAll() {
#pragma omp parallel num_threads(kThreads)
  of_all += omp_get_thread_num();
}

template <bool is_own>
void NestedRegions() {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  {
    const int outer = 2 * omp_get_thread_num();
#pragma omp parallel num_threads(2)
    {
      Require(omp_get_num_threads() == 2);
      ++shared[is_own ? outer + omp_get_thread_num() : omp_get_thread_num()];
    }
    if (is_own) ++shared[outer + 1];
  }
  if (is_own) ++shared[3];
}

void Pass(const int& from, int& to) {
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < 2; ++i) {
    if (i == 1) to = from;
  }
}

void PassInSections(int (&to)[2]) {
  omp_set_max_active_levels(2);
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    {
      const int from = 1 + omp_get_level();
      Pass(from, to[0]);
    }
#pragma omp section
    {
      const int from = 2 + omp_get_level();
      Pass(from, to[1]);
    }
  }
}

// The threads of one caller's inner team come to another caller's.
void NestedRegionsOfSeveralCallers() {
  static std::atomic<int> rounds, done;
  static const auto call = [] {
    int to[2] = {};
    PassInSections(to);
    Require(to[0] == 2 && to[1] == 3);
  };
  static const auto call_in_rounds = [] {
    for (int round = 1;; ++round) {
      while (rounds < round) usleep(10);
      call();
      ++done;
    }
  };
  if (rounds == 0) {
    for (int i = 0; i < 3; ++i) std::thread(call_in_rounds).detach();
  }
  ++rounds;
  call();
  while (done < 3 * rounds) usleep(10);
}

template <bool is_atomic>
void CancelledLoop() {
  int found = -1;
  int tested = 0;
#pragma omp parallel num_threads(kThreads)
  {
#pragma omp for schedule(static)
    for (int i = 0; i < 4000; ++i) {
#pragma omp atomic
      ++tested;
      if (i % 1000 == 0) {
        if constexpr (is_atomic) {
#pragma omp atomic write
          found = i;
        } else {
          found = i;
        }
#pragma omp cancel for
      }
#pragma omp cancellation point for
    }
    Require(found % 1000 == 0);
  }
  Require(tested < 4000);
}

// Each loop finds the record of an earlier one, and the last one needs all of its iterations.
template <typename Index>
void CancelledDynamicLoops() {
  int sum = 0;
#pragma omp parallel num_threads(kThreads)
  {
    for (Index loop = 0; loop < 10; ++loop) {
#pragma omp for schedule(dynamic, 3)
      for (Index i = 0; i < 20; ++i) {
        if (i == loop) {
#pragma omp cancel for
        }
#pragma omp cancellation point for
      }
    }
#pragma omp for schedule(dynamic, 3)
    for (Index i = 0; i < 20; ++i) {
#pragma omp atomic
      ++sum;
    }
  }
  Require(sum == 20);
}

struct Program {
  const char* name;
  void (*run)();
};

const Program kPrograms[] = {
    {"iterations in order", IterationsInOrder},
    {"!iterations that wait for others", IterationsThatWaitForOthers},
    {"tasks that reduce", TasksThatReduce},
    {"!tasks that should reduce", TasksThatShouldReduce},
    {"loop of tasks that reduce", LoopOfTasksThatReduce},
    {"loop of tasks that end early", LoopOfTasksThatEndEarly},
    {"tasks in tasks that reduce", TasksInTasksThatReduce},
    {"task that its thread runs itself", TaskThatItsThreadRunsItself<0>},
    {"!task that depends on something else", TaskThatItsThreadRunsItself<1>},
    {"wait for some tasks", WaitForSomeTasks<0>},
    {"!wait for other tasks", WaitForSomeTasks<1>},
    {"flushes around atomics", FlushesAroundAtomics},
    {"!atomics without flushes", AtomicsWithoutFlushes},
    {"!flushes without atomics", FlushesWithoutAtomics},
    {"fences", Fences<OrderThreads, kRelease, kAcquire>},
    {"fences of all orders",
     Fences<OrderThreads, std::memory_order_seq_cst, std::memory_order_acq_rel>},
    {"!fences in each other's place", Fences<OrderThreads, kAcquire, kRelease>},
    {"!signal fences", Fences<OrderSignals, kRelease, kAcquire>},
    {"!fence too early", FenceTooEarly},
    {"!reads beside a table", ReadsBesideATable},
    {"!relaxed without fences", RelaxedWithoutFences},
    {"reductions", Reductions},
    {"!combiner that races", CombinerThatRaces},
    {"long doubles", LongDoubles},
    {"!long double that races", LongDoubleThatRaces},
    {"locks", Locks<true>},
    {"!locks of other data", Locks<false>},
    {"!queries into one variable", QueriesIntoOneVariable},
    {"loops with modifiers", LoopsWithModifiers<int>},
    {"unsigned loops with modifiers", LoopsWithModifiers<unsigned>},
    {"long loops with modifiers", LoopsWithModifiers<long>},
    {"long unsigned loops with modifiers", LoopsWithModifiers<unsigned long>},
    {"local array", LocalArray<true>},
    {"!local array that races", LocalArray<false>},
    {"sections", Sections<0>},
    {"!sections that share", Sections<1>},
    {"copies in", CopiesIn},
    {"!global of all threads", GlobalOfAll},
    {"nested regions", NestedRegions<true>},
    {"!nested regions that share", NestedRegions<false>},
    {"nested regions of several callers", NestedRegionsOfSeveralCallers},
    {"cancelled loop", CancelledLoop<true>},
    {"!cancelled loop that races", CancelledLoop<false>},
    {"cancelled dynamic loops", CancelledDynamicLoops<int>},
    {"cancelled dynamic unsigned loops", CancelledDynamicLoops<unsigned>},
    {"cancelled dynamic long loops", CancelledDynamicLoops<long>},
    {"cancelled dynamic unsigned long loops", CancelledDynamicLoops<unsigned long>},
};

}  // namespace

int main(int count, char** arguments) {
  shared[1] = 1;
  for (const Program& program : kPrograms) {
    if (count < 2) {
      std::puts(program.name);
    } else if (std::strcmp(arguments[1], program.name) == 0) {
      for (int i = 0; i < 100; ++i) program.run();
    }
  }
}
