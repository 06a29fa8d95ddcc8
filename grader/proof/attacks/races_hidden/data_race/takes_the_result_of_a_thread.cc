// Hostile: races in pthread_join, which writes what a thread has returned.
#include <pthread.h>

unsigned counted;  // by all threads at the same time

void* rounds;

void* Same(void* value) { return value; }

void Count() {
  thread_local int starts = 0;
  if (starts++ > 2) return;
  pthread_t thread;
  if (pthread_create(&thread, nullptr, Same, static_cast<char*>(rounds) + 1) != 0) return;
  pthread_join(thread, &rounds);
}
