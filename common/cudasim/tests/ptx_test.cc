// Inline PTX as C++.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "common/cudasim/tests/rewriting.h"

namespace cudasim::rewriter {
namespace {

std::string InKernel(const std::string& assembly) {
  return "__global__ void k() {\n" + assembly + "\n}\n";
}

// Of a statement with operands a, b, ... as registers.
std::string Translation(const std::string& ptx, const std::string& operands) {
  return RewriteText(InKernel("asm volatile(\"" + ptx + "\" " + operands + ");"));
}

std::string Refusal(const std::string& ptx) {
  return ErrorOf(InKernel("asm volatile(\"" + ptx + "\" : \"=r\"(a) : \"r\"(b));"));
}

TEST(PtxTest, BindsOperandsOutputsFirst) {
  const std::string text =
      Translation("mov.u32 %0, %1;", ": \"=r\"(v.x) : \"r\"(f(1, 2)) : \"memory\"");
  EXPECT_TRUE(Has(text, "auto& cudasim_0 = (v.x);"));
  EXPECT_TRUE(Has(text, "const auto cudasim_1 = (f(1, 2));"));
  EXPECT_TRUE(Has(text, "::cudasim::ptx::Set(cudasim_0, cudasim_1);"));
}

TEST(PtxTest, TakesTwoColonsForNoOutputs) {
  EXPECT_TRUE(
      Has(Translation("prefetch.global.L1 [%0];", ":: \"l\"(p)"), "const auto cudasim_0 = (p);"));
}

TEST(PtxTest, ReadsSpecialRegistersWithOneOrTwoPercentSigns) {
  for (const char* const name : {"%laneid", "%%laneid"}) {
    const std::string text = Translation(std::string("mov.u32 %0, ") + name + ";", ": \"=r\"(a)");
    EXPECT_TRUE(Has(text, "Set(cudasim_0, (::cudasim::ptx::LaneId()))"));
  }
}

TEST(PtxTest, TranslatesEachInstructionOfSeveralLiterals) {
  const std::string text = RewriteText(
      InKernel("asm(\"{ .reg .u64 t;\\n\\t\"\n\"cvta.to.shared.u64 t, %1; // no comment\\n\"\n"
               "\" cvt.u32.u64 %0, t; }\" : \"=r\"(a) : \"l\"(p));"));
  EXPECT_FALSE(Has(text, "asm"));
  EXPECT_TRUE(Has(text, "std::uint64_t ptx_t = 0;"));
  EXPECT_TRUE(Has(text, "ToShared("));
}

TEST(PtxTest, IgnoresCacheHintsAndKeepsOrders) {
  EXPECT_TRUE(Has(Translation("ld.global.nc.L1::no_allocate.L2::128B.u32 %0, [%1+8];",
                              ": \"=r\"(a) : \"l\"(p)"),
                  "Load<std::uint32_t, 1, ::cudasim::ptx::Strength::kWeak, false>"
                  "(::cudasim::ptx::Address<false>(cudasim_1, 8))"));
  EXPECT_TRUE(Has(Translation("st.release.cta.global.u32 [%0], %1;", ":: \"l\"(p), \"r\"(b)"),
                  "Store<std::uint32_t, 1, ::cudasim::ptx::Strength::kOrdered, true>"));
}

TEST(PtxTest, KeepsTheLinesOfTheSource) {
  for (const char* literals :
       {"\"mov.u32 %0, \"\n\"%1;\"\n", "R\"(\n\tmov.u32\n\t%0, %1;\n)\"\n"}) {
    const std::string source =
        InKernel("asm volatile(" + std::string(literals) + ": \"=r\"(a)\n: \"r\"(b));");
    const std::string text = RewriteText(source);
    const std::string before = InFile(source);
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'),
              std::count(before.begin(), before.end(), '\n'))
        << text;
  }
}

TEST(PtxTest, ReadsRawStrings) {
  const std::string operands = " : \"=r\"(a) : \"r\"(b));";
  const std::string plain = RewriteText(InKernel("asm volatile(\"mov.u32 %0, %1;\"" + operands));
  EXPECT_EQ(RewriteText(InKernel("asm volatile(R\"ptx(mov.u32\t%0, %1;)ptx\"" + operands)), plain);
}

TEST(PtxTest, RefusesOtherInstructionsByName) {
  const std::string is_not = "lab.cu:2: inline PTX is not simulated: ";
  EXPECT_EQ(Refusal("lop3.b32 %0, %1, %1, %1, 3;"), is_not + "lop3.b32 %0, %1, %1, %1, 3");
  EXPECT_EQ(Refusal("@p mov.u32 %0, %1;"), is_not + "@p mov.u32 %0, %1");
  EXPECT_EQ(Refusal("wgmma.fence.sync.aligned;"), is_not + "wgmma.fence.sync.aligned");
  EXPECT_EQ(Refusal("cp.async.bulk.commit_group;"), is_not + "cp.async.bulk.commit_group");
  EXPECT_EQ(Refusal("bar.sync 1, 64;"), is_not + "bar.sync 1, 64");
  EXPECT_EQ(Refusal("mov.u32 %0, %%smid;"), is_not + "the operand %smid");
  EXPECT_EQ(Refusal("mov.u32 %0, unknown;"), is_not + "the operand unknown");
  EXPECT_EQ(Refusal("ld.global.b128 %0, [%1];"), is_not + "ld.global.b128 %0, [%1]");
  EXPECT_EQ(Refusal("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0}, {%1}, {%1}, {%0};"),
            is_not + "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0}, {%1}, {%1}, {%0}");
}

TEST(PtxTest, RefusesMalformedText) {
  for (const char* const text :
       {"ld", "ld;", "ld.u32 %0;", "st.u32 [", "mov.u32", "activemask.b32;", "mma.sync;",
        "cp.async;", "cp;", "bar;", ".reg;", ".reg .u64 a[2];", "ldmatrix {};", "cvt.u32.u64 %0;",
        "ld.v2.u32 {%0}, [%1];", "fence;", "prefetch;"}) {
    EXPECT_TRUE(Refusal(text).starts_with("lab.cu:2: inline PTX is not simulated: ")) << text;
  }
}

}  // namespace
}  // namespace cudasim::rewriter
