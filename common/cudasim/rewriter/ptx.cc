// PTX as C++: the instructions that programs write inline.  include/cudasim/ptx.h has what the
// statements call.
#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string>

#include "common/cudasim/rewriter/ptx_translator.h"

namespace cudasim::rewriter {
namespace {

std::string Trim(const std::string& text) {
  const auto begin = std::find_if_not(text.begin(), text.end(), IsBlank);
  const auto end = std::find_if_not(text.rbegin(), text.rend(), IsBlank).base();
  return begin < end ? std::string(begin, end) : "";
}

// "%r1", "address", "$p"
bool IsName(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '%' || c == '$';
  });
}

// ".L1::no_allocate" is one modifier.
std::vector<std::string> SplitOpcode(const std::string& opcode) {
  std::vector<std::string> parts(1);
  for (const char c : opcode) {
    if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::string WithoutComments(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    if (text.compare(i, 2, "/*") == 0) {
      const std::size_t end = text.find("*/", i + 2);
      i = end == std::string::npos ? text.size() : end + 2;
    } else if (text.compare(i, 2, "//") == 0) {
      i = std::min(text.find('\n', i), text.size());
    } else {
      result += IsBlank(text[i]) ? ' ' : text[i];
      ++i;
    }
  }
  return result;
}

// C++ types of PTX's, of the size and sign that a load extends by.
const std::map<std::string_view, std::string_view> kTypes = {
    {"b8", "std::uint8_t"},   {"u8", "std::uint8_t"},   {"s8", "std::int8_t"},
    {"b16", "std::uint16_t"}, {"u16", "std::uint16_t"}, {"s16", "std::int16_t"},
    {"f16", "std::uint16_t"}, {"b32", "std::uint32_t"}, {"u32", "std::uint32_t"},
    {"s32", "std::int32_t"},  {"f32", "float"},         {"b64", "std::uint64_t"},
    {"u64", "std::uint64_t"}, {"s64", "std::int64_t"},  {"f64", "double"}};

const std::map<std::string_view, std::string_view> kSpecial = {
    {"%laneid", "::cudasim::ptx::LaneId()"},
    {"%warpid", "::cudasim::ptx::ThreadInBlock() / 32"},
    {"%lanemask_eq", "1u << ::cudasim::ptx::LaneId()"},
    {"%lanemask_lt", "::cudasim::ptx::LanesBelow()"},
    {"%lanemask_le", "::cudasim::ptx::LanesBelow() << 1 | 1"},
    {"%lanemask_gt", "~(::cudasim::ptx::LanesBelow() << 1 | 1)"},
    {"%lanemask_ge", "~::cudasim::ptx::LanesBelow()"},
    {"%tid.x", "threadIdx.x"},
    {"%tid.y", "threadIdx.y"},
    {"%tid.z", "threadIdx.z"},
    {"%ntid.x", "blockDim.x"},
    {"%ntid.y", "blockDim.y"},
    {"%ntid.z", "blockDim.z"},
    {"%ctaid.x", "blockIdx.x"},
    {"%ctaid.y", "blockIdx.y"},
    {"%ctaid.z", "blockIdx.z"},
    {"%nctaid.x", "gridDim.x"},
    {"%nctaid.y", "gridDim.y"},
    {"%nctaid.z", "gridDim.z"},
    {"%clusterid.x", "::cudasim::ClusterIdx().x"},
    {"%clusterid.y", "::cudasim::ClusterIdx().y"},
    {"%clusterid.z", "::cudasim::ClusterIdx().z"},
    {"%nclusterid.x", "::cudasim::GridInClusters().x"},
    {"%nclusterid.y", "::cudasim::GridInClusters().y"},
    {"%nclusterid.z", "::cudasim::GridInClusters().z"},
    {"%cluster_ctaid.x", "::cudasim::BlockInCluster().x"},
    {"%cluster_ctaid.y", "::cudasim::BlockInCluster().y"},
    {"%cluster_ctaid.z", "::cudasim::BlockInCluster().z"},
    {"%cluster_nctaid.x", "::cudasim::ClusterDim().x"},
    {"%cluster_nctaid.y", "::cudasim::ClusterDim().y"},
    {"%cluster_nctaid.z", "::cudasim::ClusterDim().z"},
    {"%cluster_ctarank", "::cudasim::RankInCluster()"},
    {"%cluster_nctarank", "::cudasim::BlocksOfCluster()"},
    {"%clock", "static_cast<unsigned>(clock64())"},
    {"%clock64", "clock64()"}};

bool IsSpace(const std::string& modifier) {
  static const std::set<std::string_view> kSpaces = {"global", "const",       "local",
                                                     "shared", "shared::cta", "shared::cluster"};
  return kSpaces.contains(modifier);
}

}  // namespace

