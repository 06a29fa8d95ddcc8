#pragma once

// Concurrent and nested calls, for functions that by their contract may be called by several
// threads or from within a parallel region.

#include <functional>
#include <string>

namespace lab {

// While it lives, each lab::Function is called by `callers` threads at the same time. All
// have the same inputs; each has output arrays of its own (on a GPU a stream and all arrays). The
// test gets the outputs of one of them; an exception that any of them throws is rethrown.
//
//   const lab::Callers callers(3);
//   for (int round = 0; round < 10; ++round) EXPECT_EQ(sum(values), 10);
//
// Not thread-safe.
class Callers {
 public:
  // Throws std::invalid_argument unless `callers` is at least 1.
  explicit Callers(int callers);
  ~Callers();
  Callers(const Callers&) = delete;
  Callers& operator=(const Callers&) = delete;

 private:
  int before_;
};

// The number of the innermost living Callers; 1 if there is none.
int CurrentCallers();

// Calls check(what) several times each with 2, 3 and 4 callers: a race on state that they share
// does not show every time, but sooner where accesses are checked. `what` describes the round and
// the number of callers.
void ForSeveralCallers(const std::function<void(const std::string& what)>& check);

// While it lives, calls of a lab::Function behave as if made within a parallel region with nested
// parallelism disabled: regions that the function opens get one thread, whatever number it asks
// for, though omp_get_max_threads() still returns the size of a team. No effect if the function
// uses no OpenMP. Not thread-safe.
class NestedCalls {
 public:
  NestedCalls();
  ~NestedCalls();
  NestedCalls(const NestedCalls&) = delete;
  NestedCalls& operator=(const NestedCalls&) = delete;

 private:
  bool before_;
};

// Whether a NestedCalls object exists.
bool CallsAreNested();

// Calls check(what) within a NestedCalls, with a TeamSize of 1 to 8.
void ForNestedCalls(const std::function<void(const std::string& what)>& check);

}  // namespace lab
