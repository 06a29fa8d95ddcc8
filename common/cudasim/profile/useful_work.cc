#include "common/cudasim/profile/useful_work.h"

#include <sys/mman.h>

#include <algorithm>
#include <unordered_map>

#include "common/cudasim/instrument/outside_kernel.h"
#include "common/cudasim/profile/kernel_profile.h"
#include "common/cudasim/runtime/streams/critical_path.h"

namespace cudasim {

CUDASIM_BEFORE_THE_PROGRAM UsefulWork useful_work;

namespace {

constexpr std::size_t kRecentEdges = 1 << 12;

}  // namespace

void UsefulWork::BeginCall() {
  constexpr Number kManyThreads = kNeeded / 2;
  if (table_ == nullptr || next_ > kManyThreads) {
    void* const at = table_;
    const int fixed = at == nullptr ? 0 : MAP_FIXED;
    void* const memory = mmap(at, kTableBytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0);
    table_ = memory == MAP_FAILED ? nullptr : static_cast<Number*>(memory);
    next_ = 1;
  }
  before_call_ = next_ - 1;
  nodes_ = 0;
  launches_.clear();
  edges_.clear();
  recent_edges_.assign(kRecentEdges, ~std::uint64_t{0});
  roots_.clear();
  has_all_edges_ = true;
}

void UsefulWork::BeginLaunch(std::uint64_t blocks, std::uint64_t threads_of_block,
                             bool is_library) {
  if (table_ == nullptr) return;
  const std::uint64_t threads = blocks * threads_of_block;
  if (threads >= kNeeded - next_) {  // too many to tell them apart: all work of the call counts
    munmap(table_, kTableBytes);
    table_ = nullptr;
    return;
  }
  Launch& launch = launches_.emplace_back();
  launch.first = next_;
  launch.node = nodes_;
  launch.threads_of_block = threads_of_block;
  launch.is_library = is_library;
  launch.work.resize(blocks);
  launch.read.resize(blocks);
  next_ += static_cast<Number>(threads);
  nodes_ += blocks;
}

void UsefulWork::EndLaunch(std::uint64_t span, std::uint64_t bytes, std::size_t profile) {
  if (table_ == nullptr) return;
  Launch& launch = launches_.back();
  launch.span = span;
  launch.bytes = bytes;
  launch.profile = profile;
}

void UsefulWork::BeginThread(CheckedThread& thread, std::uint64_t block, unsigned number) const {
  thread.bytes_read = 0;
  if (table_ == nullptr) return;
  const Launch& launch = launches_.back();
  thread.block_threads = static_cast<Number>(launch.threads_of_block);
  thread.block_begin = launch.first + static_cast<Number>(block) * thread.block_threads;
  thread.number = thread.block_begin + number;
  thread.writer_threads = 0;
}

void UsefulWork::EndThread(const CheckedThread& thread, std::uint64_t block) {
  if (table_ == nullptr) return;
  Launch& launch = launches_.back();
  launch.work[block] += thread.operations;
  launch.read[block] += thread.bytes_read;
  launch.most_read = std::max(launch.most_read, thread.bytes_read);
}

UsefulWork::Launch& UsefulWork::LaunchOf(Number thread) {
  const auto behind =
      std::upper_bound(launches_.begin(), launches_.end(), thread,
                       [](Number number, const Launch& launch) { return number < launch.first; });
  return behind == launches_.begin() ? launches_.front() : *std::prev(behind);
}

std::uint64_t UsefulWork::NodeOf(Number thread) {
  const Launch& launch = LaunchOf(thread);
  return launch.node + (thread - launch.first) / launch.threads_of_block;
}

void UsefulWork::AddEdge(std::uint64_t reader, std::uint64_t writer) {
  const std::uint64_t edge = reader << 32 | writer;
  std::uint64_t& recent = recent_edges_[(reader * 31 + writer) % kRecentEdges];
  if (recent == edge) return;
  recent = edge;
  if (edges_.size() < kMaxEdges) {
    edges_.insert(edge);
  } else {
    has_all_edges_ = false;
  }
}

void UsefulWork::Need(Number& word) {
  if ((word & kNeeded) != 0) return;
  Launch& launch = LaunchOf(word);
  if (launch.work.size() * launch.threads_of_block > kMaxThreads) return;
  if (launch.needed.empty()) launch.needed.resize(launch.work.size() * launch.threads_of_block);
  ++launch.needed[word - launch.first];
  word |= kNeeded;
}

void UsefulWork::ReadFrom(CheckedThread& thread, Number& word) {
  const OutsideKernel outside;
  const Number number = word & ~kNeeded;
  const Launch& launch = LaunchOf(number);
  const std::uint64_t block = (number - launch.first) / launch.threads_of_block;
  thread.writer_threads = static_cast<Number>(launch.threads_of_block);
  thread.writer_begin = launch.first + static_cast<Number>(block) * thread.writer_threads;
  AddEdge(NodeOf(thread.number), launch.node + block);
  Need(word);
}

void UsefulWork::Update(CheckedThread& thread, std::size_t offset, unsigned bytes) {
  if (table_ == nullptr) return;
  const OutsideKernel outside;
  // Whoever needs the word needs all that was added to it.
  const Number before = table_[offset / kWord] & ~kNeeded;
  if (before > before_call_ && before - thread.block_begin >= thread.block_threads) {
    AddEdge(NodeOf(thread.number), NodeOf(before));
  }
  Store(thread, offset, bytes);
}

void UsefulWork::AddRoot(std::uint64_t node) {
  if (roots_.empty() || roots_.back() != node) roots_.push_back(node);
}

void UsefulWork::NoteUseful(const CheckedThread& thread) {
  const OutsideKernel outside;
  if (table_ != nullptr) AddRoot(NodeOf(thread.number));
}

void UsefulWork::Copy(std::size_t to, std::size_t from, std::size_t bytes) {
  if (table_ == nullptr) return;
  const OutsideKernel outside;
  const std::size_t words = (bytes + kWord - 1) / kWord;
  if (to == kHost) {
    for (std::size_t i = 0; from != kHost && i < words; ++i) {
      Number& word = table_[from / kWord + i];
      if ((word & ~kNeeded) <= before_call_) continue;
      AddRoot(NodeOf(word & ~kNeeded));
      Need(word);
    }
    return;
  }
  Number* const target = table_ + to / kWord;
  if (from == kHost) {
    std::fill_n(target, words, Number{0});
  } else {
    std::copy_n(std::vector<Number>(table_ + from / kWord, table_ + from / kWord + words).begin(),
                words, target);
  }
}

void UsefulWork::MarkUseful() {
  useful_.assign(nodes_, !has_all_edges_);
  if (!has_all_edges_) return;
  std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> writers;
  for (const std::uint64_t edge : edges_) writers[edge >> 32].push_back(edge & 0xffffffff);
  std::vector<std::uint64_t> left = roots_;
  while (!left.empty()) {
    const std::uint64_t node = left.back();
    left.pop_back();
    if (useful_[node]) continue;
    useful_[node] = true;
    const auto found = writers.find(node);
    if (found != writers.end()) left.insert(left.end(), found->second.begin(), found->second.end());
  }
}

double UsefulWork::WorkOf(const Launch& launch) const {
  double work = 0;
  bool is_useful = false;
  for (std::size_t block = 0; block < launch.work.size(); ++block) {
    const bool useful = useful_[launch.node + block];
    is_useful = is_useful || useful;
    work += static_cast<double>(
        useful ? launch.work[block]
               : std::min(launch.work[block], kOperationsOfByte * launch.read[block]));
  }
  if (!is_useful) return 0;
  if (launch.is_library) return work;
  if (launch.work.size() * launch.threads_of_block > kMaxThreads) return work;
  double shares = 0;
  double stored = 0;
  std::uint32_t most = 0;
  for (const std::uint32_t words : launch.needed) {
    stored += words;
    most = std::max(most, words);
  }
  if (most > 0) shares = stored / most;
  if (launch.most_read > 0) {
    shares =
        std::max(shares, static_cast<double>(launch.bytes) / static_cast<double>(launch.most_read));
  }
  if (shares == 0) return work;
  return std::min(work, kSlackOfThreads * std::max(shares, 1.0) * static_cast<double>(launch.span));
}

double UsefulWork::MostAtATime() const {
  double stored = 0;
  double most_stored = 0;
  double storing = 0;  // threads of the block that stored most
  double read = 0;     // by one launch
  double most_read = 0;
  double reading = 0;
  for (const Launch& launch : launches_) {
    const auto threads = static_cast<double>(launch.threads_of_block);
    if (launch.work.size() * launch.threads_of_block > kMaxThreads) return 0;
    read = std::max(read, static_cast<double>(launch.bytes));
    for (std::size_t block = 0; block < launch.work.size(); ++block) {
      if (launch.is_library || static_cast<double>(launch.read[block]) <= most_read) continue;
      most_read = static_cast<double>(launch.read[block]);
      reading = threads;
    }
    for (std::size_t first = 0; first < launch.needed.size(); first += launch.threads_of_block) {
      double of_block = 0;
      for (std::size_t i = 0; i < launch.threads_of_block; ++i)
        of_block += launch.needed[first + i];
      stored += of_block;
      if (launch.is_library || of_block <= most_stored) continue;
      most_stored = of_block;
      storing = threads;
    }
  }
  const double by_stores = most_stored > 0 ? storing * stored / most_stored : 0;
  const double by_reads = most_read > 0 ? reading * read / most_read : 0;
  return kSlackOfBlocks * std::max(by_stores, by_reads);
}

void UsefulWork::EndCall() {
  if (table_ == nullptr) return;
  for (const Allocation* const allocation : DeviceHeap::Get().Live()) {
    if (allocation->role != ArgumentRole::kOutput) continue;
    Copy(kHost, DeviceHeap::Offset(allocation->begin), allocation->bytes);
  }
  MarkUseful();
  double sum = 0;
  for (const Launch& launch : launches_) {
    std::uint64_t all = 0;
    for (const std::uint64_t work : launch.work) all += work;
    const auto useful = static_cast<std::uint64_t>(WorkOf(launch));
    if (launch.profile >= Profiles().size()) continue;  // forgotten in the meantime
    KernelProfile& profile = Profiles()[launch.profile];
    profile.work -= std::min(profile.work, all - useful);
    sum += static_cast<double>(useful);
  }
  const double most = MostAtATime();
  if (most > 0) sum = std::min(sum, most * static_cast<double>(CallSpan()));
  SetCallWork(static_cast<std::uint64_t>(sum));
  launches_.clear();
  before_call_ = next_ - 1;
}

}  // namespace cudasim
