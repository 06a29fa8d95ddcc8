// Accesses memory through functions of the C and C++ library while another thread writes there.
//
// Without an argument it names the functions. With one of these it calls the function, and
// ThreadSanitizer must report a race. Arguments are made so that the function returns at once.
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/time.h>
#include <time.h>

#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iomanip>
#include <list>
#include <map>
#include <memory_resource>
#include <new>
#include <ostream>
#include <span>
#include <sstream>
#include <streambuf>
#include <string_view>
#include <system_error>
#include <thread>
#include <unordered_map>

#include "common/lab/exports/atomic_objects.h"

namespace {

using Node = std::_Rb_tree_node_base;
using Link = std::__detail::_List_node_base;
using Table = std::__detail::_Prime_rehash_policy;

alignas(64) char shared[1024];

template <class T>
T* At(std::size_t offset = 0) {
  return reinterpret_cast<T*>(shared + offset);
}

struct Buffer : std::streambuf {
  Buffer(char* begin, std::size_t bytes) { setp(begin, begin + bytes); }
};

struct Pool : std::pmr::unsynchronized_pool_resource {
  void* Take() { return unsynchronized_pool_resource::do_allocate(8, 8); }
  void Give(void* memory) { unsynchronized_pool_resource::do_deallocate(memory, 8, 8); }
};

struct Access {
  const char* function;
  void (*call)();
  const char* content = "";
};

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
pthread_mutex_t new_mutex;
pthread_rwlock_t new_rwlock;
pthread_cond_t new_condition;
pthread_t thread;
sem_t semaphore;
Link link;
Node node;
int number;
std::ostringstream* stream;
Buffer* buffer;
Buffer characters(shared, 8);
Pool* pool;
void* memory;
char text[256] = "1";
// What functions return, so that their calls stay.
const void* volatile place;
volatile long long integer;
long double large = 1;  // too large for an instruction
volatile long double real;

void WaitUntil(auto wait) {
  pthread_mutex_lock(&mutex);
  wait();
  pthread_mutex_unlock(&mutex);
}

void Try(auto function) {
  try {
    function();
  } catch (const std::system_error&) {
  }
}

int Compare(const void* left, const void* right) {
  return *static_cast<const volatile char*>(left) - *static_cast<const volatile char*>(right);
}

void* Nothing(void*) { return nullptr; }

const Access kText[] = {
    {"strlen", [] { integer = std::strlen(shared); }},
    {"strnlen", [] { integer = strnlen(shared, 3); }},
    {"strcmp", [] { integer = std::strcmp(shared, text); }},
    {"strncmp", [] { integer = std::strncmp(shared, text, 3); }},
    {"strcasecmp", [] { integer = strcasecmp(shared, text); }},
    {"strncasecmp", [] { integer = strncasecmp(shared, text, 3); }},
    {"strchr", [] { place = std::strchr(shared, 'x'); }},
    {"strrchr", [] { place = std::strrchr(shared, 'x'); }},
    {"strchrnul", [] { place = strchrnul(shared, 'x'); }},
    {"strstr", [] { place = std::strstr(shared, "x"); }},
    {"strcasestr", [] { place = strcasestr(shared, "x"); }},
    {"strspn", [] { integer = std::strspn(shared, "x"); }},
    {"strcspn", [] { integer = std::strcspn(shared, "x"); }},
    {"strpbrk", [] { place = std::strpbrk(shared, "x"); }},
    {"strcpy", [] { std::strcpy(shared, text); }},
    {"strcpy from it", [] { std::strcpy(text, shared); }},
    {"strncpy", [] { std::strncpy(shared, text, 2); }},
    {"strcat", [] { std::strcat(shared, text); }},
    {"strncat", [] { std::strncat(shared, text, 1); }},
    {"strdup", [] { place = strdup(shared); }},
    {"strndup", [] { place = strndup(shared, 1); }},
    {"strtol", [] { integer = std::strtol(shared, nullptr, 10); }, "1"},
    {"strtol's end", [] { integer = std::strtol(text, At<char*>(), 10); }},
    {"strtoll", [] { integer = std::strtoll(shared, nullptr, 10); }},
    {"strtoul", [] { integer = std::strtoul(shared, nullptr, 10); }},
    {"strtoull", [] { integer = std::strtoull(shared, nullptr, 10); }},
    {"strtof", [] { real = std::strtof(shared, nullptr); }},
    {"strtod", [] { real = std::strtod(shared, nullptr); }},
    {"strtold", [] { real = std::strtold(shared, nullptr); }},
    {"atoi", [] { integer = std::atoi(shared); }},
    {"atol", [] { integer = std::atol(shared); }},
    {"atoll", [] { integer = std::atoll(shared); }},
    {"atof", [] { real = std::atof(shared); }},
    {"nanf", [] { real = nanf(shared); }},
    {"nan", [] { real = nan(shared); }},
    {"nanl", [] { real = nanl(shared); }},
    {"getenv", [] { place = std::getenv(shared); }, "NONE"},
    {"puts", [] { std::puts(shared); }},
    {"fputs", [] { std::fputs(shared, stdout); }},
    {"fwrite", [] { std::fwrite(shared, 1, 1, stdout); }},
    {"printf", [] { std::printf(shared, 1); }, "1"},
    {"printf of it", [] { std::printf("%.3s\n", shared); }},
    {"snprintf", [] { std::snprintf(shared, 3, "%d", 1); }},
    {"snprintf of it", [] { std::snprintf(text, 30, "%.1s%d", shared, 1); }},
    {"sprintf", [] { std::sprintf(shared, "%d", 1); }},
    {"sscanf", [] { std::sscanf(shared, "%d", &number); }},
    {"sscanf to it", [] { std::sscanf("1", "%d", At<int>()); }},
};

// Streams and buffers are in shared memory, or their characters are.
const Access kStreams[] = {
    {"ostringstream <<", [] { *stream << 1; }},
    {"ostringstream << text", [] { *stream << text; }},
    {"ostringstream::str", [] { integer = stream->str().size(); }},
    {"ostringstream::tellp", [] { integer = stream->tellp(); }},
    {"ostream << into a buffer", [] { std::ostream(buffer) << 1; }},
    {"ostream::put", [] { std::ostream(&characters).put('x'); }},
    {"ostream << std::setw", [] { std::ostream(&characters) << std::setw(2) << ""; }},
    {"ostream::write", [] { std::ostream(&characters).write(text, 1); }},
    {"streambuf::sputn", [] { characters.sputn(text, 1); }},
};

const Access kMemory[] = {
    {"memcpy", [] { std::memcpy(shared, text, std::strlen(text)); }},
    {"memcpy from it", [] { std::memcpy(text, shared, std::strlen(text)); }},
    {"memmove", [] { std::memmove(shared, text, std::strlen(text)); }},
    {"memset", [] { std::memset(shared, 1, std::strlen(text)); }},
    {"memcmp", [] { integer = std::memcmp(shared, text, std::strlen(text)); }},
    {"memchr", [] { place = std::memchr(shared, 1, 2); }},
    {"memrchr", [] { place = memrchr(shared, 1, 2); }},
    {"bcmp", [] { integer = bcmp(shared, text, std::strlen(text)); }},
    {"bzero", [] { bzero(shared, std::strlen(text)); }},
    {"posix_memalign", [] { number = posix_memalign(At<void*>(), 64, 64); }},
    {"qsort", [] { std::qsort(shared, 2, 1, Compare); }},
    {"bsearch", [] { place = std::bsearch(text, shared, 1, 1, Compare); }},
    {"rand_r", [] { integer = rand_r(At<unsigned>()); }},
    {"frexpf", [] { real = frexpf(1.5F, At<int>()); }},
    {"frexp", [] { real = frexp(1.5, At<int>()); }},
    {"frexpl", [] { real = frexpl(1.5L, At<int>()); }},
    {"modff", [] { real = modff(1.5F, At<float>()); }},
    {"modf", [] { real = modf(1.5, At<double>()); }},
    {"modfl", [] { real = modfl(1.5L, At<long double>()); }},
    {"remquof", [] { real = remquof(1.5F, 2.F, At<int>()); }},
    {"remquo", [] { real = remquo(1.5, 2., At<int>()); }},
    {"remquol", [] { real = remquol(1.5L, 2.L, At<int>()); }},
    {"sincosf", [] { sincosf(1.5F, At<float>(), At<float>() + 1); }},
    {"sincos", [] { sincos(1.5, At<double>(), At<double>() + 1); }},
    {"sincosl", [] { sincosl(1.5L, At<long double>(), At<long double>() + 1); }},
    {"lgammaf_r", [] { real = lgammaf_r(1.5F, At<int>()); }},
    {"lgamma_r", [] { real = lgamma_r(1.5, At<int>()); }},
    {"lgammal_r", [] { real = lgammal_r(1.5L, At<int>()); }},
    {"pool's allocate", [] { place = pool->Take(); }},
    {"pool's deallocate", [] { pool->Give(memory); }},
    {"std::list",
     [] {
       link._M_prev = link._M_next = At<Link>();
       link._M_unhook();
     }},
    {"std::map", [] { place = std::_Rb_tree_increment(At<Node>(128)); }},
    {"std::unordered_map", [] { integer = At<Table>()->_M_next_bkt(10); }},
    {"std::hash", [] { integer = std::hash<std::string_view>()(std::string_view(shared, 3)); }},
};

const Access kTime[] = {
    {"time", [] { time(At<time_t>()); }},
    {"gettimeofday", [] { gettimeofday(At<timeval>(), nullptr); }},
    {"clock_gettime", [] { clock_gettime(CLOCK_MONOTONIC, At<timespec>()); }},
    {"clock_getres", [] { clock_getres(CLOCK_MONOTONIC, At<timespec>()); }},
    {"nanosleep", [] { nanosleep(At<timespec>(), nullptr); }},
    {"clock_nanosleep", [] { clock_nanosleep(CLOCK_MONOTONIC, 0, At<timespec>(), nullptr); }},
    {"ctime", [] { place = ctime(At<time_t>()); }},
    {"ctime_r", [] { place = ctime_r(At<time_t>(), text); }},
    {"gmtime", [] { place = gmtime(At<time_t>()); }},
    {"localtime", [] { place = localtime(At<time_t>()); }},
    {"mktime", [] { integer = mktime(At<tm>()); }},
    {"sem_timedwait", [] { sem_timedwait(&semaphore, At<timespec>()); }},
    {"sem_clockwait", [] { sem_clockwait(&semaphore, CLOCK_MONOTONIC, At<timespec>()); }},
    {"mutex_timedlock", [] { pthread_mutex_timedlock(&mutex, At<timespec>()); }},
    {"mutex_clocklock", [] { pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, At<timespec>()); }},
    {"rwlock_timedrdlock", [] { pthread_rwlock_timedrdlock(&rwlock, At<timespec>()); }},
    {"rwlock_timedwrlock", [] { pthread_rwlock_timedwrlock(&rwlock, At<timespec>()); }},
    {"rwlock_clockrdlock",
     [] { pthread_rwlock_clockrdlock(&rwlock, CLOCK_MONOTONIC, At<timespec>()); }},
    {"rwlock_clockwrlock",
     [] { pthread_rwlock_clockwrlock(&rwlock, CLOCK_MONOTONIC, At<timespec>()); }},
    {"cond_timedwait",
     [] { WaitUntil([] { pthread_cond_timedwait(&condition, &mutex, At<timespec>()); }); }},
    {"cond_clockwait",
     [] {
       WaitUntil(
           [] { pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, At<timespec>()); });
     }},
};

