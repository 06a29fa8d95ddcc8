#include "common/lab/test_program/progress.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

namespace lab {

namespace {

// Zero-terminated, but not trusted to be: it is also read after the program has crashed.
using Text = char[1024];

void Store(const std::string& value, Text& text) {
  const std::size_t length = std::min(value.size(), sizeof(text) - 1);
  std::memcpy(text, value.data(), length);
  text[length] = '\0';
}

std::string Load(const Text& text) { return std::string(text, strnlen(text, sizeof(text))); }

}  // namespace

// Fixed layout: guard and program are built together, but are two programs.
struct Progress::Page {
  bool started;
  bool finished;
  int exit_code;
  Text test;
  Text replay_command;
};

namespace {

constexpr char kVariable[] = "LAB_PROGRESS_FD";

void* Map(int fd, std::size_t size) {
  return mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
}

}  // namespace

Progress Progress::Create() {
  const int fd = memfd_create("lab_progress", 0);
  if (fd < 0 || ftruncate(fd, sizeof(Page)) != 0) {
    throw std::system_error(errno, std::generic_category(), "progress page");
  }
  void* page = Map(fd, sizeof(Page));
  if (page == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "progress page");
  setenv(kVariable, std::to_string(fd).c_str(), 1);
  return Progress(static_cast<Page*>(page));
}

Progress Progress::OfEnvironment() {
  const char* text = std::getenv(kVariable);
  if (text == nullptr) return Progress(nullptr);
  const int fd = std::atoi(text);
  void* page = lseek(fd, 0, SEEK_END) == sizeof(Page) ? Map(fd, sizeof(Page)) : MAP_FAILED;
  close(fd);
  unsetenv(kVariable);
  return Progress(page == MAP_FAILED ? nullptr : static_cast<Page*>(page));
}

Progress::~Progress() {
  if (page_ != nullptr) munmap(page_, sizeof(Page));
}

void Progress::SetReplayCommand(const std::string& command) {
  if (page_ != nullptr) Store(command, page_->replay_command);
}

void Progress::Start(const std::string& test) {
  if (page_ == nullptr) return;
  Store(test, page_->test);
  page_->started = true;
}

void Progress::EndTest() {
  if (page_ != nullptr) page_->test[0] = '\0';
}

void Progress::Finish(int exit_code) {
  if (page_ == nullptr) return;
  page_->exit_code = exit_code;
  page_->finished = true;
}

std::string Progress::running_test() const { return page_ == nullptr ? "" : Load(page_->test); }

std::string Progress::replay_command() const {
  return page_ == nullptr ? "" : Load(page_->replay_command);
}

bool Progress::started() const { return page_ != nullptr && page_->started; }

bool Progress::finished() const { return page_ != nullptr && page_->finished; }

int Progress::exit_code() const { return page_ == nullptr ? 0 : page_->exit_code; }

}  // namespace lab
