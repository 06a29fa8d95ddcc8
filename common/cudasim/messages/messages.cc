#include "common/cudasim/messages/messages.h"

#include <algorithm>
#include <regex>

namespace cudasim::messages {
namespace {

constexpr std::size_t kMaxLine = 4096;  // of text that is searched for names

bool Contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

bool NamesTheSimulator(std::string_view text) { return Contains(text, "cudasim::"); }

// "lab.cu:12" in front of `: ` or `:   required from`; empty if the line begins with no place.
std::string_view PlaceOf(std::string_view line) {
  for (std::size_t colon = line.find(':'); colon != line.npos; colon = line.find(':', colon + 1)) {
    const std::size_t end = line.find_first_not_of("0123456789", colon + 1);
    if (end != line.npos && end > colon + 1 && line[end] == ':') return line.substr(0, end);
  }
  return {};
}

std::string_view PathOf(std::string_view place) { return place.substr(0, place.rfind(':')); }

// Kernels' bodies are lambdas of the rewriter's, and types have names of its own.
std::string WithoutOwnNames(std::string_view text) {
  if (text.size() > kMaxLine) return std::string(text);
  static const std::regex kAlias(R"('[^']*cudasim[^']*' \{aka '([^']*)'\})");
  static const std::regex kBody(R"(::<lambda\(\)>( mutable)?)");
  static const std::regex kHolder(R"((struct )?([^' ]*::)?cudasim_(holder|tag)_[0-9_]+::)");
  std::string plain = std::regex_replace(std::string(text), kAlias, "'$1'");
  plain = std::regex_replace(plain, kBody, "");
  return std::regex_replace(plain, kHolder, "");
}

}  // namespace

struct Messages::Diagnostic {
  std::string_view place;
  std::string_view text;  // from `error: ` on
  bool is_note;
};

std::string FindHeaders(std::string_view preprocessed) {
  constexpr std::string_view kHeader = "/cuda_runtime.h\"";
  const std::size_t end = preprocessed.find(kHeader);
  if (end == preprocessed.npos) return "";
  const std::size_t begin = preprocessed.rfind('"', end);
  return begin == preprocessed.npos ? "" : std::string(preprocessed.substr(begin + 1, end - begin));
}

bool Messages::IsOurs(std::string_view path) const {
  return path == "<command-line>" ||
         (!headers_.empty() && path.substr(0, headers_.size()) == headers_);
}

bool Messages::IsContext(std::string_view line) const {
  if (line.substr(0, 4) == "In f" || line.substr(0, 4) == "In l" || line.substr(0, 4) == "In m" ||
      line.substr(0, 4) == "In c") {
    return line.back() == ':' || line.back() == ',';
  }
  if (line.substr(0, 4) == "    ") return Contains(line, " from ");
  const std::string_view place = PlaceOf(line);
  const std::string_view rest = line.substr(place.empty() ? 0 : place.size());
  if (!place.empty()) return rest.substr(0, 3) == ":  ";
  return line.back() == ':' && (Contains(line, ": In ") || Contains(line, ": At "));
}

// The innermost place outside the simulator's headers.
std::string Messages::PlaceInContext() const {
  for (const std::string& line : context_) {
    const std::size_t at = line.rfind("' at ");
    const std::string_view place = PlaceOf(
        std::string_view(line).substr(line.substr(0, 4) == "    " && at != line.npos ? at + 5 : 0));
    if (!place.empty() && line[0] != 'I' && !IsOurs(PathOf(place))) return std::string(place);
  }
  return "";
}

// The lines of the context that are about the student's code, without that of the place `without`.
std::string Messages::TakeContext(std::string_view without) {
  std::string shown;
  const bool ours = std::any_of(context_.begin(), context_.end(), [this](const std::string& line) {
    return NamesTheSimulator(line) || Contains(line, "<command-line>") ||
           (!headers_.empty() && Contains(line, headers_));
  });
  for (const std::string& line : context_) {
    const bool is_about_us =
        NamesTheSimulator(line) || (!headers_.empty() && Contains(line, headers_));
    const bool is_chain =
        line.substr(0, 4) == "In f" || line.substr(0, 4) == "    " || line.back() == ',';
    const bool is_body = Contains(line, "In lambda function");
    const bool is_place = !without.empty() && line.substr(0, without.size()) == without;
    if (is_about_us || is_body || is_place || (ours && is_chain)) continue;
    shown += WithoutOwnNames(line) + "\n";
  }
  context_.clear();
  return shown;
}

std::string Messages::Show(const Diagnostic& diagnostic) {
  const std::string text = WithoutOwnNames(diagnostic.text);
  std::string place(diagnostic.place);
  bool is_moved = false;
  if (IsOurs(PathOf(diagnostic.place))) {
    place = diagnostic.is_note ? last_place_ : PlaceInContext();
    is_moved = !place.empty();
    // An error has been shown, so that what only we can understand may be left out.
    const bool is_shown = is_moved || (last_place_.empty() && !diagnostic.is_note);
    if (!is_shown || (diagnostic.is_note && NamesTheSimulator(text))) {
      context_.clear();
      return "";
    }
    if (place.empty()) place = std::string(diagnostic.place);
  }
  std::string shown = TakeContext(is_moved ? place : "");
  if (!diagnostic.is_note) last_place_ = place;
  return shown + place + ": " + text + "\n";
}

std::string Messages::Add(std::string_view line) {
  if (line.empty()) return Finish() + "\n";
  if (IsContext(line)) {
    context_.emplace_back(line);
    return "";
  }
  const std::string_view place = PlaceOf(line);
  if (place.empty() || line.substr(place.size(), 2) != ": ") {
    return Finish() + std::string(line) + "\n";
  }
  const std::string_view text = line.substr(place.size() + 2);
  return Show({place, text, text.substr(0, 6) == "note: "});
}

std::string Messages::Finish() { return TakeContext(""); }

}  // namespace cudasim::messages
