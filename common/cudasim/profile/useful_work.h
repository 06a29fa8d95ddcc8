// The work of a call that contributes to its outputs.
//
// Each word of device memory knows the thread that stored it last.  A block is useful if an
// output's word is its, if the host copied such a word, or if a useful block read it.  The work of
// a launch without a useful block counts nothing; beside useful blocks, others count as far as they
// read, as in a search that finds nothing.
//
// Sharing out bounds what counts.  Of the words that threads stored and somebody needed, and of the
// bytes that they read, each counted once, the busiest block's share bounds the parallelism of the
// call: no block can do more at a time than it has threads.  The busiest thread's share bounds that
// of each launch.  The looser bound of stores and reads holds: reductions store little, and tiles
// are read often.  Operations between accesses and repeated accesses raise none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <unordered_set>
#include <vector>

#include "common/cudasim/profile/lanes.h"
#include "common/cudasim/runtime/memory/heap.h"

namespace cudasim {

class UsefulWork {
 public:
  void BeginCall();
  // Adds up what is useful and stores it as the work of the call and of its kernels.
  void EndCall();

  // `is_library`: its only thread stands for many, which share all that it does.
  void BeginLaunch(std::uint64_t blocks, std::uint64_t threads_of_block, bool is_library);
  // `bytes` were read, each once, from device memory; `profile` is the kernel's in Profiles().
  void EndLaunch(std::uint64_t span, std::uint64_t bytes, std::size_t profile);
  // A thread of the running launch begins, and has returned.
  void BeginThread(CheckedThread& thread, std::uint64_t block, unsigned number) const;
  void EndThread(const CheckedThread& thread, std::uint64_t block);

  // The running thread stores or reads words of device memory.
  void Store(const CheckedThread& thread, std::size_t offset, unsigned bytes) {
    if (table_ == nullptr) return;
    Number* const end = table_ + (offset + bytes + kWord - 1) / kWord;
    for (Number* word = table_ + offset / kWord; word < end; ++word) *word = thread.number;
  }
  void Read(CheckedThread& thread, std::size_t offset, unsigned bytes) {
    if (table_ == nullptr) return;
    Number* const end = table_ + (offset + bytes + kWord - 1) / kWord;
    thread.bytes_read += bytes;
    for (Number* word = table_ + offset / kWord; word < end; ++word) {
      const Number writer = *word & ~kNeeded;
      if (writer <= before_call_ || writer - thread.block_begin < thread.block_threads) continue;
      const bool is_known = writer - thread.writer_begin < thread.writer_threads;
      if (!is_known || *word == writer) ReadFrom(thread, *word);
    }
  }
  // An atomic operation hands on what it finds.
  void Update(CheckedThread& thread, std::size_t offset, unsigned bytes);
  // The running thread launches a grid, or stores where nobody looks.
  void NoteUseful(const CheckedThread& thread);

  // The host copies or fills; offsets in device memory, kHost: the host's.
  static constexpr std::size_t kHost = std::numeric_limits<std::size_t>::max();
  void Copy(std::size_t to, std::size_t from, std::size_t bytes);

 private:
  // Of a thread in all calls; the highest bit: somebody needs the word.
  using Number = std::uint32_t;
  static constexpr Number kNeeded = 0x80000000;
  static constexpr std::size_t kWord = 4;
  // Blocks do not read and store exactly as much as they work: of the accepted samples one works
  // 1.23 times what its busiest block allows. Threads read more or less often what others read,
  // too, and four of them may store the bytes of a word. All accepted samples have full points so.
  static constexpr double kSlackOfBlocks = 1.5;
  static constexpr double kSlackOfThreads = 4;
  static constexpr std::uint64_t kOperationsOfByte = 32;  // of a block that finds nothing
  static constexpr std::size_t kMaxEdges = std::size_t{1} << 21;
  static constexpr std::size_t kMaxThreads = std::size_t{1} << 24;  // whose words are counted
  static constexpr std::size_t kTableBytes = DeviceHeap::kRangeBytes / kWord * sizeof(Number);

  struct Launch {
    Number first = 0;        // number of its first thread
    std::uint64_t node = 0;  // of its first block
    std::uint64_t threads_of_block = 1;
    bool is_library = false;
    std::uint64_t span = 0;
    std::uint64_t bytes = 0;  // that were read, each once
    std::uint64_t most_read = 0;
    std::size_t profile = 0;
    std::vector<std::uint64_t> work;    // by block
    std::vector<std::uint64_t> read;    // bytes, by block
    std::vector<std::uint32_t> needed;  // words, by thread; empty: none
  };

  Launch& LaunchOf(Number thread);
  std::uint64_t NodeOf(Number thread);
  void AddRoot(std::uint64_t node);
  void ReadFrom(CheckedThread& thread, Number& word);
  void AddEdge(std::uint64_t reader, std::uint64_t writer);
  void Need(Number& word);
  void MarkUseful();
  double WorkOf(const Launch& launch) const;
  double MostAtATime() const;

  Number* table_ = nullptr;
  Number before_call_ = 0;
  Number next_ = 1;
  std::uint64_t nodes_ = 0;
  std::vector<Launch> launches_;
  std::unordered_set<std::uint64_t> edges_;  // reader << 32 | writer
  std::vector<std::uint64_t> recent_edges_;
  std::vector<std::uint64_t> roots_;
  std::vector<bool> useful_;  // by node
  bool has_all_edges_ = true;
};

extern UsefulWork useful_work;

}  // namespace cudasim
