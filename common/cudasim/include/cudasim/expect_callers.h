// Tells check mode which threads call one function at the same time, so that it finds what their
// streams' work shares.  Needs no CUDA header.  Defined in the libraries of all modes.
// Thread-safe.
#pragma once

extern "C" {

// From now on this number of threads calls the function.  None of them goes on from a wait for a
// stream, an event or the device before each has waited or is done: what they submitted until then
// is unordered, whichever thread ran first.  Where one cannot go on until another has waited, such
// as behind a lock, all go on after a while.
void simulatorExpectCallers(unsigned callers);

// One of them has returned from the function.
void simulatorCallerIsDone();

}  // extern "C"
