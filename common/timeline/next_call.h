#pragma once

#include "common/lab/race_checker/next_function.h"

namespace lab::timeline {

// Calls the library's function of this name, which `own` stands in for.
template <FunctionName name, typename R, typename... P, typename... A>
R CallNext(R (*)(P...) noexcept, A... arguments) {
  return NextFunction<name, R(P...)>::Get()(arguments...);
}
template <FunctionName name, typename R, typename... P, typename... A>
R CallNext(R (*)(P...), A... arguments) {
  return NextFunction<name, R(P...)>::Get()(arguments...);
}

}  // namespace lab::timeline

#define LAB_NEXT(name, ...) lab::timeline::CallNext<#name>(&name __VA_OPT__(, ) __VA_ARGS__)
