// SPDX-License-Identifier: Apache-2.0
// Targets with unknown axes in every room: they say what to measure, and run only where a base stands in for the rest.
#pragma once

#include <bittwin/targets/all.hpp>
#include <bittwin/targets/edge_tpu.hpp>
#include <bittwin/targets/hexagon.hpp>
#include <bittwin/targets/neutron.hpp>
#include <bittwin/targets/rcar.hpp>
#include <bittwin/targets/stm32_neural_art.hpp>
#include <bittwin/targets/tidl.hpp>
#include <bittwin/targets/vivante_vip.hpp>
#include <bittwin/targets/xmos.hpp>

namespace bittwin::targets::inline v1 {

using templates = list<tidl, tidl_power_of_two, vivante_vip, neutron, neutron_relu6, rcar, edge_tpu,
                       hexagon, stm32_neural_art, xmos>;

}  // namespace bittwin::targets::inline v1
