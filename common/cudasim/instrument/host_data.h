// Whether a call whose inputs lie in the host's memory lets kernels do its work: kernels must read
// the inputs themselves, not what the host made of them, and the outputs in the host's memory must
// have come from the device.
//
// A program may stage, pack, pad and reorder, so contents decide, word by word: a word that a
// kernel reads and that the host wrote is the host's own if no input holds it, and so is a word of
// an output that never was on the device.  Sets of words are bit tables of hashes, which may take a
// word of the host for another's, but never the reverse.  0 belongs to everybody.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cudasim {

class WordSet {
 public:
  // All whole words of the range.
  void Add(const void* begin, std::size_t bytes);
  bool Contains(std::uint32_t word) const { return word == 0 || (bits_[Slot(word)] & Bit(word)); }
  void Clear() { bits_.assign(kSlots, 0); }

 private:
  static constexpr std::size_t kSlots = std::size_t{1} << 18;

  static std::uint32_t Hash(std::uint32_t word) { return word * 2654435761u >> 8; }
  static std::size_t Slot(std::uint32_t word) { return Hash(word) / 64; }
  static std::uint64_t Bit(std::uint32_t word) { return std::uint64_t{1} << Hash(word) % 64; }

  std::vector<std::uint64_t> bits_;
};

class HostData {
 public:
  void BeginCall();

  // An argument in memory that the host reaches, with what it holds as the call begins.  The words
  // of `is_span`, an output in the host's own memory, are compared when the call is over.
  void AddArgument(const void* begin, std::size_t bytes, bool is_span_output);
  // An input is in device memory: nothing is concluded.
  void AddDeviceInput() { has_device_input_ = true; }

  bool is_watched() const { return has_argument_ && !has_device_input_; }

  // Of the whole words of a range that kernels read and that the host wrote, the bytes that are the
  // host's own; adds them up.
  std::size_t AddRead(const void* begin, std::size_t bytes);
  void AddOwn(std::size_t bytes) { own_bytes_ += bytes; }
  // The range holds what kernels wrote.
  void AddReturned(const void* begin, std::size_t bytes);
  // Kernels have stored to the host's memory: what, only they know.
  void AddStored(std::size_t bytes) { stored_bytes_ += bytes; }

  // Of all that kernels read.  A few tables of constants are everybody's.
  std::uint64_t own_bytes_read() const { return own_bytes_ > kFree ? own_bytes_ : 0; }
  // Of all outputs in the host's own memory.
  std::uint64_t OwnBytesOfOutputs() const;

 private:
  static constexpr std::uint64_t kFree = 4096;

  struct Span {
    const void* begin;
    std::size_t bytes;
  };

  bool has_argument_ = false;
  bool has_device_input_ = false;
  WordSet inputs_;
  WordSet returned_;
  std::vector<Span> outputs_;
  std::uint64_t own_bytes_ = 0;
  std::uint64_t stored_bytes_ = 0;
};

}  // namespace cudasim
