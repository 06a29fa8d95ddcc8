#pragma once

// Programs of a few ranks under the observer.

#include <functional>
#include <string>

namespace lab::mpi {

struct Observed {
  std::string counts;   // what WriteCounts() wrote; empty if the program did not end well
  std::string finding;  // the report, if there is one

  // The counter of that name; -1 without it.
  long Count(const std::string& name) const;
};

// Runs the program in each of so many ranks, as one call. The test's file is "test" in reports.
Observed Observe(int ranks, const std::function<void(int rank)>& program, bool is_strict = false);

// Fails the test from within a rank.
void ExpectInRank(bool condition, const char* what);

}  // namespace lab::mpi
