#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

namespace lab {

// One of several implementations of the same job.
struct Peer {
  std::string name;
  std::size_t bytes;               // that it must read and write, for a figure in GB/s; 0: none
  std::function<void()> run;       // once; its results may be anywhere
  std::function<bool()> is_right;  // after run()
};

// Runs the peers in turns on this machine and prints, for each, its least and median time, its
// bandwidth and its median ratio to the first one, which is below 1 for a faster one. All turns of
// a round lie close together, so a busy machine slows all of them. Returns false, and says which,
// if a result was wrong.
bool ComparePeers(const std::string& job, std::span<const Peer> peers);

// A peer that reads half of `bytes` and writes as many with OpenMP's threads and memcpy, which for
// long blocks bypasses the caches: the bandwidth limit of code that reads and writes.
Peer CopyPeer(std::size_t bytes);

// A peer that reads `bytes` bytes with OpenMP's threads, one word of each cache line, so that only
// memory limits it: the bandwidth limit of code that only reads.
Peer ReadPeer(std::size_t bytes);

}  // namespace lab
