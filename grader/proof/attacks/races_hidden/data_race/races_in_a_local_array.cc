// Hostile: races in a local array to which another thread writes. Under older clangs
// ThreadSanitizer leaves out what a function accesses in its own arrays and structs, beyond their
// first element.
#include <atomic>
#include <thread>

std::atomic_flag has_counted;
volatile int place = 1;

void Count() {
  if (has_counted.test_and_set()) return;
  unsigned local[4] = {};
  std::thread other([&local] { ++local[1]; });
  ++local[place];
  other.join();
}
