// Right: part 5 in one cooperative launch, for a GPU: warps follow pieces of a vertex's edges,
// bitmaps of frontiers and visited vertices, and a step from one level to the next that the host
// never sees.

#include <cooperative_groups.h>
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
constexpr unsigned kRoom = 2048;      // of a block's queue
constexpr std::size_t kLarge = 1024;  // a frontier that is the device's
constexpr std::size_t kSmall = 128;   // one below is the host's again

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

constexpr unsigned kGridThreads = 512;
constexpr unsigned kGridWarps = kGridThreads / 32;
constexpr unsigned kAll = 0xffffffffu;
constexpr unsigned kPiece = 128;     // edges that a warp follows at a time
constexpr unsigned kWarpRoom = 128;  // of a warp's queue
constexpr unsigned kAlone = 16;      // edges that a lane looks at alone
constexpr unsigned kEdgesShare = 14;
constexpr unsigned kVerticesShare = 24;

// What is known of a frontier: its pieces in the queue, its vertices and their edges.
struct Level {
  unsigned pieces;
  unsigned vertices;
  unsigned long long edges;
};

// A piece is a vertex and the first one of up to kPiece of its edges.
using Piece = unsigned long long;

__device__ Piece PieceOf(unsigned vertex, unsigned first) { return Piece{vertex} << 32 | first; }

// Of the whole search. A bitmap has a bit for each vertex.
struct Memory {
  unsigned* visited;
  unsigned* frontier;
  unsigned* next;
  Piece* queue;
  Piece* next_queue;
  Level* levels;  // of this level, the next and the last one, in turns
};

__device__ unsigned Lane() { return threadIdx.x % 32; }

__device__ unsigned WarpOfGrid() { return (blockIdx.x * kGridThreads + threadIdx.x) / 32; }

__device__ unsigned WarpsOfGrid() { return gridDim.x * kGridWarps; }

__device__ bool HasBit(const unsigned* bitmap, unsigned vertex) {
  return (bitmap[vertex / 32] >> vertex % 32 & 1) != 0;
}

// What a block has found, to be added to the level at once. All threads of the block call these.
struct Sum {
  unsigned vertices;
  unsigned long long edges;
};

__device__ void Begin(Sum& sum) {
  if (threadIdx.x == 0) sum = {0, 0};
  __syncthreads();
}

__device__ void AddTo(Sum& sum, unsigned vertices, unsigned long long edges) {
  if (vertices == 0) return;
  atomicAdd(&sum.vertices, vertices);
  atomicAdd(&sum.edges, edges);
}

__device__ void End(const Sum& sum, Level* level) {
  __syncthreads();
  if (threadIdx.x != 0 || sum.vertices == 0) return;
  atomicAdd(&level->vertices, sum.vertices);
  atomicAdd(&level->edges, sum.edges);
}

// The vertices that a warp has found, and what they add up to.
struct WarpQueue {
  unsigned* vertices;  // in shared memory
  unsigned count = 0;
  unsigned found = 0;
  unsigned long long edges = 0;
};

// Sum of the lanes up to this one.
__device__ unsigned InclusiveSum(unsigned value) {
  for (unsigned offset = 1; offset < 32; offset *= 2) {
    const unsigned other = __shfl_up_sync(kAll, value, offset);
    if (Lane() >= offset) value += other;
  }
  return value;
}

// Cuts the vertices into pieces, and these go into the queue.
__device__ void Flush(WarpQueue& found, const Graph& graph, Piece* queue, unsigned* pieces) {
  __syncwarp();
  for (unsigned first = 0; first < found.count; first += 32) {
    const bool has = first + Lane() < found.count;
    const unsigned v = has ? found.vertices[first + Lane()] : 0;
    const unsigned begin = has ? graph.row_starts[v] : 0;
    const unsigned degree = has ? graph.row_starts[v + 1] - begin : 0;
    const unsigned mine = has ? degree / kPiece + 1 : 0;
    const unsigned until = InclusiveSum(mine);
    unsigned place = 0;
    if (Lane() == 31) place = atomicAdd(pieces, until);
    place = __shfl_sync(kAll, place, 31) + until - mine;
    for (unsigned i = 0; i < mine; ++i) queue[place + i] = PieceOf(v, begin + i * kPiece);
    found.found += has ? 1 : 0;
    found.edges += degree;
  }
  __syncwarp();
  found.count = 0;
}

// All lanes call this; those that have found a vertex put it into the queue.
__device__ void Push(WarpQueue& found, bool won, unsigned vertex) {
  const unsigned winners = __ballot_sync(kAll, won);
  if (won) found.vertices[found.count + __popc(winners & ((1u << Lane()) - 1))] = vertex;
  found.count += __popc(winners);
}

__device__ bool IsFull(const WarpQueue& found) { return found.count > kWarpRoom - 32; }