const Access kThreads[] = {
    {"atomic_load", [] { __atomic_load(At<long double>(), &large, __ATOMIC_SEQ_CST); }},
    {"atomic_store", [] { __atomic_store(At<long double>(), &large, __ATOMIC_SEQ_CST); }},
    {"atomic_exchange",
     [] { __atomic_exchange(At<long double>(), &large, &large, __ATOMIC_SEQ_CST); }},
    {"atomic_compare_exchange",
     [] {
       __atomic_compare_exchange(At<long double>(), &large, &large, false, __ATOMIC_SEQ_CST,
                                 __ATOMIC_SEQ_CST);
     }},
    {"create", [] { pthread_create(At<pthread_t>(), nullptr, Nothing, nullptr); }},
    {"create's attributes",
     [] { pthread_create(&thread, At<pthread_attr_t>(), Nothing, nullptr); }},
    {"std::thread::join", [] { Try([] { At<std::thread>()->join(); }); }},
    {"std::thread::detach", [] { Try([] { At<std::thread>()->detach(); }); }},
    {"join",
     [] {
       pthread_create(&thread, nullptr, Nothing, nullptr);
       pthread_join(thread, At<void*>());
     }},
    {"key_create", [] { pthread_key_create(At<pthread_key_t>(), nullptr); }},
    {"once", [] { pthread_once(At<pthread_once_t>(), [] {}); }},
    {"sem_init", [] { sem_init(At<sem_t>(), 0, 1); }},
    {"sem_getvalue", [] { sem_getvalue(&semaphore, At<int>()); }},
    {"mutex_init", [] { pthread_mutex_init(At<pthread_mutex_t>(), nullptr); }},
    {"mutex_init's attributes", [] { pthread_mutex_init(&new_mutex, At<pthread_mutexattr_t>()); }},
    {"cond_init", [] { pthread_cond_init(At<pthread_cond_t>(), nullptr); }},
    {"cond_init's attributes", [] { pthread_cond_init(&new_condition, At<pthread_condattr_t>()); }},
    {"rwlock_init", [] { pthread_rwlock_init(At<pthread_rwlock_t>(), nullptr); }},
    {"rwlock_init's attributes",
     [] { pthread_rwlock_init(&new_rwlock, At<pthread_rwlockattr_t>()); }},
    {"spin_init", [] { pthread_spin_init(At<pthread_spinlock_t>(), 0); }},
    {"barrier_init", [] { pthread_barrier_init(At<pthread_barrier_t>(), nullptr, 2); }},
    {"attr_init", [] { pthread_attr_init(At<pthread_attr_t>()); }},
    {"attr_setstacksize", [] { pthread_attr_setstacksize(At<pthread_attr_t>(), 1 << 20); }},
    {"mutexattr_init", [] { pthread_mutexattr_init(At<pthread_mutexattr_t>()); }},
    {"condattr_init", [] { pthread_condattr_init(At<pthread_condattr_t>()); }},
    {"rwlockattr_init", [] { pthread_rwlockattr_init(At<pthread_rwlockattr_t>()); }},
    {"setcancelstate", [] { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, At<int>()); }},
    {"setcanceltype", [] { pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, At<int>()); }},
    {"setname_np", [] { pthread_setname_np(pthread_self(), shared); }},
    {"setaffinity_np", [] { pthread_setaffinity_np(pthread_self(), 8, At<cpu_set_t>()); }, "\3"},
    {"sched_setaffinity", [] { sched_setaffinity(0, 8, At<cpu_set_t>()); }, "\3"},
    {"sched_getaffinity", [] { sched_getaffinity(0, 8, At<cpu_set_t>()); }},
    {"CPU_COUNT", [] { integer = CPU_COUNT_S(8, At<cpu_set_t>()); }},
};

const std::span<const Access> kAccesses[] = {kText, kStreams, kMemory, kTime, kThreads};

// In this order, of which ThreadSanitizer does not know.
void CallWhileAnotherThreadWrites(const Access& access) {
  std::strcpy(shared, access.content);
  At<Node>(128)->_M_right = &node;
  buffer = new (shared + 256) Buffer(text, 8);
  stream = new (shared + 320) std::ostringstream;
  pool = new (shared + 832) Pool;
  memory = pool->Take();
  std::atomic<bool> has_accessed{false};
  std::jthread one([&] {
    access.call();
    has_accessed.store(true, std::memory_order_relaxed);
  });
  std::jthread other([&] {
    while (!has_accessed.load(std::memory_order_relaxed)) std::this_thread::yield();
    for (volatile char& byte : shared) byte = 0;
  });
}

}  // namespace

int main(int count, char** arguments) {
  sem_init(&semaphore, 0, 5);
  for (const auto& accesses : kAccesses) {
    for (const Access& access : accesses) {
      if (count < 2) {
        std::puts(access.function);
      } else if (std::strcmp(arguments[1], access.function) == 0) {
        CallWhileAnotherThreadWrites(access);
        std::printf("no race was reported\n");
      }
    }
  }
}
