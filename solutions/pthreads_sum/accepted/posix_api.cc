// Right: the POSIX interface, one argument structure for each thread.

#include <pthread.h>

#include <vector>

#include "sum.h"

namespace {

struct Share {
  const float* values;
  std::size_t begin;
  std::size_t end;
  double* total;
  pthread_mutex_t* mutex;
};

void* AddShare(void* argument) {
  const Share* share = static_cast<Share*>(argument);
  double partial = 0;
  for (std::size_t i = share->begin; i < share->end; ++i) partial += share->values[i];
  pthread_mutex_lock(share->mutex);
  *share->total += partial;
  pthread_mutex_unlock(share->mutex);
  return nullptr;
}

struct Queue {
  std::span<const float> values;
  std::size_t chunk;
  std::size_t next;
  double total;
  pthread_mutex_t next_mutex;
  pthread_mutex_t total_mutex;
};

void* WorkOffQueue(void* argument) {
  Queue* queue = static_cast<Queue*>(argument);
  double partial = 0;
  while (true) {
    pthread_mutex_lock(&queue->next_mutex);
    const std::size_t begin = queue->next;
    const std::size_t left = queue->values.size() - begin;
    const std::size_t count = queue->chunk < left ? queue->chunk : left;
    queue->next = begin + count;
    pthread_mutex_unlock(&queue->next_mutex);
    if (count == 0) break;
    for (std::size_t i = begin; i < begin + count; ++i) partial += queue->values[i];
  }
  pthread_mutex_lock(&queue->total_mutex);
  queue->total += partial;
  pthread_mutex_unlock(&queue->total_mutex);
  return nullptr;
}

struct Pool {
  std::span<const float> values;
  std::span<const std::size_t> ends;
  double* sums;
  std::size_t added;
  std::size_t taken;
  bool closed;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
};

// The number of the next array, waited for; the number of all arrays once there is no next one.
std::size_t TakeArray(Pool* pool) {
  pthread_mutex_lock(&pool->mutex);
  while (pool->taken == pool->added && !pool->closed) {
    pthread_cond_wait(&pool->changed, &pool->mutex);
  }
  const std::size_t taken = pool->taken < pool->added ? pool->taken++ : pool->ends.size();
  pthread_mutex_unlock(&pool->mutex);
  return taken;
}

void* ServePool(void* argument) {
  Pool* pool = static_cast<Pool*>(argument);
  for (std::size_t s = TakeArray(pool); s < pool->ends.size(); s = TakeArray(pool)) {
    double sum = 0;
    for (std::size_t i = s == 0 ? 0 : pool->ends[s - 1]; i < pool->ends[s]; ++i) {
      sum += pool->values[i];
    }
    pool->sums[s] = sum;
  }
  return nullptr;
}

}  // namespace

double SumPartial(std::span<const float> values, int num_threads) {
  double total = 0;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  std::vector<pthread_t> threads(num_threads);
  std::vector<Share> shares(num_threads);
  const std::size_t size = (values.size() + num_threads - 1) / num_threads;
  for (int t = 0; t < num_threads; ++t) {
    const std::size_t begin = size * t < values.size() ? size * t : values.size();
    const std::size_t end = begin + size < values.size() ? begin + size : values.size();
    shares[t] = {values.data(), begin, end, &total, &mutex};
    pthread_create(&threads[t], nullptr, AddShare, &shares[t]);
  }
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  return total;
}

double SumQueue(std::span<const float> values, int num_threads, std::size_t chunk) {
  Queue queue{values, chunk, 0, 0, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
  std::vector<pthread_t> threads(num_threads);
  for (pthread_t& thread : threads) pthread_create(&thread, nullptr, WorkOffQueue, &queue);
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  return queue.total;
}

void SumMany(std::span<const float> values, std::span<const std::size_t> ends, int num_threads,
             std::span<double> sums) {
  Pool pool{
      values, ends, sums.data(), 0, 0, false, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};
  std::vector<pthread_t> threads(num_threads);
  for (pthread_t& thread : threads) pthread_create(&thread, nullptr, ServePool, &pool);
  for (std::size_t s = 0; s < ends.size(); ++s) {
    pthread_mutex_lock(&pool.mutex);
    ++pool.added;
    pthread_mutex_unlock(&pool.mutex);
    pthread_cond_signal(&pool.changed);
  }
  pthread_mutex_lock(&pool.mutex);
  pool.closed = true;
  pthread_mutex_unlock(&pool.mutex);
  pthread_cond_broadcast(&pool.changed);
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
}
