// What check mode remembers of each 4-byte word of device and shared memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cudasim {

// Serials count barrier epochs of all blocks of a launch, and fences, in the order in which they
// happen: one serial names one block and one stretch of it between barriers.
using Serial = std::uint32_t;
// Linear index of a thread in its grid.
using ThreadId = std::uint32_t;

constexpr ThreadId kNoThread = ~ThreadId{0};

// A code address as a distance from this library's code: 32 bits reach all of one program.
using CodeOffset = std::uint32_t;
CodeOffset ToCodeOffset(const void* pc);
const void* FromCodeOffset(CodeOffset offset);

struct Cell {
  Serial write_serial;
  ThreadId write_thread;
  CodeOffset write_pc;
  Serial read_serial;
  ThreadId read_thread;
  CodeOffset read_pc;
  ThreadId second_reader;
  std::uint8_t write_mask;  // bytes of the word
  std::uint8_t read_mask;
  std::uint8_t atomic_write;  // the last write was atomic or volatile
  std::uint8_t spare;
};
static_assert(sizeof(Cell) == 32, "the shadow is 8 times the memory it describes");

constexpr std::size_t kWordBytes = 4;

// Zeroed cells for `bytes` of memory; pages come as they are touched.  Aborts with a message if
// there is no address space.
Cell* ReserveCells(std::size_t bytes);

// Makes cells zero again and gives their pages back.
void DropCells(Cell* first, std::size_t count);

}  // namespace cudasim
