// Compares containers that the race checker's functions change with others that they do not, and
// uses what the race checker defines without a race. Prints digits, and what is wrong, or a report.
#include <pthread.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <list>
#include <map>
#include <memory_resource>
#include <random>
#include <sstream>
#include <string>
#include <syncstream>
#include <unordered_map>
#include <vector>

namespace {

std::mt19937 random_number(1);

int Below(std::size_t limit) { return static_cast<int>(random_number() % limit); }

bool ListsAreRight() {
  std::list<int> lists[2];
  std::vector<int> models[2];
  for (int step = 0; step < 20'000; ++step) {
    const int a = Below(2);
    auto& list = lists[a];
    auto& model = models[a];
    const int at = Below(model.size() + 1);
    switch (Below(6)) {
      case 0:
      case 1:
        list.insert(std::next(list.begin(), at), step);
        model.insert(model.begin() + at, step);
        break;
      case 2:
        if (model.empty()) break;
        list.erase(std::next(list.begin(), at % model.size()));
        model.erase(model.begin() + at % model.size());
        break;
      case 3:
        list.reverse();
        std::reverse(model.begin(), model.end());
        break;
      case 4:
        std::swap(lists[0], lists[1]);
        std::swap(models[0], models[1]);
        break;
      case 5: {
        auto& other = models[1 - a];
        const int from = Below(other.size() + 1);
        const auto first = std::next(lists[1 - a].begin(), from);
        list.splice(std::next(list.begin(), at), lists[1 - a], first, lists[1 - a].end());
        model.insert(model.begin() + at, other.begin() + from, other.end());
        other.resize(from);
      }
    }
    for (int i : {0, 1}) {
      if (!std::equal(lists[i].begin(), lists[i].end(), models[i].begin(), models[i].end()) ||
          !std::equal(lists[i].rbegin(), lists[i].rend(), models[i].rbegin(), models[i].rend())) {
        return false;
      }
    }
    if (model.size() > 40) list.clear(), model.clear();
  }
  return true;
}

bool TreesAndTablesAreRight() {
  std::map<int, std::string> tree;
  std::unordered_map<std::string, int> table;
  std::vector<bool> model(1000);
  for (int step = 0; step < 20'000; ++step) {
    const int key = Below(model.size());
    model[key] = !model[key];
    if (model[key]) {
      tree[key] = table[std::to_string(key)] = key;
    } else {
      tree.erase(key);
      table.erase(std::to_string(key));
    }
  }
  std::vector<int> expected, found, backwards;
  for (int key = 0; key < 1000; ++key) {
    if (model[key]) expected.push_back(key);
    if (table.count(std::to_string(key)) != model[key]) return false;
  }
  for (const auto& entry : tree) found.push_back(entry.first);
  for (auto entry = tree.rbegin(); entry != tree.rend(); ++entry) backwards.push_back(entry->first);
  std::reverse(backwards.begin(), backwards.end());
  return found == expected && backwards == expected;
}

bool StreamsAreRight() {
  std::ostringstream out;
  std::string expected;
  for (int step = 0; step < 1000; ++step) {
    out << step << ' ' << std::hex << step << std::dec;
    char digits[20];
    expected.append(digits, std::snprintf(digits, sizeof digits, "%d %x", step, step));
  }
  return out.str() == expected;
}

std::list<std::string> jobs;
std::map<int, int> tree;
std::unordered_map<std::string, int> table;
std::ostringstream log_of_all;
std::pmr::unsynchronized_pool_resource pool;
pthread_mutex_t mutex;
pthread_cond_t changed;
pthread_once_t once = PTHREAD_ONCE_INIT;
int made = 0;

void* Share(void*) {
  pthread_once(&once, [] { made = 1; });
  for (int step = 0; step < 200; ++step) {
    std::ostringstream own;
    own << step;
    std::cout << own.str() << step;
    std::osyncstream(std::cout) << step;
    pthread_mutex_lock(&mutex);
    log_of_all << step << own.str();
    pool.deallocate(pool.allocate(step), step);
    jobs.push_back(std::to_string(step));
    jobs.front().append(made, 'x');
    if (!tree.try_emplace(step, step).second) tree.erase(step);
    table[jobs.front()] = step;
    jobs.pop_front();
    timespec end{};
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_nsec = (end.tv_nsec + 10'000) % 1'000'000'000;
    pthread_cond_timedwait(&changed, &mutex, &end);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
  }
  return nullptr;
}

void ShareAsOneShould() {
  pthread_condattr_t clock;
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_cond_init(&changed, &clock);
  pthread_condattr_destroy(&clock);
  pthread_mutexattr_t type;
  pthread_mutexattr_init(&type);
  pthread_mutexattr_settype(&type, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&mutex, &type);
  pthread_t threads[3];
  for (pthread_t& thread : threads) pthread_create(&thread, nullptr, Share, nullptr);
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  if (!jobs.empty() || table.empty() || log_of_all.str().size() != 3 * 2 * (10 + 2 * 90 + 3 * 100))
    std::puts("shared containers are wrong");
}

// Their stacks are used again by others.
void* CreateThreads(void* create) {
  for (int round = 0; round < 10; ++round) {
    pthread_t threads[4];
    const auto function = create == nullptr ? [](void*) -> void* { return nullptr; }
                                            : CreateThreads;
    for (pthread_t& thread : threads) pthread_create(&thread, nullptr, function, nullptr);
    for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  }
  return nullptr;
}

}  // namespace

int main() {
  if (!ListsAreRight()) std::puts("a list differs from its model");
  if (!TreesAndTablesAreRight()) std::puts("a map differs from its model");
  if (!StreamsAreRight()) std::puts("a stream differs from its model");
  ShareAsOneShould();
  CreateThreads(&jobs);
}
