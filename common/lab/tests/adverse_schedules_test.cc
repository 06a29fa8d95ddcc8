#include "common/lab/exports/adverse_schedules.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <thread>

namespace {

struct State {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
  bool is_set = false;
};

TEST(AdverseSchedulesTest, ReturnFromTheFirstWaitThoughNobodySignals) {
  std::thread([] {
    State state;
    pthread_mutex_lock(&state.mutex);
    EXPECT_EQ(pthread_cond_wait(&state.changed, &state.mutex), 0);
    EXPECT_NE(pthread_mutex_trylock(&state.mutex), 0) << "the mutex is not held";
    pthread_mutex_unlock(&state.mutex);
  }).join();
}

TEST(AdverseSchedulesTest, LeaveALoopAroundTheWaitRight) {
  State state;
  std::jthread waiter([&] {
    pthread_mutex_lock(&state.mutex);
    int waits = 0;
    while (!state.is_set) {
      pthread_cond_wait(&state.changed, &state.mutex);
      ++waits;
    }
    EXPECT_LE(waits, 3) << "waits, of which every second one sleeps until there is a signal";
    pthread_mutex_unlock(&state.mutex);
  });
  pthread_mutex_lock(&state.mutex);
  state.is_set = true;
  pthread_cond_signal(&state.changed);
  pthread_mutex_unlock(&state.mutex);
}

}  // namespace
