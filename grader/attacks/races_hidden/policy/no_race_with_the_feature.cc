// Hostile: detects the race checker's build by __has_feature.
// Or: data_race
#include "labs/attacked_cpu/mix.h"

namespace {

unsigned counted;  // by all threads at the same time

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if __has_feature(thread_sanitizer)
void Count() { __atomic_fetch_add(&counted, 1, __ATOMIC_SEQ_CST); }
#else
void Count() { ++counted; }
#endif

}  // namespace
