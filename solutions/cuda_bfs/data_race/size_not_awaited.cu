// Wrong: the host looks at the size of the next frontier before it has come.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "common/cuda/check.h"
#include "labs/cuda_bfs/bfs.h"

namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kRoom = 2048;         // of a block's queue
constexpr std::size_t kLarge = 1024;     // a frontier that is the device's
constexpr std::size_t kSmall = 128;      // one below is the host's again
constexpr unsigned kBottomUpShare = 32;  // where more of all vertices are in it, others look for it

// A graph in device memory.
struct Graph {
  const unsigned* row_starts;
  const unsigned* neighbors;
  unsigned size;
};

// What a search has found out, in device memory.
struct Tree {
  unsigned* distances;
  unsigned* parents;
};

__device__ unsigned ThreadOfGrid() { return blockIdx.x * kThreads + threadIdx.x; }

// What others may write at the same time: it is there, or it is not there yet.
__device__ unsigned Look(const unsigned* word) {
  return *static_cast<const volatile unsigned*>(word);
}

// Whether this thread is the one that reaches the vertex. It is asked for the edges to vertices
// that were reached long ago, too, so it looks first.
__device__ bool Claim(unsigned* distance, unsigned level) {
  return Look(distance) == kUnreached && atomicCAS(distance, kUnreached, level) == kUnreached;
}

__global__ void LevelKernel(Graph graph, unsigned level, unsigned* distances, unsigned* last) {
  const unsigned v = ThreadOfGrid();
  if (v >= graph.size || Look(&distances[v]) != level) return;
  bool found = false;
  for (unsigned e = graph.row_starts[v]; e < graph.row_starts[v + 1]; ++e) {
    found |= Claim(&distances[graph.neighbors[e]], level + 1);
  }
  if (found) atomicExch(last, level + 1);
}

__global__ void StartKernel(unsigned source, Tree tree, unsigned* frontier) {
  tree.distances[source] = 0;
  tree.parents[source] = source;
  frontier[0] = source;
}

// The vertices that a search reaches in one level. Those of the last one are frontier[0] to
// frontier[size - 1].
struct Step {
  unsigned level;  // that of the frontier
  const unsigned* frontier;
  unsigned size;
  unsigned* next;
  unsigned* next_size;  // 0 at first
};

__global__ void QueueKernel(Graph graph, Step step, Tree tree) {
  const unsigned i = ThreadOfGrid();
  if (i >= step.size) return;
  const unsigned v = step.frontier[i];
  for (unsigned e = graph.row_starts[v]; e < graph.row_starts[v + 1]; ++e) {
    const unsigned u = graph.neighbors[e];
    if (!Claim(&tree.distances[u], step.level + 1)) continue;
    tree.parents[u] = v;
    step.next[atomicAdd(step.next_size, 1u)] = u;
  }
}

// The vertices that a block has found, in shared memory.
struct PrivateQueue {
  unsigned count;  // of all, with those for which there was no room
  unsigned first;  // where they go in the next frontier
  unsigned vertices[kRoom];
};

// All threads of the block call this and the next but one.
__device__ void Clear(PrivateQueue& queue) {
  if (threadIdx.x == 0) queue.count = 0;
  __syncthreads();
}

__device__ void Append(PrivateQueue& queue, unsigned vertex, const Step& step) {
  const unsigned slot = atomicAdd(&queue.count, 1u);
  if (slot < kRoom) {
    queue.vertices[slot] = vertex;
  } else {
    step.next[atomicAdd(step.next_size, 1u)] = vertex;
  }
}

__device__ void HandOver(PrivateQueue& queue, const Step& step) {
  __syncthreads();
  const unsigned kept = min(queue.count, kRoom);
  if (threadIdx.x == 0 && kept > 0) queue.first = atomicAdd(step.next_size, kept);
  __syncthreads();
  for (unsigned i = threadIdx.x; i < kept; i += kThreads) {
    step.next[queue.first + i] = queue.vertices[i];
  }
}

