#include "common/mpi/observe/overlap.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace lab::mpi {
namespace {

constexpr std::size_t kMostBytes = 1 << 20;
// A program may ask for each of its requests in turn before it writes on.
constexpr int kMaxIdleQuestions = 64;

class Output {
 public:
  explicit Output(const Argument& argument)
      : element_(argument.element_size),
        now_(static_cast<const std::byte*>(argument.data), argument.count * element_),
        overlapped_(argument.count) {}

  void BeginOverlap() {
    begin_.assign(now_.begin(), now_.end());
    seen_ = begin_;
  }

  bool HasChanged() {
    if (std::ranges::equal(seen_, now_)) return false;
    seen_.assign(now_.begin(), now_.end());
    return true;
  }

  void EndOverlap() {
    last_.resize(now_.size());
    for (std::size_t i = 0; i < overlapped_.size(); ++i) {
      if (IsAsIn(begin_, i)) continue;
      overlapped_[i] = true;
      memcpy(&last_[i * element_], &now_[i * element_], element_);
    }
  }

  std::uint64_t OverlappedBytes() const {
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < overlapped_.size(); ++i) {
      if (overlapped_[i] && IsAsIn(last_, i)) bytes += element_;
    }
    return bytes;
  }

 private:
  bool IsAsIn(const std::vector<std::byte>& copy, std::size_t i) const {
    return memcmp(&copy[i * element_], &now_[i * element_], element_) == 0;
  }

  std::size_t element_;
  std::span<const std::byte> now_;
  std::vector<std::byte> begin_;  // when a message was sent
  std::vector<std::byte> seen_;   // by the last question
  std::vector<std::byte> last_;   // what was written in the last overlap that wrote the element
  std::vector<bool> overlapped_;
};

std::vector<Output> outputs;
bool is_overlap = false;
int idle_questions = 0;  // since the outputs last changed

}  // namespace

void WatchOutputs(std::span<const Argument> arguments) {
  outputs.clear();
  is_overlap = false;
  if (std::getenv("LAB_MPI_PROFILE") == nullptr) return;
  for (const Argument& argument : arguments) {
    const bool is_small = argument.count * argument.element_size <= kMostBytes;
    if (argument.kind == Argument::Kind::kInOut && is_small) outputs.emplace_back(argument);
  }
}

void NoteSend() {
  is_overlap = true;
  idle_questions = 0;
  for (Output& output : outputs) output.BeginOverlap();
}

void NoteReceive() {
  if (!is_overlap) return;
  is_overlap = false;
  for (Output& output : outputs) output.EndOverlap();
}

void DropOverlap() { is_overlap = false; }

bool IsWorking() {
  if (!is_overlap || outputs.empty()) return false;
  const bool has_changed = std::ranges::count_if(outputs, &Output::HasChanged) > 0;
  idle_questions = has_changed ? 0 : idle_questions + 1;
  return idle_questions < kMaxIdleQuestions;
}

std::uint64_t OverlappedBytes() {
  std::uint64_t bytes = 0;
  for (const Output& output : outputs) bytes += output.OverlappedBytes();
  return bytes;
}

}  // namespace lab::mpi
