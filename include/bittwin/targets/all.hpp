// SPDX-License-Identifier: Apache-2.0
// The one list of shipped targets: tests, benchmarks and tools walk it. A new target adds one
// include and one name.
#pragma once

#include <bittwin/targets/aie_xdna.hpp>
#include <bittwin/targets/arm_compute.hpp>
#include <bittwin/targets/cmsis_nn.hpp>
#include <bittwin/targets/embarc_mli.hpp>
#include <bittwin/targets/esp_dl.hpp>
#include <bittwin/targets/esp_nn.hpp>
#include <bittwin/targets/ethos_n.hpp>
#include <bittwin/targets/ethos_u.hpp>
#include <bittwin/targets/fbgemm.hpp>
#include <bittwin/targets/gap_sq8.hpp>
#include <bittwin/targets/gemmini.hpp>
#include <bittwin/targets/gemmlowp.hpp>
#include <bittwin/targets/hifi4_nnlib.hpp>
#include <bittwin/targets/intel_npu.hpp>
#include <bittwin/targets/k210.hpp>
#include <bittwin/targets/litert_head.hpp>
#include <bittwin/targets/mnn.hpp>
#include <bittwin/targets/ncnn.hpp>
#include <bittwin/targets/ne16.hpp>
#include <bittwin/targets/nvdla.hpp>
#include <bittwin/targets/onednn.hpp>
#include <bittwin/targets/onednn_2.hpp>
#include <bittwin/targets/ort_mlas.hpp>
#include <bittwin/targets/power_of_two_chips.hpp>
#include <bittwin/targets/pulp_nn.hpp>
#include <bittwin/targets/qnnpack.hpp>
#include <bittwin/targets/real.hpp>
#include <bittwin/targets/rk3588.hpp>
#include <bittwin/targets/ruy.hpp>
#include <bittwin/targets/tflite_builtin.hpp>
#include <bittwin/targets/tflite_reference.hpp>
#include <bittwin/targets/tflite_single_rounding.hpp>
#include <bittwin/targets/tosa.hpp>
#include <bittwin/targets/tvm.hpp>
#include <bittwin/targets/xnnpack.hpp>
#include <bittwin/targets/xnnpack_x86.hpp>
#include <type_traits>

namespace bittwin::targets::inline v1 {

template <class... Targets> struct list {};

using all =
    list<tflite_reference, tflite_single_rounding, tflite_builtin, xnnpack, real, litert_head,
         gemmlowp, ruy, cmsis_nn, cmsis_nn_single, qnnpack, xnnpack_x86, xnnpack_neon, ort_mlas_x86,
         ort_mlas_arm, tosa, tosa_double, ethos_u, rk3588, esp_dl_p4, esp_dl_s3, onednn_vnni,
         onednn_avx2, ncnn, fbgemm, arm_compute, tvm, tvm_to_nearest, mnn_arm64, esp_nn,
         hifi4_nnlib, hifi4_nnlib_single, nvdla, vitis_dpu, max78000, gemmini, gap_sq8, intel_npu,
         ethos_n, k210, pulp_nn, pulp_nn_bn, ne16, aie_xdna, aie_xdna_even, embarc_mli,
         embarc_mli_convergent, onednn_2_vnni, onednn_2_avx2>;

template <class Target, class... Targets>
[[nodiscard]] constexpr bool is_one_of(list<Targets...>) noexcept {
  return (std::is_same_v<Target, Targets> || ...);
}
template <class Target> inline constexpr bool is_shipped = is_one_of<Target>(all{});

}  // namespace bittwin::targets::inline v1
