#pragma once

// Work that a rank does while messages are under way: what it writes into its outputs for good
// after its last send and before it has received a message. A rank that waits first has nothing
// to show, and values that change later are none.

#include <cstdint>
#include <span>

#include "common/lab/call/call.h"

namespace lab::mpi {

// Begins a call with these arguments. Outputs are only looked at where counts are asked for, and
// where they are small.
void WatchOutputs(std::span<const Argument> arguments);

// This rank has sent a message, or is about to take one.
void NoteSend();
void NoteReceive();

// This rank waits for all others: nothing that it wrote so far was overlapped.
void DropOverlap();

// Whether the outputs were written since the last few such questions, while a message is under way.
// Then
// a test may find no message yet, as the standard permits: work between tests is overlapped, too.
bool IsWorking();

// Of the call, when the outputs are complete.
std::uint64_t OverlappedBytes();

}  // namespace lab::mpi
