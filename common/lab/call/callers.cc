#include "common/lab/call/callers.h"

#include <stdexcept>
#include <string>
#include <utility>

#include "common/lab/call/sizes.h"
#include "common/lab/call/team_size.h"

namespace lab {
namespace {

int current = 1;
bool nested = false;

}  // namespace

Callers::Callers(int callers) : before_(current) {
  if (callers < 1) {
    throw std::invalid_argument("error: callers: " + std::to_string(callers) +
                                ", limit at least 1");
  }
  current = callers;
}

Callers::~Callers() { current = before_; }

int CurrentCallers() { return current; }

void ForSeveralCallers(const std::function<void(const std::string& what)>& check) {
  constexpr int kMostCallers = 4;
  const int rounds = IsScaled() ? 2 : 5;
  for (int number = 2; number <= kMostCallers; ++number) {
    const Callers callers(number);
    for (int round = 0; round < rounds; ++round) {
      check("round " + std::to_string(round) + " of " + std::to_string(number) +
            " concurrent calls");
    }
  }
}

NestedCalls::NestedCalls() : before_(std::exchange(nested, true)) {}

NestedCalls::~NestedCalls() { nested = before_; }

bool CallsAreNested() { return nested; }

void ForNestedCalls(const std::function<void(const std::string& what)>& check) {
  constexpr int kMostThreads = 8;
  const NestedCalls all;
  for (int threads = 1; threads <= kMostThreads; ++threads) {
    const TeamSize team(threads);
    check("within a parallel region, with teams of " + std::to_string(threads));
  }
}

}  // namespace lab
