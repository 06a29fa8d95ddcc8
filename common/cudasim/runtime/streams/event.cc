#include "common/cudasim/runtime/streams/event.h"

#include <mutex>
#include <set>

#include "common/cudasim/runtime/errors/errors.h"

namespace cudasim {
namespace {

struct Events {
  std::mutex mutex;
  std::set<cudaEvent_t> live;
};

Events& AllEvents() {
  static auto* const events = new Events;  // never destroyed: other threads may outlive main()
  return *events;
}

}  // namespace

CUevent_st* CreateEvent(bool timed) {
  auto* const event = new CUevent_st;
  event->timed = timed;
  Events& events = AllEvents();
  const std::lock_guard lock(events.mutex);
  events.live.insert(event);
  return event;
}

bool DestroyEvent(cudaEvent_t event) {
  Events& events = AllEvents();
  const std::lock_guard lock(events.mutex);
  if (events.live.erase(event) == 0) return false;
  delete event;
  return true;
}

CUevent_st* FindEvent(cudaEvent_t event) {
  Events& events = AllEvents();
  const std::lock_guard lock(events.mutex);
  return StickyError() == cudaSuccess && events.live.count(event) != 0 ? event : nullptr;
}

std::size_t LiveEvents() {
  Events& events = AllEvents();
  const std::lock_guard lock(events.mutex);
  return events.live.size();
}

}  // namespace cudasim
