#include "common/cudasim/runtime/scheduler/deadlock.h"

#include <string>
#include <vector>

#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/errors/errors.h"
#include "common/cudasim/runtime/memory/describe.h"
#include "common/cudasim/runtime/scheduler/warp_misuse.h"

namespace cudasim {
namespace {

// Threads that wait for the same thing.
struct WaitingPlace {
  std::string what;  // "__syncthreads()"
  Site site;
  uint3 example{};
  unsigned threads = 0;
};

void Add(std::vector<WaitingPlace>& places, const std::string& what, const Fiber& fiber) {
  for (WaitingPlace& place : places) {
    if (place.what != what || ToString(place.site) != ToString(fiber.site)) continue;
    ++place.threads;
    return;
  }
  places.push_back({what, fiber.site, fiber.thread_index, 1});
}

void AddQueue(std::vector<WaitingPlace>& places, const std::string& what, const FiberQueue& queue) {
  for (const Fiber* fiber = queue.front(); fiber != nullptr; fiber = fiber->next) {
    Add(places, what, *fiber);
  }
}

void AddMeeting(std::vector<WaitingPlace>& places, const WarpMeeting& meeting) {
  const std::string what =
      std::string(NameOf(meeting.call.operation)) + " of the lanes " + Hex(meeting.call.mask);
  for (unsigned rest = meeting.arrived; rest != 0; rest &= rest - 1) {
    Add(places, what, *meeting.fibers[__builtin_ctz(rest)]);
  }
}

std::vector<WaitingPlace> FindPlaces(Block& block) {
  std::vector<WaitingPlace> places;
  AddQueue(places, "__syncthreads()", block.at_barrier);
  AddQueue(places, "grid.sync()", block.at_grid_barrier);
  AddQueue(places, "the cluster's barrier", block.at_cluster_barrier);
  for (unsigned i = 0; i < block.warps.count(); ++i) {
    for (const WarpMeeting* meeting = block.warps[i].open; meeting; meeting = meeting->next) {
      AddMeeting(places, *meeting);
    }
  }
  return places;
}

std::string Threads(unsigned long long count) {
  return std::to_string(count) + (count == 1 ? " thread" : " threads");
}

std::string Wait(unsigned count) { return count == 1 ? " waits" : " wait"; }

// "32 threads wait in __syncthreads() at lab.cu:9: thread (0, 0, 0) and others"
std::string Describe(const WaitingPlace& place) {
  return Threads(place.threads) + Wait(place.threads) + " in " + place.what + " at " +
         ToString(place.site) + ": thread " + ToString(place.example) +
         (place.threads == 1 ? "" : " and others");
}

// What the other blocks of a cluster wait for.
void AddOthers(const Block& block, std::vector<std::string>& details) {
  if (block.at_cluster_barrier.empty()) return;
  for (Block* const other : block.cluster->blocks) {
    if (other == &block) continue;
    const std::string name = "block " + ToString(other->index) + " of the cluster: ";
    if (other->Finished()) details.push_back(name + "all threads returned");
    for (const WaitingPlace& place : FindPlaces(*other)) details.push_back(name + Describe(place));
  }
}

}  // namespace

void EndDeadlock(Grid& grid, Block& block) {
  if (grid.aborted.exchange(true)) return;
  const std::vector<WaitingPlace> places = FindPlaces(block);
  const WaitingPlace& first = places.front();
  std::vector<std::string> details;
  for (const WaitingPlace& place : places) details.push_back(Describe(place));
  if (block.live < block.threads) {
    details.push_back(Threads(block.threads - block.live) + " of the block returned");
  }
  AddOthers(block, details);
  if (grid.barrier.left() > 0) {
    details.push_back(std::to_string(grid.barrier.left()) + " of " + std::to_string(grid.blocks) +
                      " blocks returned");
  }
  details.push_back(DescribeLaunch(grid));
  Report({"deadlock",
          "kernel " + std::string(grid.source.name) + ", " + ToString(first.site) + ": " +
              Threads(first.threads) + " of block " + ToString(block.index) + Wait(first.threads) +
              " in " + first.what + " for others that never come",
          details});
  MakeSticky(cudaErrorLaunchFailure);
}

}  // namespace cudasim
