// Input for tests: the same numbers in every run.
#pragma once

#include <vector>

// `count` numbers in [-limit / 2, limit / 2).
inline std::vector<int> Numbers(int count, int limit = 1000) {
  std::vector<int> values(count);
  unsigned state = 12345;
  for (int& value : values) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<int>((state >> 8) % static_cast<unsigned>(limit)) - limit / 2;
  }
  return values;
}

// `count` numbers in [0, limit).
inline std::vector<int> SmallNumbers(int count, int limit = 100) {
  std::vector<int> values = Numbers(count, limit);
  for (int& value : values) value += limit / 2;
  return values;
}
