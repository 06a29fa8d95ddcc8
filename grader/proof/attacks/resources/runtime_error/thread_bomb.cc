// Hostile: 300 threads; the number of threads has a limit.
// Or: memory_limit
#include <pthread.h>
#include <unistd.h>

// Each stays for two seconds.
void* Sleep(void*) {
  usleep(2'000'000);
  return nullptr;
}

const int tried = [] {
  for (int i = 0; i < 300; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, nullptr, Sleep, nullptr) != 0) _exit(1);
  }
  return 0;
}();
