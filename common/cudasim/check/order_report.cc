#include "common/cudasim/check/order_report.h"

#include <algorithm>

#include "common/cudasim/check/code_table.h"
#include "common/cudasim/check/launch_findings.h"
#include "common/cudasim/check/state.h"
#include "common/cudasim/check/sync_order.h"
#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/diagnostics/symbolizer.h"
#include "common/cudasim/runtime/scheduler/cluster.h"
#include "common/cudasim/runtime/scheduler/grid.h"

namespace cudasim {
namespace {

struct Flag {
  const SyncWrite* write = nullptr;
  const SyncRead* read = nullptr;
};

bool Follows(const SyncWrite& write, const Race& race) {
  const Epoch epoch = EpochOf(race.earlier);
  const ThreadId other = ThreadIdOf(race.earlier);
  if (write.thread == other) return epoch <= write.at;
  return BlockOf(write.thread) == BlockOf(other) && epoch < write.last_barrier;
}

bool Precedes(const SyncRead& read, const Race& race) {
  return read.thread == race.self || read.at < ThisBlock().last_barrier;
}

// The latest flag read by the thread itself, else by another thread of its block.  `guess`: where
// the write is forgotten because many threads have written the flag, another one stands for it.
Flag FindFlag(const Race& race, bool guess = false) {
  Flag found;
  for (const SyncRead& read : ThisBlock().sync_reads) {
    if (read.thread == kNoThread || read.address == race.access.address || !Precedes(read, race)) {
      continue;
    }
    if (found.read != nullptr && (found.read->thread == race.self || read.at < found.read->at) &&
        !(read.thread == race.self && read.at >= found.read->at)) {
      continue;
    }
    const auto release = releases->find(read.address);
    if (release == releases->end()) continue;
    const std::vector<SyncWrite>& writes = release->second.writes;
    for (const SyncWrite& write : writes) {
      if (Follows(write, race)) found = {&write, &read};
    }
    if (guess && writes.size() == Release::kMaxWrites) found = {&writes.front(), &read};
  }
  return found;
}

// The thread's latest atomic or volatile write of the word, null if it is not known.
const SyncWrite* FindWrite(const void* address, ThreadId thread) {
  const auto release = releases->find(address);
  if (release == releases->end()) return nullptr;
  const std::vector<SyncWrite>& writes = release->second.writes;
  const auto write = std::find_if(writes.begin(), writes.end(),
                                  [&](const SyncWrite& known) { return known.thread == thread; });
  return write == writes.end() ? nullptr : &*write;
}

std::string PlaceOf(const void* pc) { return Locate(pc).ToString(); }

// Which fence stands between the access and the flag.
enum class Fence { kNone, kBeforeBarrier, kBlock, kDevice };

Fence WriterFence(const Flag& flag, const Race& race) {
  if (flag.write->releases) return Fence::kDevice;  // its scope is that of the write
  const Epoch epoch = EpochOf(race.earlier);
  const bool own = flag.write->thread == ThreadIdOf(race.earlier);
  const auto covers = [&](Epoch fence) {
    return fence != 0 && fence >= (own ? epoch : flag.write->last_barrier);
  };
  if (covers(flag.write->device_fence)) return Fence::kDevice;
  if (covers(flag.write->fence)) return Fence::kBlock;
  return flag.write->fence != 0 && !own ? Fence::kBeforeBarrier : Fence::kNone;
}

Fence ReaderFence(const Flag& flag) {
  if (flag.read->acquires) return Fence::kDevice;
  const CheckedThread& thread = ThisThread();
  if (thread.device_fence != 0 && thread.device_fence >= flag.read->at) return Fence::kDevice;
  return thread.fence != 0 && thread.fence >= flag.read->at ? Fence::kBlock : Fence::kNone;
}

// Whether the fences must be of device scope.  The block that runs now may have met no other one at
// the flag, but a lock or count in global memory is there for all blocks of the grid.
bool IsForAllBlocks(const Flag& flag) {
  return RunningGrid()->blocks > 1 && FindShared(flag.read->address).owner == nullptr;
}

constexpr char kOwnAccessesOnly[] =
    "writer: the fence in front of __syncthreads() covers only what its own thread has written: "
    "let "
    "each thread that writes call __threadfence() there, or the one that sets the flag behind it";
constexpr char kTooNarrow[] = "the scope is too narrow for two blocks";

void ExplainSide(Fence fence, bool across_blocks, const std::string& missing,
                 const std::string& narrow, std::vector<std::string>& lines) {
  if (fence == Fence::kNone) {
    lines.push_back(missing);
  } else if (fence == Fence::kBeforeBarrier) {
    lines.push_back(kOwnAccessesOnly);
  } else if (across_blocks && fence == Fence::kBlock) {
    lines.push_back(narrow + "; " + kTooNarrow);
  }
}

}  // namespace

bool IsHandedOver(const Race& race) { return FindFlag(race).read != nullptr; }

bool IsAwaited(const Race& race) {
  const SyncWrite* const data = FindWrite(race.access.address, ThreadIdOf(race.earlier));
  if (data == nullptr) return false;
  return std::any_of(
      std::begin(ThisBlock().sync_reads), std::end(ThisBlock().sync_reads),
      [&](const SyncRead& read) {
        if (read.thread == kNoThread || !Precedes(read, race) || !codes.awaits[CodeFor(read.pc)]) {
          return false;
        }
        const auto release = releases->find(read.address);
        if (release == releases->end() || read.address == race.access.address) return false;
        const std::vector<SyncWrite>& writes = release->second.writes;
        return std::any_of(writes.begin(), writes.end(), [&](const SyncWrite& write) {
          return Follows(write, race) && data->step < write.step && write.step < read.step;
        });
      });
}

std::vector<std::string> ExplainFlag(const Race& race) {
  std::vector<std::string> lines;
  Flag flag = FindFlag(race);
  if (flag.read == nullptr) flag = FindFlag(race, true);
  if (flag.read == nullptr) return lines;
  const bool across_blocks = BlockOf(race.self) != BlockOf(ThreadIdOf(race.earlier));
  const bool device_scope = across_blocks || IsForAllBlocks(flag);
  const std::string fence = device_scope ? "__threadfence()" : "__threadfence_block()";
  const std::string write = PlaceOf(flag.write->pc);
  const std::string read = PlaceOf(flag.read->pc);
  const Fence writer = WriterFence(flag, race);
  const Fence reader = ReaderFence(flag);
  if (writer == Fence::kNone && reader == Fence::kNone && flag.write->combines) return lines;
  if (across_blocks && flag.write->block_scope) {
    lines.push_back("writer: the flag's atomic operation at " + write + " has block scope; " +
                    kTooNarrow);
  }
  ExplainSide(writer, across_blocks, "writer: no " + fence + " before it sets the flag at " + write,
              "writer: the fence before it sets the flag at " + write + " has block scope", lines);
  if (across_blocks && flag.read->block_scope) {
    lines.push_back("reader: the flag's atomic operation at " + read + " has block scope; " +
                    kTooNarrow);
  }
  ExplainSide(
      reader, across_blocks, "reader: no " + fence + " after it has read the flag at " + read,
      "reader: the fence after it has read the flag at " + read + " has block scope", lines);
  return lines;
}

void WarnOfCount(const Race& race) {
  if (!launch_findings.warned->emplace(race.access.pc, CodeOf(race.earlier)).second) return;
  const Flag flag = FindFlag(race);
  const std::string count = flag.read == nullptr ? "" : " at " + PlaceOf(flag.read->pc);
  const char* const verb = race.access.writes() ? "write" : "read";
  Warn("missing_acquire",
       DescribeKernel() + ", " + PlaceOf(race.access.pc) + ": " + verb +
           " after the count of arrivals" + count +
           " without a __threadfence() between them; the other thread's access is at " +
           PlaceOf(codes.places[CodeOf(race.earlier)]));
}

}  // namespace cudasim
