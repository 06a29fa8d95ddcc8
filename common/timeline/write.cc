#include <errno.h>

#include <cinttypes>
#include <cstdio>
#include <memory>

#include "common/timeline/recorder.h"
#include "common/timeline/sampler.h"

extern "C" const char __executable_start[];
extern "C" const char etext[];

namespace lab::timeline {
namespace {

std::int64_t SinceStart(std::int64_t at_ns) { return at_ns - StartNanoseconds(); }

// Addresses as the program's file has them; others are 0.
std::uintptr_t InFile(std::uintptr_t address) {
  const auto begin = reinterpret_cast<std::uintptr_t>(__executable_start);
  const auto end = reinterpret_cast<std::uintptr_t>(etext);
  return begin <= address && address < end ? address - begin : 0;
}

void WritePlace(std::FILE* file, const Place& place) {
  std::fputc('[', file);
  const char* comma = "";
  for (const std::uintptr_t frame : place) {
    if (frame == 0) break;
    std::fprintf(file, "%s%" PRIuPTR, comma, InFile(frame));
    comma = ",";
  }
  std::fputc(']', file);
}

void WriteWaker(std::FILE* file, const Waker& waker) {
  std::fprintf(file, "[%d,%" PRId64 ",%" PRIuPTR "]",
               waker.thread == kNobody ? -1 : static_cast<int>(waker.thread),
               waker.thread == kNobody ? 0 : SinceStart(waker.at_ns), InFile(waker.frame));
}

void WriteInterval(std::FILE* file, const Interval& interval) {
  std::fprintf(file,
               "[\"%s\",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%u,%d,\"%" PRIx64
               "\",%" PRId64 ",",
               KindName(interval.kind), SinceStart(interval.begin_ns), SinceStart(interval.end_ns),
               interval.sum_ns, interval.ready_ns, interval.count, interval.depth, interval.object,
               static_cast<std::int64_t>(interval.detail));
  WritePlace(file, interval.place);
  std::fputc(',', file);
  WriteWaker(file, interval.waker);
  std::fputs("]", file);
}

void WriteAccount(std::FILE* file, const Account& account) {
  std::fprintf(file, "[%" PRId64 ",%" PRId64 ",%" PRId64 "]", SinceStart(account.at_ns),
               account.run_ns, account.ready_ns);
}

template <typename Values, typename Write>
void WriteList(std::FILE* file, const char* name, const Values& values, const Write& write) {
  std::fprintf(file, ",\"%s\":[", name);
  const char* comma = "\n";
  for (const auto& value : values) {
    std::fputs(comma, file);
    write(file, value);
    comma = ",\n";
  }
  std::fputc(']', file);
}

void WriteThread(std::FILE* file, const ThreadRecord& thread) {
  const bool began = thread.begin_ns > StartNanoseconds();
  std::fprintf(file, "{\"number\":%d,\"begin\":%" PRId64 ",\"end\":%" PRId64 ",\"events\":%" PRIu64,
               thread.number, began ? SinceStart(thread.begin_ns) : 0,
               SinceStart(thread.end_ns == 0 ? StopNanoseconds() : thread.end_ns), thread.events);
  std::fputs(",\"creator\":", file);
  WriteWaker(file, thread.creator);
  std::fprintf(file, ",\"is_openmp\":%s", thread.is_openmp ? "true" : "false");
  std::vector<Account> accounts = thread.accounts;
  accounts.insert(accounts.begin(), thread.first);
  accounts.push_back(thread.last);
  WriteList(file, "accounts", accounts, WriteAccount);
  WriteList(file, "intervals", thread.intervals, WriteInterval);
  WriteList(file, "samples", thread.program_counters,
            [](std::FILE* out, const ProgramCounter& counter) {
              std::fprintf(out, "[%" PRId64 ",", SinceStart(counter.at_ns));
              WritePlace(out, counter.place);
              std::fputc(']', out);
            });
  std::fputc('}', file);
}

}  // namespace

bool Write(const char* path, const char* function) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path, "w"), std::fclose);
  if (file == nullptr) return false;
  std::fprintf(file.get(),
               "{\"function\":\"%s\",\"wall\":%" PRId64 ",\"sampler\":%" PRId64
               ",\"event\":%" PRId64 ",\"left_out\":%d,\"openmp_tool\":%s",
               function, SinceStart(StopNanoseconds()), SamplerNanoseconds(), EventNanoseconds(),
               ThreadsLeftOut(), has_openmp_tool ? "true" : "false");
  WriteList(file.get(), "threads", Threads(),
            [](std::FILE* out, const ThreadRecord* thread) { WriteThread(out, *thread); });
  std::fputs("}\n", file.get());
  return std::fflush(file.get()) == 0;
}

}  // namespace lab::timeline
