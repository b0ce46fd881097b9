// SPDX-License-Identifier: Apache-2.0
// The floating-point mode in which forms are proved and run: nearest even, subnormals kept, nothing trapped. The
// caller's mode, whatever it is, comes back at the end.
#pragma once

namespace bittwin::simd::inline v1 {

/// Kernels behind it are called through pointers, so no operation of theirs is moved across its ends.
class float_environment {
 public:
#if defined(__x86_64__) && defined(__GNUC__)
  float_environment() noexcept : before_(__builtin_ia32_stmxcsr()) {
    if ((before_ & ~flags) != masked) __builtin_ia32_ldmxcsr(masked);
  }
  ~float_environment() {
    if ((before_ & ~flags) != masked) __builtin_ia32_ldmxcsr(before_);
  }

 private:
  static constexpr unsigned flags = 0x3F;     ///< what was raised so far; no mode
  static constexpr unsigned masked = 0x1F80;  ///< every exception masked, all modes 0
  unsigned before_;
#else
  float_environment() noexcept = default;
#endif
  float_environment(const float_environment&) = delete;
  float_environment& operator=(const float_environment&) = delete;
};

}  // namespace bittwin::simd::inline v1
