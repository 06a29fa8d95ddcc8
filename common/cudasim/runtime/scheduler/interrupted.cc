#include "common/cudasim/runtime/scheduler/interrupted.h"

#include <cstring>

namespace cudasim {

#if defined(__x86_64__)

const void* ProgramCounter(const ucontext_t& context) {
  return reinterpret_cast<const void*>(context.uc_mcontext.gregs[REG_RIP]);
}

const void* ReturnAddress(const ucontext_t& context) {
  return *reinterpret_cast<const void* const*>(context.uc_mcontext.gregs[REG_RSP]);
}

bool WasWrite(const ucontext_t& context) {
  constexpr greg_t kWriteBit = 2;
  return (context.uc_mcontext.gregs[REG_ERR] & kWriteBit) != 0;
}

void ContinueAt(ucontext_t* context, void (*next)(), std::uintptr_t stack) {
  auto& registers = context->uc_mcontext.gregs;
  // As after a call: 8 bytes off a multiple of 16.
  registers[REG_RSP] = static_cast<greg_t>(stack - 8);
  registers[REG_RIP] = reinterpret_cast<greg_t>(next);
}

#elif defined(__aarch64__)

namespace {

std::uint32_t Bits(std::uint32_t instruction, int low, int count) {
  return instruction >> low & ((1U << count) - 1);
}

}  // namespace

const void* ProgramCounter(const ucontext_t& context) {
  return reinterpret_cast<const void*>(context.uc_mcontext.pc);
}

const void* ReturnAddress(const ucontext_t& context) {
  constexpr int kLinkRegister = 30;
  return reinterpret_cast<const void*>(context.uc_mcontext.regs[kLinkRegister]);
}

// Arm Architecture Reference Manual, C4.1 "Loads and Stores": the kernel's syndrome has the
// answer, too, but emulators leave it out.
bool WasWrite(const ucontext_t& context) {
  std::uint32_t instruction;
  std::memcpy(&instruction, reinterpret_cast<const void*>(context.uc_mcontext.pc), 4);
  constexpr std::uint32_t kOneRegister = 7;
  if (Bits(instruction, 27, 3) != kOneRegister) return Bits(instruction, 22, 1) == 0;
  const bool is_atomic = Bits(instruction, 24, 2) == 0 && Bits(instruction, 21, 1) == 1 &&
                         Bits(instruction, 10, 2) == 0;
  const bool is_vector = Bits(instruction, 26, 1) == 1;
  const std::uint32_t operation = Bits(instruction, 22, 2);
  return is_atomic || operation == 0 || (is_vector && operation == 2);
}

void ContinueAt(ucontext_t* context, void (*next)(), std::uintptr_t stack) {
  auto& registers = context->uc_mcontext;
  registers.sp = stack;
  registers.pc = reinterpret_cast<std::uintptr_t>(next);
}

#endif

}  // namespace cudasim
