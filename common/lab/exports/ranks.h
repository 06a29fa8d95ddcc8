#pragma once

// The functions by which a worker tells a message-passing program's observer of a call. Null in a
// worker without one.

#include <cstddef>
#include <cstdint>

#include "common/lab/call/call.h"

extern "C" {
// `ranks` make the call, this one with these arguments. With `strict` sends return only when their
// messages are received, and those for MPI_ANY_SOURCE come in an order that a seed chooses.
__attribute__((weak)) void labBeginRanks(std::uint32_t ranks, std::uint32_t strict,
                                         const lab::Argument* arguments, std::size_t count);
// Returns when all have returned. Reports what they have left behind.
__attribute__((weak)) void labEndRanks();
}
