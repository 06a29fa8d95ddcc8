#include <pthread.h>
#include <unistd.h>

#include "common/timeline/next_call.h"
#include "common/timeline/recorder.h"
#include "common/timeline/sampler.h"

namespace lab::timeline {
namespace {

constexpr int kPairs = 20'000;

template <typename Lock, typename Unlock>
std::int64_t PairNanoseconds(const Lock& lock, const Unlock& unlock) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  const std::int64_t begin = RunNanoseconds(gettid());
  for (int i = 0; i < kPairs; ++i) {
    lock(&mutex);
    unlock(&mutex);
  }
  return (RunNanoseconds(gettid()) - begin) / kPairs;
}

}  // namespace

std::int64_t EventNanoseconds() {
  static const std::int64_t cost = [] {
    Start();
    const std::int64_t with = PairNanoseconds(pthread_mutex_lock, pthread_mutex_unlock);
    Stop();
    const std::int64_t without =
        PairNanoseconds([](pthread_mutex_t* mutex) { LAB_NEXT(pthread_mutex_lock, mutex); },
                        [](pthread_mutex_t* mutex) { LAB_NEXT(pthread_mutex_unlock, mutex); });
    return (with - without) / 2;
  }();
  return cost;
}

}  // namespace lab::timeline
