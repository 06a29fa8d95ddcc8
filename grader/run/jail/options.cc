#include "grader/run/jail/options.h"

#include <charconv>
#include <cmath>
#include <functional>
#include <map>

namespace grader {

const char kUsage[] = R"(usage: jail [options] -- PROGRAM [ARGUMENT]...
       jail --probe

Runs a program that may be hostile and writes what became of it as JSON.

  --wall S          wall-clock seconds, without what others on the machine took (no limit)
  --cpu S           processor seconds of all its processes together (no limit)
  --memory-mb M     memory of all its processes and its /tmp (1024)
  --pids N          processes and threads (64)
  --file-mb M       largest file it may write (16)
  --tmp-mb M        size of /tmp and of /dev/shm (32)
  --stack-mb M      size of the stack (64)
  --output-kb K     what it may write to standard output and error (256)
  --ro SRC DST      shows it a file or folder
  --rw SRC DST      as --ro, and lets it write there
  --device PATH     lets it use a device file
  --env NAME=VALUE  sets a variable; it has PATH and HOME besides
  --to-compile      shows it all of /usr, not only the libraries, and lets it start processes
  --uid N           user id outside the jail when run by root (one that no other jail has)
  --disable-aslr    for ThreadSanitizer builds
  --huge-address-space  it reserves far more memory than it uses (sanitizers, CUDA)
  --allow-unjailed  where no jail can be had, run it without: never for code of strangers
  --result FILE     where the JSON goes (standard output)
  --probe           prints which protections this machine lacks and exits

Exit status: 0 the result is valid, whatever the program did; 3 the jail failed.
)";

namespace {

[[noreturn]] void Refuse(const std::string& what) {
  throw JailError(what + "\n  next: see `jail --help`");
}

class Reader {
 public:
  explicit Reader(const std::vector<std::string>& words) : words_(words) {}

  bool done() const { return position_ == words_.size(); }
  std::string Next(const std::string& option) {
    if (done()) Refuse("option " + option + " lacks a value");
    return words_[position_++];
  }
  template <typename Number>
  Number NextNumber(const std::string& option) {
    const std::string text = Next(option);
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    if (!whole || !(value >= 0) || value > Number(1e9)) {
      Refuse("option " + option + ": '" + text + "' is not a number from 0 to 1e9");
    }
    return value;
  }
  std::vector<std::string> Rest() {
    std::vector<std::string> rest(words_.begin() + static_cast<long>(position_), words_.end());
    position_ = words_.size();
    return rest;
  }

 private:
  const std::vector<std::string>& words_;
  std::size_t position_ = 0;
};

std::pair<std::string, std::string> SplitVariable(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    Refuse("option --env: '" + text + "' is not NAME=VALUE");
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

using Handler = std::function<void(const std::string& option, Reader& words)>;

std::map<std::string, Handler> Handlers(Options& options) {
  JailSpec& spec = options.spec;
  const auto seconds = [](double& to) {
    return [&to](const auto& option, Reader& words) { to = words.NextNumber<double>(option); };
  };
  const auto count = [](long& to) {
    return [&to](const auto& option, Reader& words) { to = words.NextNumber<long>(option); };
  };
  const auto flag = [](bool& to) { return [&to](const auto&, Reader&) { to = true; }; };
  const auto bind = [&spec](bool writable) {
    return [&spec, writable](const auto& option, Reader& words) {
      const std::string source = words.Next(option);
      spec.binds.push_back({source, words.Next(option), writable});
    };
  };
  return {
      {"--wall", seconds(spec.wall_seconds)},
      {"--cpu", seconds(spec.cpu_seconds)},
      {"--memory-mb", count(spec.memory_mb)},
      {"--pids", count(spec.pids)},
      {"--file-mb", count(spec.file_mb)},
      {"--tmp-mb", count(spec.tmp_mb)},
      {"--stack-mb", count(spec.stack_mb)},
      {"--output-kb", count(options.output_kb)},
      {"--ro", bind(false)},
      {"--rw", bind(true)},
      {"--device", [&](const auto& o, Reader& w) { spec.devices.push_back(w.Next(o)); }},
      {"--env", [&](const auto& o, Reader& w) { spec.env.push_back(SplitVariable(w.Next(o))); }},
      {"--to-compile", flag(spec.compiles)},
      {"--uid", [&](const auto& o, Reader& w) { spec.uid = w.NextNumber<int>(o); }},
      {"--disable-aslr", flag(spec.disable_aslr)},
      {"--huge-address-space", flag(spec.huge_address_space)},
      {"--allow-unjailed", flag(spec.allow_unjailed)},
      {"--result", [&](const auto& o, Reader& w) { options.result = w.Next(o); }},
      {"--probe", flag(options.probe)},
      {"--help", flag(options.help)},
      {"--", [&](const auto&, Reader& w) { spec.argv = w.Rest(); }}};
}

}  // namespace

Options ParseOptions(const std::vector<std::string>& words) {
  Options options;
  const std::map<std::string, Handler> handlers = Handlers(options);
  for (Reader reader(words); !reader.done();) {
    const std::string option = reader.Next("");
    const auto handler = handlers.find(option);
    if (handler == handlers.end()) Refuse("unknown option '" + option + "'");
    handler->second(option, reader);
  }
  if (options.spec.argv.empty() && !options.probe && !options.help) Refuse("no program after --");
  return options;
}

}  // namespace grader
