// A mark for each byte of a range of memory: the number of the host operation that wrote it last, 0
// if none did.  The table reserves twice the range's addresses, but takes memory only where there
// are marks.
#pragma once

#include <algorithm>
#include <cstddef>

#include "common/cudasim/instrument/call_account.h"

namespace cudasim {

class Marks {
 public:
  // Reserves addresses for the marks of `bytes`, once.  Aborts with a message if there are none.
  void Prepare(std::size_t bytes);

  // A range of multiples of 16 bytes outside of which there are no marks.
  const OffsetSpan& marked() const { return marked_; }
  Mark* table() const { return table_; }

  // Set or clear the marks of the bytes [offset, offset + bytes).
  void Set(std::size_t offset, std::size_t bytes, Mark mark);
  void Clear(std::size_t offset, std::size_t bytes);

  // Returns the memory to the system.
  void ClearAll();

  // Copies the marks of a range of `from`, each mapped by `change`.  The ranges may overlap.
  template <class Change>
  void Carry(std::size_t offset, const Marks& from, std::size_t from_offset, std::size_t bytes,
             const Change& change) {
    if (!from.marked_.Touches(from_offset, bytes)) return Clear(offset, bytes);
    Include(offset, bytes);
    const Mark* const source = from.table_ + from_offset;
    Mark* const target = table_ + offset;
    if (source < target) {
      for (std::size_t i = bytes; i-- > 0;) target[i] = change(source[i]);
    } else {
      for (std::size_t i = 0; i < bytes; ++i) target[i] = change(source[i]);
    }
  }

  // Calls `visit` with the mark of each byte that has one.
  template <class Visit>
  void ForEachMark(std::size_t offset, std::size_t bytes, const Visit& visit) const {
    const std::size_t begin = std::max(offset, marked_.begin);
    const std::size_t end = std::min(offset + bytes, marked_.begin + marked_.bytes);
    for (std::size_t i = begin; i < end; ++i) {
      if (table_[i] != 0) visit(table_[i]);
    }
  }

 private:
  void Include(std::size_t offset, std::size_t bytes);

  Mark* table_ = nullptr;
  std::size_t bytes_ = 0;  // that the table covers
  OffsetSpan marked_;
};

}  // namespace cudasim