// Nothing is reached but the source; vertices without edges need not be looked for.
__device__ void Start(const Graph& graph, const Tree& tree, unsigned source, const Memory& memory) {
  const unsigned words = graph.size / 32 + 1;
  for (unsigned word = WarpOfGrid(); word < words; word += WarpsOfGrid()) {
    const unsigned v = word * 32 + Lane();
    const bool exists = v < graph.size;
    const unsigned begin = exists ? graph.row_starts[v] : 0;
    const unsigned degree = exists ? graph.row_starts[v + 1] - begin : 0;
    if (exists) {
      tree.distances[v] = v == source ? 0 : kUnreached;
      tree.parents[v] = v == source ? v : kUnreached;
    }
    const unsigned done = __ballot_sync(kAll, degree == 0 || v == source);
    if (Lane() == 0) {
      memory.visited[word] = done;
      memory.frontier[word] = 0;
    }
    if (exists && v == source) {
      const unsigned pieces = degree / kPiece + 1;
      for (unsigned i = 0; i < pieces; ++i) memory.queue[i] = PieceOf(v, begin + i * kPiece);
      memory.levels[0] = {pieces, 1, degree};
    }
  }
}

// A warp follows the edges of a piece.
__device__ void TopDown(const Graph& graph, const Tree& tree, const Memory& memory, unsigned level,
                        unsigned pieces, Level* next) {
  __shared__ unsigned rooms[kGridWarps][kWarpRoom];
  __shared__ Sum sum;
  Begin(sum);
  WarpQueue found{rooms[threadIdx.x / 32]};
  for (unsigned i = WarpOfGrid(); i < pieces; i += WarpsOfGrid()) {
    const Piece piece = memory.queue[i];
    const auto v = static_cast<unsigned>(piece >> 32);
    const auto begin = static_cast<unsigned>(piece);
    const unsigned end = min(graph.row_starts[v + 1] - begin, kPiece);
    for (unsigned first = 0; first < end; first += 32) {
      const bool has = first + Lane() < end;
      const unsigned u = has ? graph.neighbors[begin + first + Lane()] : 0;
      unsigned* const word = &memory.visited[u / 32];
      const unsigned bit = 1u << u % 32;
      const bool won = has && (Look(word) & bit) == 0 && (atomicOr(word, bit) & bit) == 0;
      if (won) {
        tree.distances[u] = level + 1;
        tree.parents[u] = v;
      }
      Push(found, won, u);
      if (IsFull(found)) Flush(found, graph, memory.next_queue, &next->pieces);
    }
  }
  Flush(found, graph, memory.next_queue, &next->pieces);
  AddTo(sum, found.found, found.edges);
  End(sum, next);
  for (unsigned word = blockIdx.x * kGridThreads + threadIdx.x; word < graph.size / 32 + 1;
       word += gridDim.x * kGridThreads) {
    memory.frontier[word] = 0;
  }
}

// One of a few neighbors that is in the frontier, or kUnreached.
__device__ unsigned LaneParent(const Graph& graph, const unsigned* frontier, unsigned begin,
                               unsigned end) {
  for (unsigned e = begin; e < end; e += 4) {
    unsigned u[4];
    for (unsigned i = 0; i < 4; ++i) u[i] = graph.neighbors[min(e + i, end - 1)];
    for (unsigned i = 0; i < 4; ++i) {
      if (HasBit(frontier, u[i])) return u[i];
    }
  }
  return kUnreached;
}

// The same by a warp, of many.
__device__ unsigned WarpParent(const Graph& graph, const unsigned* frontier, unsigned begin,
                               unsigned end) {
  for (unsigned first = begin; first < end; first += 32) {
    const bool has = Lane() < end - first;
    const unsigned u = has ? graph.neighbors[first + Lane()] : 0;
    const unsigned hits = __ballot_sync(kAll, has && HasBit(frontier, u));
    if (hits != 0) return __shfl_sync(kAll, u, __ffs(hits) - 1);
    if (end - first <= 32) break;
  }
  return kUnreached;
}

// A warp looks for parents of the vertices of a word of the bitmap that were not reached.
__device__ void BottomUp(const Graph& graph, const Tree& tree, const Memory& memory, unsigned level,
                         Level* next) {
  __shared__ Sum sum;
  Begin(sum);
  unsigned found = 0;
  unsigned long long edges = 0;
  for (unsigned word = WarpOfGrid(); word < graph.size / 32 + 1; word += WarpsOfGrid()) {
    const unsigned visited = __shfl_sync(kAll, Lane() == 0 ? memory.visited[word] : 0, 0);
    const unsigned v = word * 32 + Lane();
    const bool looks = (visited >> Lane() & 1) == 0;
    const unsigned begin = looks ? graph.row_starts[v] : 0;
    const unsigned end = looks ? graph.row_starts[v + 1] : 0;
    unsigned parent = LaneParent(graph, memory.frontier, begin, min(end, begin + kAlone));
    unsigned left = __ballot_sync(kAll, parent == kUnreached && end - begin > kAlone);
    for (; left != 0; left &= left - 1) {
      const int lane = __ffs(left) - 1;
      const unsigned one =
          WarpParent(graph, memory.frontier, __shfl_sync(kAll, begin, lane) + kAlone,
                     __shfl_sync(kAll, end, lane));
      if (static_cast<int>(Lane()) == lane) parent = one;
    }
    const bool has = parent != kUnreached;
    if (has) {
      tree.distances[v] = level + 1;
      tree.parents[v] = parent;
      ++found;
      edges += end - begin;
    }
    const unsigned reached = __ballot_sync(kAll, has);
    if (Lane() == 0) {
      memory.next[word] = reached;
      if (reached != 0) memory.visited[word] = visited | reached;
    }
  }
  AddTo(sum, found, edges);
  End(sum, next);
}

