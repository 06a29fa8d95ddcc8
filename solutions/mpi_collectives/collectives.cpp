// Reference: trees, a ring, recursive doubling and exchanges by pairs.
#include "labs/mpi_collectives/collectives.h"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace {

constexpr int kTag = 0;

struct World {
  int rank;
  int size;
};

World TheWorld() {
  World world;
  MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world.size);
  return world;
}

void Send(const double* values, std::size_t count, int to) {
  MPI_Send(values, static_cast<int>(count), MPI_DOUBLE, to, kTag, MPI_COMM_WORLD);
}

void Receive(double* values, std::size_t count, int from) {
  MPI_Recv(values, static_cast<int>(count), MPI_DOUBLE, from, kTag, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
}

void Exchange(const double* sent, std::size_t sent_count, int to, double* received,
              std::size_t received_count, int from) {
  MPI_Sendrecv(sent, static_cast<int>(sent_count), MPI_DOUBLE, to, kTag, received,
               static_cast<int>(received_count), MPI_DOUBLE, from, kTag, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}

// A binomial tree. Ranks are counted from the root: the parent of such a rank clears its lowest
// bit, and below the rank are those up to that bit away.
class Tree {
 public:
  Tree(const World& world, int root)
      : size_(world.size), root_(root), own_((world.rank - root + world.size) % world.size) {}

  bool IsRoot() const { return own_ == 0; }
  int Parent() const { return RankOf(own_ & (own_ - 1)); }

  // Ranks in the subtree of this one.
  int Weight() const { return std::min(Reach(), size_ - own_); }

  struct Child {
    int rank;
    int distance;  // from this rank, counted from the root
    int weight;
  };
  // The largest subtree first.
  std::vector<Child> Children() const {
    std::vector<Child> children;
    for (int distance = Reach() / 2; distance > 0; distance /= 2) {
      if (own_ + distance >= size_) continue;
      children.push_back(
          {RankOf(own_ + distance), distance, std::min(distance, size_ - own_ - distance)});
    }
    return children;
  }

 private:
  int RankOf(int from_root) const { return (from_root + root_) % size_; }

  // The lowest bit; for the root a power of two that is not less than the size.
  int Reach() const {
    if (own_ != 0) return own_ & -own_;
    int reach = 1;
    while (reach < size_) reach *= 2;
    return reach;
  }

  int size_;
  int root_;
  int own_;
};

void Add(const std::vector<double>& from, double* to) {
  for (std::size_t i = 0; i < from.size(); ++i) to[i] += from[i];
}

}  // namespace

void Broadcast(LocalSpan<double> values, int root) {
  const Tree tree(TheWorld(), root);
  if (!tree.IsRoot()) Receive(values.data(), values.size(), tree.Parent());
  for (const Tree::Child& child : tree.Children()) Send(values.data(), values.size(), child.rank);
}

void Scatter(LocalSpan<const double> all, LocalSpan<double> mine, int root) {
  const World world = TheWorld();
  const Tree tree(world, root);
  const std::size_t n = mine.size();
  // The parts of this rank and of those below it, in the order from the root.
  std::vector<double> parts(static_cast<std::size_t>(tree.Weight()) * n);
  if (tree.IsRoot()) {
    std::rotate_copy(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n) * root, all.end(),
                     parts.begin());
  } else {
    Receive(parts.data(), parts.size(), tree.Parent());
  }
  for (const Tree::Child& child : tree.Children()) {
    Send(parts.data() + static_cast<std::size_t>(child.distance) * n,
         static_cast<std::size_t>(child.weight) * n, child.rank);
  }
  std::copy_n(parts.begin(), n, mine.begin());
}

void Gather(LocalSpan<const double> mine, LocalSpan<double> all, int root) {
  const World world = TheWorld();
  const Tree tree(world, root);
  const std::size_t n = mine.size();
  std::vector<double> parts(static_cast<std::size_t>(tree.Weight()) * n);
  std::copy(mine.begin(), mine.end(), parts.begin());
  std::vector<Tree::Child> children = tree.Children();
  std::ranges::reverse(children);
  for (const Tree::Child& child : children) {
    Receive(parts.data() + static_cast<std::size_t>(child.distance) * n,
            static_cast<std::size_t>(child.weight) * n, child.rank);
  }
  if (tree.IsRoot()) {
    std::rotate_copy(
        parts.begin(),
        parts.begin() + static_cast<std::ptrdiff_t>(n) * ((world.size - root) % world.size),
        parts.end(), all.begin());
  } else {
    Send(parts.data(), parts.size(), tree.Parent());
  }
}

void RingAllReduce(LocalSpan<double> values) {
  const World world = TheWorld();
  const int p = world.size;
  const int right = (world.rank + 1) % p;
  const int left = (world.rank + p - 1) % p;
  const auto begin = [&](int chunk) {
    return values.size() * static_cast<std::size_t>(chunk) / static_cast<std::size_t>(p);
  };
  const auto size = [&](int chunk) { return begin(chunk + 1) - begin(chunk); };
  for (int step = 0; step < p - 1; ++step) {
    const int out = (world.rank - step + p) % p;
    const int in = (world.rank - step - 1 + p) % p;
    std::vector<double> received(size(in));
    Exchange(values.data() + begin(out), size(out), right, received.data(), size(in), left);
    Add(received, values.data() + begin(in));
  }
  for (int step = 0; step < p - 1; ++step) {
    const int out = (world.rank - step + 1 + p) % p;
    const int in = (world.rank - step + p) % p;
    Exchange(values.data() + begin(out), size(out), right, values.data() + begin(in), size(in),
             left);
  }
}

void DoublingAllReduce(LocalSpan<double> values) {
  const World world = TheWorld();
  int paired = 1;  // the largest power of two
  while (2 * paired <= world.size) paired *= 2;
  // The ranks beyond it add their values to another's first, and get the sums last.
  if (world.rank >= paired) {
    Send(values.data(), values.size(), world.rank - paired);
    Receive(values.data(), values.size(), world.rank - paired);
    return;
  }
  std::vector<double> received(values.size());
  const bool has_extra = world.rank + paired < world.size;
  if (has_extra) {
    Receive(received.data(), received.size(), world.rank + paired);
    Add(received, values.data());
  }
  for (int distance = 1; distance < paired; distance *= 2) {
    const int partner = world.rank ^ distance;
    Exchange(values.data(), values.size(), partner, received.data(), received.size(), partner);
    Add(received, values.data());
  }
  if (has_extra) Send(values.data(), values.size(), world.rank + paired);
}

void AllToAll(LocalSpan<const double> sent, LocalSpan<double> received) {
  const World world = TheWorld();
  const std::size_t n = sent.size() / static_cast<std::size_t>(world.size);
  const auto place = [n](int rank) { return n * static_cast<std::size_t>(rank); };
  std::copy_n(sent.begin() + static_cast<std::ptrdiff_t>(place(world.rank)), n,
              received.begin() + static_cast<std::ptrdiff_t>(place(world.rank)));
  for (int step = 1; step < world.size; ++step) {
    const int to = (world.rank + step) % world.size;
    const int from = (world.rank - step + world.size) % world.size;
    Exchange(sent.data() + place(to), n, to, received.data() + place(from), n, from);
  }
}
