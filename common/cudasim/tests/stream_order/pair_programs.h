// What programs of pairs share: one with a synchronisation, and one without it or with it in the
// wrong place.
#pragma once

#include <cstdio>
#include <cstring>
#include <initializer_list>

template <class Resources>
struct PairOfPrograms {
  const char* name;
  void (*right)(Resources&);
  void (*wrong)(Resources&);
};

#define PAIR(function) \
  { #function, function < true>, function < false> }

// `list` prints the names, NAME runs the right program, NAME without the wrong one. Returns 0, or 2
// if there is no such pair.
template <class Resources>
int RunPair(int argc, char** argv, std::initializer_list<PairOfPrograms<Resources>> pairs) {
  const bool lists = argc == 2 && std::strcmp(argv[1], "list") == 0;
  for (const auto& pair : pairs) {
    if (lists) std::puts(pair.name);
    if (argc < 2 || std::strcmp(argv[1], pair.name) != 0) continue;
    Resources resources;
    (argc == 2 ? pair.right : pair.wrong)(resources);
    return 0;
  }
  return lists ? 0 : 2;
}