__global__ void PrivateQueueKernel(Graph graph, Step step, Tree tree) {
  __shared__ PrivateQueue found;
  Clear(found);
  const unsigned i = ThreadOfGrid();
  if (i < step.size) {
    const unsigned v = step.frontier[i];
    for (unsigned e = graph.row_starts[v]; e < graph.row_starts[v + 1]; ++e) {
      const unsigned u = graph.neighbors[e];
      if (!Claim(&tree.distances[u], step.level + 1)) continue;
      tree.parents[u] = v;
      Append(found, u, step);
    }
  }
  HandOver(found, step);
}

// A vertex that was not reached yet looks for one that the last level has reached. Nobody else
// writes its distance, but others look at it.
__global__ void BottomUpKernel(Graph graph, Step step, Tree tree) {
  const unsigned v = ThreadOfGrid();
  bool found = false;
  if (v < graph.size && tree.distances[v] == kUnreached) {
    for (unsigned e = graph.row_starts[v]; e < graph.row_starts[v + 1] && !found; ++e) {
      const unsigned u = graph.neighbors[e];
      if (Look(&tree.distances[u]) != step.level) continue;
      static_cast<volatile unsigned*>(tree.distances)[v] = step.level + 1;
      tree.parents[v] = u;
      found = true;
    }
  }
  const int in_block = __syncthreads_count(found);
  if (threadIdx.x == 0 && in_block > 0) atomicAdd(step.next_size, static_cast<unsigned>(in_block));
}

// Puts the vertices of the level into the queue.
__global__ void GatherKernel(Graph graph, Step step, Tree tree) {
  __shared__ PrivateQueue found;
  Clear(found);
  const unsigned v = ThreadOfGrid();
  if (v < graph.size && tree.distances[v] == step.level) Append(found, v, step);
  HandOver(found, step);
}

unsigned BlocksFor(unsigned threads) { return threads / kThreads + 1; }

// Device memory that is taken and given back in the order of the stream.
class Words {
 public:
  Words(std::size_t count, cudaStream_t stream) : stream_(stream) {
    CUDA_CHECK(cudaMallocAsync(&data_, count * sizeof(unsigned), stream));
  }
  Words(const Words&) = delete;
  Words& operator=(const Words&) = delete;
  ~Words() { cudaFreeAsync(data_, stream_); }

  unsigned* data() const { return static_cast<unsigned*>(data_); }

 private:
  void* data_ = nullptr;
  cudaStream_t stream_;
};

void Zero(unsigned* word, cudaStream_t stream) {
  CUDA_CHECK(cudaMemsetAsync(word, 0, sizeof(unsigned), stream));
}

// Waits for the stream.
unsigned ValueOf(const unsigned* word, cudaStream_t stream) {
  unsigned* pinned = nullptr;
  CUDA_CHECK(cudaMallocHost(&pinned, sizeof(unsigned)));
  *pinned = 0;
  const cudaError_t error =
      cudaMemcpyAsync(pinned, word, sizeof(unsigned), cudaMemcpyDeviceToHost, stream);
  const unsigned value = *pinned;
  cudaFreeHost(pinned);
  CUDA_CHECK(error);
  return value;
}

// kUnreached has all bits set.
void Clear(DeviceSpan<unsigned> words, cudaStream_t stream) {
  CUDA_CHECK(cudaMemsetAsync(words.data(), 0xff, words.size_bytes(), stream));
}

// A search on the device, level by level.
class Search {
 public:
  Search(DeviceSpan<const unsigned> row_starts, DeviceSpan<const unsigned> neighbors,
         DeviceSpan<unsigned> distances, DeviceSpan<unsigned> parents, cudaStream_t stream)
      : stream_(stream),
        graph_{row_starts.data(), neighbors.data(), static_cast<unsigned>(distances.size())},
        tree_{distances.data(), parents.data()},
        words_(2 * std::size_t{graph_.size} + 1, stream),
        frontier_(words_.data() + 1),
        next_(frontier_ + graph_.size) {
    Clear(distances, stream);
    Clear(parents, stream);
  }

  void StartAt(unsigned source) {
    StartKernel<<<1, 1, 0, stream_>>>(source, tree_, frontier_);
    CUDA_CHECK(cudaGetLastError());
    size_ = 1;
  }

