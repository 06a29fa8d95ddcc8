// Pairs of programs: one with a synchronisation, and one without it or with it in the wrong place.
#pragma once

#include <initializer_list>
#include <vector>

struct PairOfPrograms {
  const char* name;
  void (*right)();
  void (*wrong)();
};

inline std::vector<PairOfPrograms>& Pairs() {
  static std::vector<PairOfPrograms> pairs;
  return pairs;
}

inline bool AddPairs(std::initializer_list<PairOfPrograms> pairs) {
  Pairs().insert(Pairs().end(), pairs);
  return true;
}

template <class Resources, void (*program)(Resources&)>
void RunWith() {
  Resources resources;
  program(resources);
}

// The file's struct Resources is what its programs use.
#define PAIR(function) \
  { #function, RunWith < Resources, function < true>>, RunWith < Resources, function < false>> }
