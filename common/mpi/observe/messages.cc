#include "common/mpi/observe/messages.h"

#include <unistd.h>

#include <algorithm>
#include <span>
#include <vector>

#include "common/mpi/observe/overlap.h"
#include "common/mpi/observe/rank.h"
#include "common/mpi/observe/report.h"

namespace lab::mpi {
namespace {

// A message counts as so many at least: its tag could be data, too.
constexpr std::uint64_t kLeastBytes = 8;

std::uint64_t CountedBytes(const Message& message) { return std::max(message.bytes, kLeastBytes); }

struct Arrival {
  std::uint64_t time;
  std::uint64_t cost;

  auto operator<=>(const Arrival&) const = default;
};

// Of the call so far, since the last collective. A port receives messages as they arrive, in
// whatever order the rank waits for them.
std::vector<Arrival> message_port;
std::vector<Arrival> byte_port;

void Arrive(std::vector<Arrival>& port, PortClock& clock, const Arrival& arrival) {
  const auto place = port.insert(std::ranges::upper_bound(port, arrival), arrival);
  std::uint64_t time = 0;
  std::uint64_t ready = 0;
  for (auto each = port.begin(); each != port.end(); ++each) {
    time = std::max(time + each->cost, each->time);
    if (each == place) ready = time;
  }
  clock.Receive(ready, time);
}

// The type of its elements, if they are all of one; else MPI_DATATYPE_NULL.
MPI_Datatype BasicType(MPI_Datatype type) {
  int integers = 0;
  int addresses = 0;
  int types = 0;
  int combiner = MPI_COMBINER_NAMED;
  PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  if (combiner == MPI_COMBINER_NAMED) return type;
  if (types != 1) return MPI_DATATYPE_NULL;
  std::vector<int> integer_values(static_cast<std::size_t>(integers) + 1);
  std::vector<MPI_Aint> address_values(static_cast<std::size_t>(addresses) + 1);
  MPI_Datatype inner = MPI_DATATYPE_NULL;
  PMPI_Type_get_contents(type, integers, addresses, types, integer_values.data(),
                         address_values.data(), &inner);
  return BasicType(inner);
}

bool IsFloating(MPI_Datatype type) {
  return type == MPI_FLOAT || type == MPI_DOUBLE || type == MPI_LONG_DOUBLE;
}

// 0 where it fits every other type.
std::uint32_t ElementBytes(MPI_Datatype basic) {
  if (basic == MPI_DATATYPE_NULL || basic == MPI_BYTE || basic == MPI_PACKED) return 0;
  int bytes = 0;
  PMPI_Type_size(basic, &bytes);
  return static_cast<std::uint32_t>(bytes);
}

void CheckContent(const Content& content) {
  if (content.count < 0) ReportBadArgument("a count below 0");
  if (content.type == MPI_DATATYPE_NULL) ReportBadArgument("MPI_DATATYPE_NULL");
}

void CheckRank(int rank, const Communicator& communicator) {
  const int size = static_cast<int>(communicator.world.size());
  if (rank >= 0 && rank < size) return;
  ReportBadArgument("rank " + std::to_string(rank) + " of " + std::to_string(size));
}

bool Fits(const Message& message, int context, int tag) {
  return message.context == context && message.destination == MyRank() &&
         (tag == MPI_ANY_TAG || message.tag == tag);
}

std::span<Message> Messages() {
  return std::span(TheBoard().messages).first(TheBoard().message_count);
}

// The oldest one of so many bytes, or else the oldest: requests may complete in another order than
// they began in.
Message Take(int context, int source, int tag, std::uint64_t bytes) {
  const BoardLock lock;
  const auto is_it = [&](const Message& message) {
    return message.source == source && Fits(message, context, tag);
  };
  auto found = std::ranges::find_if(
      Messages(), [&](const Message& message) { return is_it(message) && message.bytes == bytes; });
  if (found == Messages().end()) found = std::ranges::find_if(Messages(), is_it);
  if (found == Messages().end()) return {};
  const Message message = *found;
  std::move(found + 1, Messages().end(), found);
  --TheBoard().message_count;
  return message;
}

// Ranks in the world, each once.
// Only those of messages that no receive has begun to take.
std::vector<int> SourcesUnderWay(const Communicator& from, int tag, MPI_Comm communicator) {
  std::vector<int> sources;
  for (std::size_t source = 0; source < from.world.size(); ++source) {
    int is_there = 0;
    PMPI_Iprobe(static_cast<int>(source), tag, communicator, &is_there, MPI_STATUS_IGNORE);
    if (is_there != 0) sources.push_back(static_cast<int>(source));
  }
  return sources;
}

bool OthersWait() {
  for (int each = 0; each < RankCount(); ++each) {
    const RankState& other = TheBoard().ranks[static_cast<std::size_t>(each)];
    const Activity activity = other.activity.load();
    if (each == MyRank() || activity == Activity::kReturned) continue;
    if (activity != Activity::kBlocked || other.fruitless_polls.load() < 20) return false;
  }
  return true;
}

}  // namespace

std::uint64_t Content::Bytes() const {
  int bytes = 0;
  PMPI_Type_size(type, &bytes);
  return static_cast<std::uint64_t>(bytes) * static_cast<std::uint64_t>(count);
}

void RecordSend(const Content& content, int destination, int tag, const Communicator& to) {
  CheckContent(content);
  if (destination == MPI_PROC_NULL) return;
  CheckRank(destination, to);
  if (tag < 0) ReportBadArgument("a tag below 0");
  const MPI_Datatype basic = BasicType(content.type);
  NoteSend();
  RankState& me = Me();
  const BoardLock lock;
  if (TheBoard().message_count == kMaxMessages) {
    Report("too_many_messages", std::to_string(kMaxMessages) +
                                    " messages are under way that no rank receives, the last sent "
                                    "at " +
                                    PlaceOf(CurrentLine()));
  }
  Message& message = TheBoard().messages[TheBoard().message_count++];
  message = {to.context,
             MyRank(),
             to.world[static_cast<std::size_t>(destination)],
             tag,
             CurrentLine(),
             IsFloating(basic),
             ElementBytes(basic),
             content.Bytes(),
             0,
             0};
  message.arrives = me.clocks.messages.Send(1);
  message.arrives_bytes = me.clocks.bytes.Send(CountedBytes(message));
  Sent& sent = me.traffic.sent[static_cast<std::size_t>(message.destination)];
  ++sent.messages;
  sent.bytes += CountedBytes(message);
  TheBoard().events.fetch_add(1);
}

void CheckReceive(const Content& content, int source, int tag, const Communicator& from) {
  CheckContent(content);
  if (source != MPI_PROC_NULL && source != MPI_ANY_SOURCE) CheckRank(source, from);
  if (tag < 0 && tag != MPI_ANY_TAG) ReportBadArgument("a tag below 0");
}

void RecordReceive(const Content& content, const MPI_Status& status, const Communicator& from) {
  if (status.MPI_SOURCE == MPI_PROC_NULL) return;
  NoteReceive();
  const int source = from.world[static_cast<std::size_t>(status.MPI_SOURCE)];
  int bytes = 0;
  PMPI_Get_count(&status, MPI_BYTE, &bytes);
  const Message message =
      Take(from.context, source, status.MPI_TAG, static_cast<std::uint64_t>(bytes));
  const MPI_Datatype basic = BasicType(content.type);
  const std::uint32_t expected = ElementBytes(basic);
  if (message.bytes != 0 && message.element_bytes != 0 && expected != 0 &&
      (message.element_bytes != expected || message.is_floating != IsFloating(basic))) {
    Report("type_mismatch",
           "a message sent at " + PlaceOf(message.line) + " is received as another type at " +
               PlaceOf(CurrentLine()),
           {"sent: " + std::to_string(message.bytes) + " bytes in elements of " +
                std::to_string(message.element_bytes),
            "received: in elements of " + std::to_string(expected)});
  }
  if (message.bytes > content.Bytes()) {
    Report("truncated", "a message of " + std::to_string(message.bytes) + " bytes, sent at " +
                            PlaceOf(message.line) + ", does not fit into the " +
                            std::to_string(content.Bytes()) + " bytes of the receive at " +
                            PlaceOf(CurrentLine()));
  }
  RankState& me = Me();
  me.traffic.bytes_received += CountedBytes(message);
  Arrive(message_port, me.clocks.messages, {message.arrives, 1});
  Arrive(byte_port, me.clocks.bytes, {message.arrives_bytes, CountedBytes(message)});
}

int ChooseSource(int tag, MPI_Comm communicator, const char* name) {
  const MPI_Comm own = Own(communicator);
  const Communicator& from = Known(own);
  static std::uint64_t choices = 0;
  constexpr int kLooks = 1000;
  std::vector<int> sources;
  Await({name, -1, tag}, [&] {
    sources = SourcesUnderWay(from, tag, own);
    return !sources.empty();
  });
  for (int look = 0; look < kLooks && !OthersWait(); ++look) usleep(50);
  sources = SourcesUnderWay(from, tag, own);
  std::uint64_t hash = (ScheduleSeed() + ++choices) * 0x9e3779b97f4a7c15u;
  hash ^= hash >> 32;
  return sources[hash % sources.size()];
}

void MovePortsTo(std::uint64_t messages, std::uint64_t bytes) {
  Clocks& clocks = Me().clocks;
  clocks.messages.MoveTo(messages);
  clocks.bytes.MoveTo(bytes);
  message_port = {{messages, 0}};
  byte_port = {{bytes, 0}};
}

void ReportUnreceived() {
  const BoardLock lock;
  if (TheBoard().message_count == 0) return;
  const Message& message = TheBoard().messages[0];
  Report("unreceived", "the message sent by rank " + std::to_string(message.source) + " at " +
                           PlaceOf(message.line) + " to rank " +
                           std::to_string(message.destination) + ", tag " +
                           std::to_string(message.tag) + ", is never received");
}

void Rendezvous() {
  Board& board = TheBoard();
  const std::uint32_t call = board.call.load();
  if (board.returned.fetch_add(1) + 1 == static_cast<std::uint32_t>(RankCount())) {
    board.returned = 0;
    board.call.fetch_add(1);
    return;
  }
  for (int looks = 0; board.call.load() == call; ++looks) usleep(looks < 20 ? 1 : 100);
}

}  // namespace lab::mpi