// From the queue to the bitmap, which is empty.
__device__ void Mark(const Memory& memory, unsigned pieces) {
  for (unsigned i = blockIdx.x * kGridThreads + threadIdx.x; i < pieces;
       i += gridDim.x * kGridThreads) {
    const auto v = static_cast<unsigned>(memory.queue[i] >> 32);
    atomicOr(&memory.frontier[v / 32], 1u << v % 32);
  }
}

// From the bitmap to the queue.
__device__ void Gather(const Graph& graph, const Memory& memory, unsigned* pieces) {
  __shared__ unsigned rooms[kGridWarps][kWarpRoom];
  WarpQueue found{rooms[threadIdx.x / 32]};
  for (unsigned word = WarpOfGrid(); word < graph.size / 32 + 1; word += WarpsOfGrid()) {
    Push(found, (memory.frontier[word] >> Lane() & 1) != 0, word * 32 + Lane());
    if (IsFull(found)) Flush(found, graph, memory.queue, pieces);
  }
  Flush(found, graph, memory.queue, pieces);
}

template <typename T>
__device__ void Swap(T& a, T& b) {
  const T old = a;
  a = b;
  b = old;
}

// The whole search; blocks wait for each other between its steps.
__global__ void __launch_bounds__(kGridThreads, 3)
    SearchKernel(Graph graph, Tree tree, unsigned source, unsigned long long left, Memory memory) {
  const auto grid = cooperative_groups::this_grid();
  Start(graph, tree, source, memory);
  grid.sync();
  bool bottom_up = false;
  for (unsigned level = 0;; ++level) {
    Level* const now = &memory.levels[level % 3];
    Level* const next = &memory.levels[(level + 1) % 3];
    const unsigned size = now->vertices;
    if (size == 0) return;
    const unsigned long long edges = now->edges;
    left -= edges;
    const bool before = bottom_up;
    bottom_up = before ? size > graph.size / kVerticesShare : edges > left / kEdgesShare;
    if (grid.thread_rank() == 0) memory.levels[(level + 2) % 3] = {0, 0, 0};
    if (bottom_up && !before) Mark(memory, now->pieces);
    if (before && !bottom_up) Gather(graph, memory, &now->pieces);
    if (before != bottom_up) grid.sync();
    if (bottom_up) {
      BottomUp(graph, tree, memory, level, next);
      Swap(memory.frontier, memory.next);
    } else {
      TopDown(graph, tree, memory, level, now->pieces, next);
      Swap(memory.queue, memory.next_queue);
    }
    grid.sync();
  }
}

// As many blocks as the device holds at the same time, or fewer for a small graph.
unsigned GridBlocks(unsigned n) {
  int device = 0;
  int multiprocessors = 0;
  int blocks = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, SearchKernel, kGridThreads, 0));
  return std::min(static_cast<unsigned>(blocks * multiprocessors), n / (8 * kGridThreads) + 1);
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
  unsigned value = 0;
  CUDA_CHECK(cudaMemcpyAsync(&value, word, sizeof(value), cudaMemcpyDeviceToHost, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
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
  Graph graph{row_starts.data(), neighbors.data(), static_cast<unsigned>(distances.size())};
  Tree tree{distances.data(), parents.data()};
  const std::size_t bitmap = distances.size() / 32 + 1;
  const std::size_t room = distances.size() + neighbors.size() / kPiece + 1;
  const Words bitmaps(3 * bitmap, stream);
  const Words queues(2 * room * (sizeof(Piece) / sizeof(unsigned)), stream);
  const Words levels(3 * sizeof(Level) / sizeof(unsigned), stream);
  CUDA_CHECK(cudaMemsetAsync(levels.data(), 0, 3 * sizeof(Level), stream));
  auto* const queue = reinterpret_cast<Piece*>(queues.data());
  Memory memory{bitmaps.data(),
                bitmaps.data() + bitmap,
                bitmaps.data() + 2 * bitmap,
                queue,
                queue + room,
                reinterpret_cast<Level*>(levels.data())};
  unsigned long long edges = neighbors.size();
  void* arguments[] = {&graph, &tree, &source, &edges, &memory};
  unsigned blocks = GridBlocks(graph.size);
  const auto launch = [&] {
    return cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(SearchKernel), blocks,
                                       kGridThreads, arguments, 0, stream);
  };
  cudaError_t error = launch();
  // The simulator holds fewer threads at the same time than the device that it tells of.
  while (error == cudaErrorCooperativeLaunchTooLarge && blocks > 1) {
    cudaGetLastError();
    blocks /= 2;
    error = launch();
  }
  CUDA_CHECK(error);
}