std::vector<std::string> SplitPtx(const std::string& text, char at) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (c == at && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  for (std::string& part : parts) part = Trim(part);
  if (parts.size() == 1 && parts[0].empty()) parts.clear();
  return parts;
}

bool IsPtxHint(const std::string& modifier) {
  static const std::set<std::string_view> kHints = {"ca", "cg", "cs",   "lu",      "cv",  "nc",
                                                    "wb", "wt", "weak", "cluster", "gpu", "sys"};
  return kHints.contains(modifier) || modifier.starts_with("L1::") || modifier.starts_with("L2::");
}

std::string Translator::Register(const std::string& text) const {
  if (text.size() > 1 && text[0] == '%' && std::isdigit(static_cast<unsigned char>(text[1]))) {
    return "cudasim_" + text.substr(1);
  }
  if (!registers_.contains(text)) Refuse("the operand " + text);
  std::string name = "ptx_";
  for (const char c : text) name += c == '%' || c == '$' ? '_' : c;
  return name;
}

std::string Translator::Value(const std::string& text) const {
  const bool is_number = !text.empty() &&
                         text.find_first_not_of("-0123456789abcdefABCDEFxU") == std::string::npos &&
                         (std::isdigit(static_cast<unsigned char>(text[0])) || text[0] == '-');
  return is_number ? text : Register(text);
}

// "[%1+8]"
std::string Translator::Address(const std::string& text, bool shared) const {
  if (text.size() < 3 || text.front() != '[' || text.back() != ']') Refuse("the address " + text);
  const std::string inner = text.substr(1, text.size() - 2);
  const std::size_t plus = inner.find('+');
  const std::string base = Trim(inner.substr(0, plus));
  const std::string offset = plus == std::string::npos ? "0" : Trim(inner.substr(plus + 1));
  return std::string("::cudasim::ptx::Address<") + (shared ? "true" : "false") + ">(" +
         Register(base) + ", " + Value(offset) + ")";
}

// "{%0, %1}", or one operand.
std::vector<std::string> Translator::Vector(const std::string& text) const {
  if (text.empty() || text.front() != '{') return {text};
  return SplitPtx(text.substr(1, text.size() - 2), ',');
}

// ".reg .u64 a, b"
std::string Translator::Declare(const std::string& text) {
  const std::size_t type_at = text.find('.', 1);
  const std::size_t names_at = text.find(' ', type_at == std::string::npos ? 0 : type_at);
  if (type_at == std::string::npos || names_at == std::string::npos) Refuse(text);
  const auto type = kTypes.find(Trim(text.substr(type_at + 1, names_at - type_at - 1)));
  if (type == kTypes.end()) Refuse(text);
  std::string result;
  for (const std::string& name : SplitPtx(text.substr(names_at), ',')) {
    if (!IsName(name)) Refuse(text);
    registers_.insert(name);
    result += std::string(type->second) + " " + Register(name) + " = 0; ";
  }
  return result;
}

std::string Translator::Move(const Instruction& i) const {
  Require(i.operands.size() == 2 && i.modifiers.size() == 1, i);
  const std::string source =
      i.operands[1].starts_with("%%") ? i.operands[1].substr(1) : i.operands[1];
  const auto special = kSpecial.find(source);
  if (special != kSpecial.end()) {
    return Set(Register(i.operands[0]), "(" + std::string(special->second) + ")");
  }
  return Set(Register(i.operands[0]), Value(source));
}

