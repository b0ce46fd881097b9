// SPDX-License-Identifier: Apache-2.0
// Which instructions kernels may use: what the machine has, cut by BITTWIN_ARCH or force_arch(), asked once by each
// prepare(). Counts say which of them really ran.
//   force_arch(arch::avx2);                      // true where the machine has it
//   runs_of(arch::avx2)                          // calls of prepared kernels so far
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace bittwin::simd::inline v1 {

/// In ascending order: a machine that has one has those before it.
enum class arch : std::uint8_t { scalar, avx2, avx512_vnni };
inline constexpr arch every_arch[] = {arch::scalar, arch::avx2, arch::avx512_vnni};

[[nodiscard]] constexpr std::string_view name_of(arch a) noexcept {
  switch (a) {
    case arch::scalar: return "scalar";
    case arch::avx2: return "avx2";
    case arch::avx512_vnni: return "avx512-vnni";
  }
  return "?";
}

/// Whether the processor has the instructions and the operating system saves their registers.
[[nodiscard]] inline bool machine_has(arch a) noexcept {
#if defined(__x86_64__) && defined(__GNUC__)
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni");
  return a == arch::scalar || (a == arch::avx2 && avx2) || (a == arch::avx512_vnni && avx512);
#else
  return a == arch::scalar;
#endif
}

namespace detail {

inline constexpr int undecided = -1;
inline std::atomic<int> chosen_arch{undecided};
inline std::atomic<std::uint64_t> run_counts[std::size(every_arch)]{};

/// The best of the machine, or what BITTWIN_ARCH names where the machine has it.
[[nodiscard]] inline arch default_arch() noexcept {
  const char* const wanted = std::getenv("BITTWIN_ARCH");
  arch best = arch::scalar;
  for (const arch a : every_arch) {
    if (!machine_has(a)) continue;
    best = a;
    if (wanted != nullptr && name_of(a) == wanted) break;
  }
  return best;
}

inline void count_run(arch a) noexcept {
  run_counts[static_cast<std::size_t>(a)].fetch_add(1, std::memory_order_relaxed);
}

}  // namespace detail

/// What prepare() uses from now on. Kernels that are prepared keep theirs.
[[nodiscard]] inline arch which_arch() noexcept {
  int chosen = detail::chosen_arch.load(std::memory_order_relaxed);
  if (chosen == detail::undecided) {
    chosen = static_cast<int>(detail::default_arch());
    detail::chosen_arch.store(chosen, std::memory_order_relaxed);
  }
  return static_cast<arch>(chosen);
}

/// False, and nothing changes, where the machine lacks it.
inline bool force_arch(arch a) noexcept {
  if (!machine_has(a)) return false;
  detail::chosen_arch.store(static_cast<int>(a), std::memory_order_relaxed);
  return true;
}

/// Calls of dot-product kernels that ran on this architecture.
[[nodiscard]] inline std::uint64_t runs_of(arch a) noexcept {
  return detail::run_counts[static_cast<std::size_t>(a)].load(std::memory_order_relaxed);
}

}  // namespace bittwin::simd::inline v1