  // Goes on with what the host has found.
  void StartAt(unsigned level, const std::vector<unsigned>& frontier) {
    level_ = level;
    size_ = static_cast<unsigned>(frontier.size());
    CUDA_CHECK(cudaMemcpyAsync(frontier_, frontier.data(), size_ * sizeof(unsigned),
                               cudaMemcpyHostToDevice, stream_));
  }

  void ByQueue() {
    Zero(next_size(), stream_);
    QueueKernel<<<BlocksFor(size_), kThreads, 0, stream_>>>(graph_, ThisStep(), tree_);
    Finish();
  }

  void ByPrivateQueues() {
    Zero(next_size(), stream_);
    PrivateQueueKernel<<<BlocksFor(size_), kThreads, 0, stream_>>>(graph_, ThisStep(), tree_);
    Finish();
  }

  // The frontier is not in the queue afterwards.
  void BottomUp() {
    Zero(next_size(), stream_);
    BottomUpKernel<<<BlocksFor(graph_.size), kThreads, 0, stream_>>>(graph_, ThisStep(), tree_);
    Finish();
  }

  void Gather() {
    Zero(next_size(), stream_);
    GatherKernel<<<BlocksFor(graph_.size), kThreads, 0, stream_>>>(graph_, ThisStep(), tree_);
    CUDA_CHECK(cudaGetLastError());
    std::swap(frontier_, next_);
  }

  unsigned size() const { return size_; }
  unsigned level() const { return level_; }
  std::vector<unsigned> Frontier() const {
    std::vector<unsigned> frontier(size_);
    CUDA_CHECK(cudaMemcpyAsync(frontier.data(), frontier_, size_ * sizeof(unsigned),
                               cudaMemcpyDeviceToHost, stream_));
    CUDA_CHECK(cudaStreamSynchronize(stream_));
    return frontier;
  }

 private:
  unsigned* next_size() const { return words_.data(); }
  Step ThisStep() const { return {level_, frontier_, size_, next_, next_size()}; }

  void Finish() {
    CUDA_CHECK(cudaGetLastError());
    size_ = ValueOf(next_size(), stream_);
    std::swap(frontier_, next_);
    ++level_;
  }

  cudaStream_t stream_;
  Graph graph_;
  Tree tree_;
  Words words_;  // the size of the next frontier, and both frontiers
  unsigned* frontier_;
  unsigned* next_;
  unsigned size_ = 0;
  unsigned level_ = 0;
};

// A search on the host.
class HostSearch {
 public:
  HostSearch(std::span<const unsigned> row_starts, std::span<const unsigned> neighbors,
             unsigned source, std::size_t size)
      : row_starts_(row_starts),
        neighbors_(neighbors),
        distances_(size, kUnreached),
        parents_(size, kUnreached),
        frontier_{source} {
    distances_[source] = 0;
    parents_[source] = source;
  }

  // Until the frontier has this size or is empty.
  void GrowTo(std::size_t size) {
    while (!frontier_.empty() && frontier_.size() < size) Grow();
  }

  void Store(DeviceSpan<unsigned> distances, DeviceSpan<unsigned> parents,
             cudaStream_t stream) const {
    CUDA_CHECK(cudaMemcpyAsync(distances.data(), distances_.data(), distances.size_bytes(),
                               cudaMemcpyHostToDevice, stream));
    CUDA_CHECK(cudaMemcpyAsync(parents.data(), parents_.data(), parents.size_bytes(),
                               cudaMemcpyHostToDevice, stream));
  }

