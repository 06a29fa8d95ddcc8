#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

namespace lab {

// Something that does a job which others do as well.
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
// long blocks goes past the caches: the limit of what memory allows to code that writes, too.
Peer CopyPeer(std::size_t bytes);

// A peer that reads `bytes` bytes with OpenMP's threads, one word of each cache line, so that
// nothing but memory is in the way: the limit of what memory allows to code that only reads.
Peer ReadPeer(std::size_t bytes);

}  // namespace lab
