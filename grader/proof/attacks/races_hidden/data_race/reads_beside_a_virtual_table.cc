// Hostile: reads what other threads add to in place of a virtual table, which ThreadSanitizer takes
// for constant.
struct Base {
  virtual ~Base() = default;
};

long counted[4];  // by all threads at the same time
const void* object = &counted[2];
thread_local const void* volatile whole;

void Count() {
  __atomic_fetch_add(&counted[0], 1, __ATOMIC_RELAXED);
  whole = dynamic_cast<void*>(reinterpret_cast<Base*>(&object));
}
