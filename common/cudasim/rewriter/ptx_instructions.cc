// PTX as C++: asynchronous copies, fences, conversions of addresses, and matrices.
#include <array>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

#include "common/cudasim/rewriter/ptx_translator.h"

namespace cudasim::rewriter {

// cp.async.ca.shared.global [to], [from], bytes, bytes from memory
std::string Translator::Copy(const Instruction& i) const {
  for (const std::string& modifier : i.modifiers) {
    Require(IsPtxHint(modifier) || modifier == "async" || modifier == "shared" ||
                modifier == "shared::cta" || modifier == "global",
            i);
  }
  Require(i.operands.size() == 3 || i.operands.size() == 4, i);
  const std::string bytes = Value(i.operands[2]);
  const std::string zeros =
      i.operands.size() == 4 ? bytes + " - " + Value(i.operands[3]) : std::string("0");
  return "::cudasim::CopyOnePiece(" + Address(i.operands[0], true) + ", " +
         Address(i.operands[1], false) + ", " + bytes + ", " + zeros + ", " + Here() + "); ";
}

std::string Translator::CopyAsync(const Instruction& i) const {
  Require(i.Has("async") && !i.Has("bulk"), i);
  if (i.Has("commit_group")) return "::cudasim::CommitCopies(); ";
  if (i.Has("wait_all")) return "::cudasim::CommitCopies(); ::cudasim::WaitForCopies(0); ";
  if (i.Has("wait_group")) {
    Require(i.operands.size() == 1, i);
    return "::cudasim::WaitForCopies(static_cast<unsigned>(" + Value(i.operands[0]) + ")); ";
  }
  if (i.Has("mbarrier")) {
    Require(i.operands.size() == 1 && i.Has("arrive") && i.Has("b64"), i);
    return "::cudasim::BindCopies(" + Address(i.operands[0], !i.Has("global")) + "); ";
  }
  return Copy(i);
}

std::string Translator::Fence(const Instruction& i) const {
  for (const char* const modifier : {"acq_rel", "sc", "cta", "cluster", "gl", "sys", "gpu"}) {
    if (!i.modifiers.empty() && i.modifiers.back() == modifier) {
      return std::string("::cudasim_fence(") + (i.Has("cta") ? "1" : "0") + "); ";
    }
  }
  Refuse(i.text);
}

std::string Translator::Barrier(const Instruction& i) const {
  if (i.Has("cluster")) {
    Require(i.operands.empty() && i.Has("arrive") != i.Has("wait"), i);
    if (i.Has("wait")) return "::cudasim_cluster_wait(" + Here() + "); ";
    return "::cudasim_cluster_arrive(" + Here() + (i.Has("relaxed") ? ", 0); " : ", 1); ");
  }
  if (i.Has("warp") && i.Has("sync") && i.operands.size() == 1) {
    return "__syncwarp(static_cast<unsigned>(" + Value(i.operands[0]) + "), " + Here() + "); ";
  }
  const bool whole = i.operands.size() == 1 && i.operands[0] == "0";
  Require((i.Has("sync") || i.Has("cta")) && whole, i);
  return "::cudasim::SyncThreads(" + Here() + "); ";
}

// mapa.shared::cluster.u32 to, from, rank; getctarank.shared::cluster.u32 rank, from
std::string Translator::MapShared(const Instruction& i) const {
  const bool maps = i.name == "mapa";
  Require(i.operands.size() == (maps ? 3u : 2u), i);
  const std::string kind = i.Has("shared::cluster") ? "<true>(" : "<false>(";
  const std::string from = Register(i.operands[1]);
  if (!maps) {
    return Set(Register(i.operands[0]),
               "::cudasim::ptx::RankOf" + kind + from + ", " + Here() + ")");
  }
  return Set(Register(i.operands[0]), "::cudasim::ptx::MapShared" + kind + from +
                                          ", static_cast<unsigned>(" + Value(i.operands[2]) +
                                          "), " + Here() + ")");
}

std::string Translator::Convert(const Instruction& i) const {
  Require(i.operands.size() == 2, i);
  const std::string to = Register(i.operands[0]), from = Register(i.operands[1]);
  if (i.name == "cvt") {
    Require(i.modifiers == std::vector<std::string>{"u32", "u64"} ||
                i.modifiers == std::vector<std::string>{"u64", "u32"},
            i);
    return Set(to, "static_cast<std::uint64_t>(" + from + ")");
  }
  const std::string pointer =
      "reinterpret_cast<const void*>(::cudasim::ptx::Get<std::uint64_t>(" + from + "))";
  if (i.Has("shared") || i.Has("shared::cta")) {
    if (i.Has("to")) return Set(to, "::cudasim::ptx::ToShared(" + pointer + ")");
    return Set(to,
               "reinterpret_cast<std::uint64_t>(::cudasim::ptx::FromShared("
               "::cudasim::ptx::Get<std::uint64_t>(" +
                   from + ")))");
  }
  Require(i.Has("global"), i);
  return Set(to, "::cudasim::ptx::Get<std::uint64_t>(" + from + ")");
}

// ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4]
std::string Translator::Matrices(const Instruction& i) const {
  Require(i.operands.size() == 2 && i.Has("m8n8") && i.Has("b16"), i);
  const std::vector<std::string> to = Vector(i.operands[0]);
  const std::string count = std::to_string(to.size());
  Require(i.Has("x" + count), i);
  std::string text = "{ std::uint32_t loaded[" + count + "]; ::cudasim::ptx::LoadMatrices<" +
                     count + (i.Has("trans") ? ", true>(" : ", false>(") +
                     Address(i.operands[1], true) + ", loaded, " + Here() + "); ";
  for (std::size_t k = 0; k < to.size(); ++k) {
    text += Set(Register(to[k]), "loaded[" + std::to_string(k) + "]");
  }
  return text + "} ";
}

// An array of the operand's registers.
std::string Translator::Bits(const std::string& name, const std::string& operand) const {
  std::string text = "std::uint32_t " + name + "[] = {";
  for (const std::string& part : Vector(operand)) {
    text += "::cudasim::ptx::Get<std::uint32_t>(" + Value(part) + "), ";
  }
  return text + "}; ";
}

// mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {d}, {a}, {b}, {c}
std::string Translator::Multiply(const Instruction& i) const {
  static const std::map<std::string_view, std::string_view> kFormats = {
      {"f16", "F16"}, {"bf16", "Bf16"}, {"tf32", "Tf32"}, {"f32", "F32"},
      {"s8", "S8"},   {"u8", "U8"},     {"s32", "S32"}};
  static const std::map<std::string_view, int> kHeld = {
      {"F16", 2}, {"Bf16", 2}, {"Tf32", 1}, {"F32", 1}, {"S8", 4}, {"U8", 4}, {"S32", 1}};
  Require(i.operands.size() == 4 && i.modifiers.size() >= 9 && i.Has("row") && i.Has("col"), i);
  const std::size_t last = i.modifiers.size() - 4;
  std::array<std::string, 4> formats;  // d, a, b, c
  for (std::size_t k = 0; k < 4; ++k) {
    const auto format = kFormats.find(i.modifiers[last + k]);
    Require(format != kFormats.end(), i);
    formats[k] = format->second;
  }
  const std::string shape = i.modifiers[2];
  Require(shape.starts_with("m16n8k") && shape.size() < 9, i);
  const int depth = std::atoi(shape.c_str() + 6);
  const std::string& a = formats[1];
  const int held = kHeld.find(a)->second;
  const bool bytes = held == 4;
  const bool fits = bytes       ? depth == 16 || depth == 32
                    : held == 2 ? depth == 8 || depth == 16
                                : depth == 4 || depth == 8;
  const std::string sum = bytes ? "S32" : "F32";
  const auto is_sum = [&](const std::string& f) { return f == sum || (a == "F16" && f == "F16"); };
  const bool factors = a == formats[2] || (bytes && kHeld.find(formats[2])->second == 4);
  Require(fits && a != "F32" && a != "S32" && factors && is_sum(formats[0]) && is_sum(formats[3]),
          i);
  const auto count = static_cast<std::size_t>(depth / (4 * held));
  const std::vector<std::string> d = Vector(i.operands[0]);
  Require(Vector(i.operands[1]).size() == 2 * count && Vector(i.operands[2]).size() == count &&
              d.size() == (formats[0] == "F16" ? 2u : 4u) &&
              Vector(i.operands[3]).size() == (formats[3] == "F16" ? 2u : 4u),
          i);
  const std::string ns = ", ::cudasim::ptx::";
  std::string text = "{ " + Bits("a", i.operands[1]) + Bits("b", i.operands[2]) +
                     Bits("c", i.operands[3]) + "std::uint32_t d[4] = {}; ::cudasim::ptx::Mma<" +
                     std::to_string(depth) + ns + a + ns + formats[2] + ns + formats[0] + ns +
                     formats[3] + ">(a, b, c, d, " + (i.Has("satfinite") ? "true" : "false") +
                     ", " + Here() + "); ";
  for (std::size_t k = 0; k < d.size(); ++k) {
    text += Set(Register(d[k]), "d[" + std::to_string(k) + "]");
  }
  return text + "} ";
}

}  // namespace cudasim::rewriter
