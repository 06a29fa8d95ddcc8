// What orders accesses and is not told to ThreadSanitizer.
#ifndef GRADER_KIT_INSTRUMENT_ORDERS_H_
#define GRADER_KIT_INSTRUMENT_ORDERS_H_

#include "grader/judging/kit/instrument/ir_text.h"

namespace grader::instrument {

// In a program where tasks take part in a reduction: the end of each task releases what the
// combining acquires. It waits for all of them anyway.
class TaskOrders {
 public:
  explicit TaskOrders(const Lines& program);

  // Adds the calls to a function of the program.
  void Add(Lines& function) const;

  // Adds declarations of what the calls call.
  void Declare(Lines& program) const;

 private:
  bool combines_;
};

}  // namespace grader::instrument

#endif  // GRADER_KIT_INSTRUMENT_ORDERS_H_
