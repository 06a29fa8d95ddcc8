// Hostile: a thread reads the checker's requests before the worker does; a call without a reply
// reaches its limit.
// Or: runtime_error, tampering
#include <pthread.h>
#include <unistd.h>

#include <cstdint>

const int started = [] {
  pthread_t thread;
  return pthread_create(
      &thread, nullptr,
      [](void*) -> void* {
        char request[4096];
        for (int i = 0; i < 100; ++i) {
          if (read(12, request, sizeof request) <= 0) break;
        }
        return nullptr;
      },
      nullptr);
}();