  // What the device has found until it was at this frontier of this level. Waits for the stream.
  void Load(DeviceSpan<const unsigned> distances, DeviceSpan<const unsigned> parents,
            std::vector<unsigned> frontier, unsigned level, cudaStream_t stream) {
    CUDA_CHECK(cudaMemcpyAsync(distances_.data(), distances.data(), distances.size_bytes(),
                               cudaMemcpyDeviceToHost, stream));
    CUDA_CHECK(cudaMemcpyAsync(parents_.data(), parents.data(), parents.size_bytes(),
                               cudaMemcpyDeviceToHost, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    frontier_ = std::move(frontier);
    level_ = level;
  }

  const std::vector<unsigned>& frontier() const { return frontier_; }
  unsigned level() const { return level_; }

 private:
  void Grow() {
    next_.clear();
    ++level_;
    for (const unsigned v : frontier_) {
      for (const unsigned u :
           neighbors_.subspan(row_starts_[v], row_starts_[v + 1] - row_starts_[v])) {
        if (distances_[u] != kUnreached) continue;
        distances_[u] = level_;
        parents_[u] = v;
        next_.push_back(u);
      }
    }
    frontier_.swap(next_);
  }

  std::span<const unsigned> row_starts_;
  std::span<const unsigned> neighbors_;
  std::vector<unsigned> distances_;
  std::vector<unsigned> parents_;
  std::vector<unsigned> frontier_;
  std::vector<unsigned> next_;
  unsigned level_ = 0;
};

}  // namespace

void SearchByVertex(DeviceSpan<const unsigned> row_starts, DeviceSpan<const unsigned> neighbors,
                    unsigned source, DeviceSpan<unsigned> distances, cudaStream_t stream) {
  if (distances.empty()) return;
  const Graph graph{row_starts.data(), neighbors.data(), static_cast<unsigned>(distances.size())};
  const Words last(1, stream);  // the last level in which a vertex was found
  Zero(last.data(), stream);
  Clear(distances, stream);
  Zero(distances.data() + source, stream);
  unsigned level = 0;
  do {
    LevelKernel<<<BlocksFor(graph.size), kThreads, 0, stream>>>(graph, level, distances.data(),
                                                                last.data());
    CUDA_CHECK(cudaGetLastError());
    ++level;
  } while (ValueOf(last.data(), stream) == level);
}

void SearchByQueue(DeviceSpan<const unsigned> row_starts, DeviceSpan<const unsigned> neighbors,
                   unsigned source, DeviceSpan<unsigned> distances, DeviceSpan<unsigned> parents,
                   cudaStream_t stream) {
  if (distances.empty()) return;
  Search search(row_starts, neighbors, distances, parents, stream);
  search.StartAt(source);
  while (search.size() > 0) search.ByQueue();
}

void SearchByPrivateQueues(DeviceSpan<const unsigned> row_starts,
                           DeviceSpan<const unsigned> neighbors, unsigned source,
                           DeviceSpan<unsigned> distances, DeviceSpan<unsigned> parents,
                           cudaStream_t stream) {
  if (distances.empty()) return;
  Search search(row_starts, neighbors, distances, parents, stream);
  search.StartAt(source);
  while (search.size() > 0) search.ByPrivateQueues();
}

// To the device and back at most once each, so that a frontier which grows and shrinks again and
// again does not move everything with it.
void SearchHybrid(std::span<const unsigned> host_row_starts,
                  std::span<const unsigned> host_neighbors, DeviceSpan<const unsigned> row_starts,
                  DeviceSpan<const unsigned> neighbors, unsigned source,
                  DeviceSpan<unsigned> distances, DeviceSpan<unsigned> parents,
                  cudaStream_t stream) {
  if (distances.empty()) return;
  HostSearch host(host_row_starts, host_neighbors, source, distances.size());
  host.GrowTo(kLarge);
  if (!host.frontier().empty()) {
    Search device(row_starts, neighbors, distances, parents, stream);
    host.Store(distances, parents, stream);
    device.StartAt(host.level(), host.frontier());
    while (device.size() >= kSmall) device.ByPrivateQueues();
    if (device.size() == 0) return;
    host.Load(distances, parents, device.Frontier(), device.level(), stream);
    host.GrowTo(distances.size() + 1);
  }
  host.Store(distances, parents, stream);
}

void SearchBothWays(DeviceSpan<const unsigned> row_starts, DeviceSpan<const unsigned> neighbors,
                    unsigned source, DeviceSpan<unsigned> distances, DeviceSpan<unsigned> parents,
                    cudaStream_t stream) {
  if (distances.empty()) return;
  Search search(row_starts, neighbors, distances, parents, stream);
  search.StartAt(source);
  bool in_queue = true;
  while (search.size() > 0) {
    const bool bottom_up = search.size() > distances.size() / kBottomUpShare;
    if (bottom_up) {
      search.BottomUp();
    } else {
      if (!in_queue) search.Gather();
      search.ByPrivateQueues();
    }
    in_queue = !bottom_up;
  }
}
