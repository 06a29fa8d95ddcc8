#include "common/cudasim/check/family_order.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/cudasim/check/bad_access.h"
#include "common/cudasim/check/epochs.h"
#include "common/cudasim/check/past_access.h"
#include "common/cudasim/check/shadow_cells.h"
#include "common/cudasim/check/state.h"
#include "common/cudasim/check/stream_conflict.h"
#include "common/cudasim/check/warp_order.h"
#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/dynamic/children.h"

namespace cudasim {

// What the launching thread knew when it launched.
struct LaunchPoint {
  Epoch grid_begin = 0;    // everything before it happened before
  Epoch last_barrier = 0;  // what the block did before it happened before
  Epoch at = 0;            // the thread's own accesses until it happened before
  unsigned block = 0;
  unsigned thread = 0;         // in the block
  unsigned cluster_begin = 0;  // the blocks of its cluster, if that has met at its barrier
  unsigned cluster_end = 0;
  Epoch lanes[kLanes] = {};  // what each lane of its warp did before it happened before
  VectorClock known;
};

namespace {

struct FamilyGrid {
  const FamilyGrid* parent = nullptr;  // null: the host has launched it
  Child child{};                       // how it is ordered, without its work
  std::string kernel;
  Site site;
  unsigned threads = 0;  // of a block
  Epoch first = 0;
  Epoch last = 0;
  std::vector<EpochRun> epochs;

