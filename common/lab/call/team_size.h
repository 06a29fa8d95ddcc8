#pragma once

// How many threads a parallel region of the called function has, where the function itself does not
// say: OpenMP's nthreads-var of the thread that makes the call.

namespace lab {

// While it lives, calls of a lab::Function run with teams of this size.
//
//   for (int threads = 1; threads <= 8; ++threads) {
//     const lab::TeamSize team(threads);
//     EXPECT_EQ(sum(values), 10) << "with " << threads << " threads";
//   }
//
// Nothing happens if the function uses no OpenMP. Not thread-safe.
class TeamSize {
 public:
  // Throws std::invalid_argument unless `threads` is at least 1.
  explicit TeamSize(int threads);
  ~TeamSize();
  TeamSize(const TeamSize&) = delete;
  TeamSize& operator=(const TeamSize&) = delete;

 private:
  int before_;
};

// The size of the innermost living TeamSize; 0 if there is none.
int CurrentTeamSize();

}  // namespace lab