std::string Translator::LoadOrStore(const Instruction& i) const {
  Require(i.operands.size() == 2 && !i.modifiers.empty(), i);
  const auto type = kTypes.find(i.modifiers.back());
  Require(type != kTypes.end(), i);
  std::string strength = "kWeak", count = "1";
  for (std::size_t k = 0; k + 1 < i.modifiers.size(); ++k) {
    const std::string& modifier = i.modifiers[k];
    if (modifier == "volatile") {
      strength = "kVolatile";
    } else if (modifier == "relaxed") {
      strength = "kRelaxed";
    } else if (modifier == "acquire" || modifier == "release") {
      strength = "kOrdered";
    } else if (modifier == "v2" || modifier == "v4") {
      count = modifier.substr(1);
    } else {
      Require(IsPtxHint(modifier) || IsSpace(modifier) || modifier == "cta", i);
    }
  }
  const bool shared = i.Has("shared") || i.Has("shared::cta") || i.Has("shared::cluster");
  const std::string kind = std::string(type->second) + ", " + count;
  const std::string suffix = "<" + kind + ", ::cudasim::ptx::Strength::" + strength +
                             (i.Has("cta") ? ", true>" : ", false>");
  const bool loads = i.name == "ld";
  const std::vector<std::string> values = Vector(i.operands[loads ? 0 : 1]);
  Require(std::to_string(values.size()) == count, i);
  const std::string address = Address(i.operands[loads ? 1 : 0], shared);
  std::string text = "{ ";
  if (loads) {
    text += "const auto piece = ::cudasim::ptx::Load" + suffix + "(" + address + "); ";
    for (std::size_t k = 0; k < values.size(); ++k) {
      text += Set(Register(values[k]), "piece.values[" + std::to_string(k) + "]");
    }
  } else {
    text += "::cudasim::Piece<" + kind + "> piece; ";
    for (std::size_t k = 0; k < values.size(); ++k) {
      text += "piece.values[" + std::to_string(k) + "] = ::cudasim::ptx::Get<" +
              std::string(type->second) + ">(" + Value(values[k]) + "); ";
    }
    text += "::cudasim::ptx::Store" + suffix + "(" + address + ", piece); ";
  }
  return text + "} ";
}

std::string Translator::Translate(const Instruction& i) const {
  if (i.name == "mov") return Move(i);
  if (i.name == "ld" || i.name == "st") return LoadOrStore(i);
  if (i.name == "cp") return CopyAsync(i);
  if (i.name == "membar" || i.name == "fence") return Fence(i);
  if (i.name == "bar" || i.name == "barrier") return Barrier(i);
  if (i.name == "mapa" || i.name == "getctarank") return MapShared(i);
  if (i.name == "cvta" || i.name == "cvt") return Convert(i);
  if (i.name == "ldmatrix") return Matrices(i);
  if (i.name == "mma") return Multiply(i);
  if (i.name == "prefetch" || i.name == "prefetchu") {
    Require(i.operands.size() == 1, i);
    return "(void)" + Address(i.operands[0], false) + "; ";
  }
  if (i.name == "nanosleep") return "::cudasim_pause(); ";
  if (i.name == "activemask") {
    Require(i.operands.size() == 1, i);
    return Set(Register(i.operands[0]), "__activemask(" + Here() + ")");
  }
  Refuse(i.text);
}

std::string Translator::Statement(const std::string& text) {
  std::string rest = Trim(text);
  std::string result;
  while (!rest.empty() && (rest[0] == '{' || rest[0] == '}')) {
    result += rest[0];
    rest = Trim(rest.substr(1));
  }
  if (rest.empty()) return result;
  if (rest.starts_with(".reg")) return result + Declare(rest);
  Instruction i;
  i.text = rest;
  const std::size_t space = std::min(rest.find_first_of(" \t\n{["), rest.size());
  std::vector<std::string> parts = SplitOpcode(rest.substr(0, space));
  i.name = parts[0];
  i.modifiers.assign(parts.begin() + 1, parts.end());
  i.operands = SplitPtx(rest.substr(space), ',');
  return result + Translate(i);
}

bool Instruction::Has(std::string_view modifier) const {
  return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

std::string TranslatePtx(const std::string& text, const Token& place) {
  Translator translator(place);
  std::string result;
  std::string statement;
  for (const char c : WithoutComments(text)) {
    if (c == ';') {
      result += translator.Statement(statement);
      statement.clear();
    } else {
      statement += c;
    }
  }
  return result + translator.Statement(statement);
}

}  // namespace cudasim::rewriter
