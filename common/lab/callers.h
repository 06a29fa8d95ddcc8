#pragma once

// Who else calls at the same time, and from where: for functions whose contract says that several
// threads may call them, or that a parallel region may.

#include <functional>
#include <string>

namespace lab {

// While it lives, each call through the door is made by so many threads at the same time, each with
// arrays of its own for what the function writes (and on a GPU with a stream and arrays of its own
// for all). All inputs are alike. The test gets what one of them got; an exception of any is
// thrown.
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

// How many the innermost Callers says; 1 if there is none.
int CurrentCallers();

// Calls check(what) several times each with 2, 3 and 4 callers: what callers share by mistake does
// not show every time. `what` says how often it was called and with how many.
void ForSeveralCallers(const std::function<void(const std::string& what)>& check);

// While it lives, calls through the door are made as from within a parallel region of a program
// that nests none: regions that the function opens get one thread, whatever it asks for, though
// omp_get_max_threads() still says the size of a team. Nothing happens if the function uses no
// OpenMP. Not thread-safe.
class NestedCalls {
 public:
  NestedCalls();
  ~NestedCalls();
  NestedCalls(const NestedCalls&) = delete;
  NestedCalls& operator=(const NestedCalls&) = delete;

 private:
  bool before_;
};

// Whether a NestedCalls lives.
bool CallsAreNested();

// Calls check(what) within a NestedCalls, with a TeamSize of 1 to 8.
void ForNestedCalls(const std::function<void(const std::string& what)>& check);

}  // namespace lab
