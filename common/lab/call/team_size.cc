#include "common/lab/call/team_size.h"

#include <stdexcept>
#include <string>

namespace lab {
namespace {

int current = 0;

}  // namespace

TeamSize::TeamSize(int threads) : before_(current) {
  if (threads < 1) {
    throw std::invalid_argument("error: team size: " + std::to_string(threads) +
                                ", limit at least 1");
  }
  current = threads;
}

TeamSize::~TeamSize() { current = before_; }

int CurrentTeamSize() { return current; }

}  // namespace lab
