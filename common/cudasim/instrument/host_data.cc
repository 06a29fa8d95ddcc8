#include "common/cudasim/instrument/host_data.h"

#include <cstring>

namespace cudasim {
namespace {

template <class Visit>
void ForEachWord(const void* begin, std::size_t bytes, const Visit& visit) {
  const auto* const data = static_cast<const char*>(begin);
  for (std::size_t i = 0; i + sizeof(std::uint32_t) <= bytes; i += sizeof(std::uint32_t)) {
    std::uint32_t word = 0;
    std::memcpy(&word, data + i, sizeof(word));
    visit(word);
  }
}

std::size_t BytesOutside(const WordSet& known, const void* begin, std::size_t bytes) {
  std::size_t sum = 0;
  ForEachWord(begin, bytes, [&](std::uint32_t word) {
    if (!known.Contains(word)) sum += sizeof(word);
  });
  return sum;
}

}  // namespace

void WordSet::Add(const void* begin, std::size_t bytes) {
  ForEachWord(begin, bytes, [&](std::uint32_t word) { bits_[Slot(word)] |= Bit(word); });
}

void HostData::BeginCall() {
  has_argument_ = has_device_input_ = false;
  outputs_.clear();
  own_bytes_ = stored_bytes_ = 0;
}

void HostData::AddArgument(const void* begin, std::size_t bytes, bool is_span_output) {
  if (!has_argument_) {
    inputs_.Clear();
    returned_.Clear();
  }
  has_argument_ = true;
  inputs_.Add(begin, bytes);
  if (!is_span_output) return;
  // What the function leaves as it was, nobody wrote.
  returned_.Add(begin, bytes);
  outputs_.push_back({begin, bytes});
}

std::size_t HostData::AddRead(const void* begin, std::size_t bytes) {
  if (!is_watched()) return 0;
  const std::size_t own = BytesOutside(inputs_, begin, bytes);
  own_bytes_ += own;
  return own;
}

void HostData::AddReturned(const void* begin, std::size_t bytes) {
  if (is_watched() && !outputs_.empty()) returned_.Add(begin, bytes);
}

std::uint64_t HostData::OwnBytesOfOutputs() const {
  if (!is_watched()) return 0;
  std::uint64_t own = 0;
  std::uint64_t all = 0;
  for (const Span& output : outputs_) {
    own += BytesOutside(returned_, output.begin, output.bytes);
    all += output.bytes;
  }
  return stored_bytes_ >= all / 2 ? 0 : own;
}

}  // namespace cudasim