  unsigned BlockAt(Epoch epoch) const {
    const auto after = std::upper_bound(epochs.begin(), epochs.end(), epoch,
                                        [](Epoch e, const EpochRun& run) { return e < run.first; });
    return after == epochs.begin() ? 0 : std::prev(after)->block;
  }
};

struct Family {
  std::deque<FamilyGrid> grids;  // in the order in which they ran: ascending epochs
  std::size_t oldest = 0;        // those before it have no epochs any more
  std::unordered_map<const Grid*, FamilyGrid*> by_grid;
  const FamilyGrid* running = nullptr;
  // By the word: a read that others have replaced in the shadow cells.
  std::unordered_map<const ShadowCell*, ShadowCell> reads;
};

Family& TheFamily() {
  static auto* const family = new Family;
  return *family;
}

FamilyGrid& Add(const Grid& grid) {
  Family& family = TheFamily();
  FamilyGrid& added = family.grids.emplace_back();
  added.kernel = grid.source.name;
  added.site = grid.launched_at;
  added.threads = grid.threads;
  added.first = checked_grid.first;
  family.by_grid[&grid] = &added;
  return added;
}

// Whether the access at the point's parent happened before the point.
bool Knows(const LaunchPoint& point, const FamilyGrid& parent, ShadowCell cell) {
  const Epoch epoch = EpochOf(cell);
  if (epoch < point.grid_begin) return true;
  const unsigned block = parent.BlockAt(epoch);
  const unsigned thread = ThreadOf(cell);
  if (block == point.block) {
    if (epoch < point.last_barrier) return true;
    if (thread == point.thread && epoch <= point.at) return true;
    if (thread / kLanes == point.thread / kLanes && epoch < point.lanes[thread % kLanes]) {
      return true;
    }
  }
  if (block >= point.cluster_begin && block < point.cluster_end) return true;
  return point.known.Includes(block, block * parent.threads + thread, epoch);
}

// The grid and its ancestors, the host's launch first.
std::vector<const FamilyGrid*> Lineage(const FamilyGrid* grid) {
  std::vector<const FamilyGrid*> line;
  for (; grid != nullptr; grid = grid->parent) line.push_back(grid);
  std::reverse(line.begin(), line.end());
  return line;
}

enum class Relation { kOrdered, kAncestor, kSibling };

// Of the access in the cell to the running grid. `*child`: the running grid or its ancestor that
// the other grid, if it is an ancestor, has launched.
Relation RelationOf(const FamilyGrid& other, ShadowCell cell, const FamilyGrid** child) {
  const std::vector<const FamilyGrid*> mine = Lineage(TheFamily().running);
  const std::vector<const FamilyGrid*> its = Lineage(&other);
  std::size_t common = 0;
  while (common < mine.size() && common < its.size() && mine[common] == its[common]) ++common;
  if (common == mine.size()) return Relation::kOrdered;  // the running grid itself
  *child = mine[common];
  const Child& here = mine[common]->child;
  if (common < its.size()) {
    return Precedes(its[common]->child, here) ? Relation::kOrdered : Relation::kSibling;
  }
  if (here.kind == ChildStream::kTail || Knows(*here.point, other, cell)) {
    return Relation::kOrdered;
  }
  return Relation::kAncestor;
}

const FamilyGrid* FindGrid(Epoch epoch) {
  const Family& family = TheFamily();
  if (epoch >= checked_grid.first) return nullptr;
  const auto begin = family.grids.begin() + static_cast<std::ptrdiff_t>(family.oldest);
  const auto after =
      std::upper_bound(begin, family.grids.end(), epoch,
                       [](Epoch e, const FamilyGrid& grid) { return e < grid.first; });
  if (after == begin) return nullptr;
  const FamilyGrid& grid = *std::prev(after);
  return epoch <= grid.last ? &grid : nullptr;
}

const char* AncestorAdvice(const LaunchPoint& point, const FamilyGrid& parent, ShadowCell cell) {
  if (parent.BlockAt(EpochOf(cell)) != point.block) {
    return "nothing orders the other block with the launch: launch into cudaStreamTailLaunch";
  }
  const bool by_launching_thread = ThreadOf(cell) == point.thread;
  if ((cell & kWrote) != 0 && !by_launching_thread) {
    return "a child sees what its launching thread did and knew: call __syncthreads() before the "
           "launch";
  }
  return "a grid cannot wait for its children, which may run at any time after the launch: move "
         "what follows into a kernel that is launched into cudaStreamTailLaunch";
}

void ReportFamily(const Access& access, ShadowCell cell, const FamilyGrid& other,
                  const FamilyGrid& child, bool is_ancestor) {
  const char* const advice =
      is_ancestor
          ? AncestorAdvice(*child.child.point, other, cell)
          : "nothing orders the two launches: only launches by one block into one stream, not "
            "cudaStreamFireAndForget, follow each other; cudaStreamTailLaunch comes after all";
  Report({"missing_synchronisation",
          DescribeKernel() + ", " + Locate(access.pc).ToString() + ": " + ReadOrWrite(access) +
              " of memory that kernel " + other.kernel + " " + DidAt(cell, other.site) +
              (is_ancestor ? " in the grid that launched it" : " in another child of the grid"),
          {DescribeCurrentThread() + ": " + ReadOrWrite(access) + " of " + Bytes(access.bytes),
           "memory: " + DescribeMemory(access), DescribeLaunch(),
           "the other: kernel " + other.kernel + " launched at " + ToString(other.site), advice}});
}

// Reports an unordered access in the cell that conflicts with this one.  True if both only read.
bool CheckAgainst(const Access& access, ShadowCell cell, unsigned mask) {
  if ((Touched(cell) & mask) == 0) return false;
  if (access.synchronises && (cell & kSynchronised) != 0) return false;
  const FamilyGrid* const other = FindGrid(EpochOf(cell));
  if (other == nullptr) return false;
  const FamilyGrid* child = nullptr;
  const Relation relation = RelationOf(*other, cell, &child);
  if (relation == Relation::kOrdered) return false;
  if (!access.writes() && (cell & kWrote) == 0) return true;
  ReportFamily(access, cell, *other, *child, relation == Relation::kAncestor);
  return false;
}

// The cell of this read will replace that of the other, with which a write may race: `++*p`.
void KeepRead(const Shadow& shadow, std::size_t word, ShadowCell cell) {
  constexpr std::size_t kMaxReads = 1 << 18;
  auto& reads = TheFamily().reads;
  if (reads.size() < kMaxReads) reads.try_emplace(shadow.latest + word, cell);
}

}  // namespace

void BeginFamilyGrid(const Grid& grid) {
  Family& family = TheFamily();
  if (grid.as_child == nullptr) {
    if (!family.grids.empty()) family = {};
    return;
  }
  FamilyGrid& added = Add(grid);
  const Child& child = *grid.as_child;
  added.parent = family.by_grid[child.parent];
  added.child = {nullptr,      child.depth,  child.level, child.kind,
                 child.stream, child.number, child.point};
  family.running = &added;
}

void EndFamilyGrid(const Grid& grid) {
  Family& family = TheFamily();
  if (family.grids.empty()) return;
  const auto of = family.by_grid.find(&grid);
  if (of == family.by_grid.end()) return;
  of->second->last = epochs.last;
  if (grid.children != nullptr) of->second->epochs = *epochs.runs;
}

void ForgetEpochsOfFamily() {
  TheFamily().oldest = TheFamily().grids.size();
  TheFamily().reads.clear();
}

// All other grids have ended: only a tail launch of tail launches comes after all of them.
bool HasUnorderedFamily() {
  for (const FamilyGrid* grid = TheFamily().running; grid != nullptr; grid = grid->parent) {
    if (grid->parent != nullptr && grid->child.kind != ChildStream::kTail) return true;
  }
  return false;
}

std::shared_ptr<const LaunchPoint> OnChildLaunch() {
  const Grid& grid = *CurrentBlock()->grid;
  if (TheFamily().by_grid.count(&grid) == 0) Add(grid);
  CheckedBlock& block = ThisBlock();
  const CheckedThread& self = ThisThread();
  auto point = std::make_shared<LaunchPoint>();
  point->grid_begin = checked_grid.begin;
  point->last_barrier = block.last_barrier;
  point->at = block.current;
  point->block = block.linear;
  point->thread = self.in_block;
  if ((self.cluster_phases | block.cluster_phases) != 0) {
    point->cluster_begin = CurrentBlock()->cluster->blocks.front()->checked->linear;
    point->cluster_end = CurrentBlock()->cluster->blocks.back()->checked->linear + 1;
  }
  CopyWarpClock(point->lanes);
  point->known.Join(self.clocks.known);
  point->known.Join(block.clocks.known);
  block.current = NextEpoch(*CurrentBlock());
  return point;
}

void CheckFamilyOrder(const Access& access, const Shadow& shadow, std::size_t word, unsigned mask) {
  Family& family = TheFamily();
  if (family.running == nullptr) return;
  for (const ShadowCell cell : Load(shadow, word, 0)) {
    if (CheckAgainst(access, cell, mask)) KeepRead(shadow, word, cell);
  }
  if (!access.writes() || family.reads.empty()) return;
  const auto kept = family.reads.find(shadow.latest + word);
  if (kept != family.reads.end()) CheckAgainst(access, kept->second, mask);
}

}  // namespace cudasim
