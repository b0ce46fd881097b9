// SPDX-License-Identifier: Apache-2.0
// Quantized integer kernels whose exact arithmetic is a type. Everything that needs no package but
// xsimd. This list is the table of contents.
#pragma once

#include <bittwin/version.hpp>

// what a layer is made of
#include <bittwin/types/element_type.hpp>
#include <bittwin/types/quantization.hpp>
#include <bittwin/types/result.hpp>
#include <bittwin/types/shape.hpp>
#include <bittwin/types/tensor_view.hpp>

// the questions of arithmetic and their answers
#include <bittwin/policy/concepts.hpp>
#include <bittwin/policy/operator_concepts.hpp>
#include <bittwin/policy/overrides.hpp>
#include <bittwin/policy/provenance.hpp>
#include <bittwin/policy/room.hpp>

// who answers how; <bittwin/targets/all.hpp> has the other runtimes and chips, too
#include <bittwin/targets/real.hpp>
#include <bittwin/targets/tflite_builtin.hpp>
#include <bittwin/targets/tflite_reference.hpp>
#include <bittwin/targets/tflite_single_rounding.hpp>
#include <bittwin/targets/xnnpack.hpp>

// the operators
#include <bittwin/kernel/activation.hpp>
#include <bittwin/kernel/addition.hpp>
#include <bittwin/kernel/batch_matmul.hpp>
#include <bittwin/kernel/conv2d.hpp>
#include <bittwin/kernel/depthwise_conv2d.hpp>
#include <bittwin/kernel/fully_connected.hpp>
#include <bittwin/kernel/lstm.hpp>
#include <bittwin/kernel/mean.hpp>
#include <bittwin/kernel/movement.hpp>
#include <bittwin/kernel/mul.hpp>
#include <bittwin/kernel/pairing.hpp>
#include <bittwin/kernel/pool2d.hpp>
#include <bittwin/kernel/quantize.hpp>
#include <bittwin/kernel/resize_bilinear.hpp>
#include <bittwin/kernel/softmax.hpp>
#include <bittwin/kernel/sum.hpp>
#include <bittwin/kernel/svdf.hpp>
#include <bittwin/kernel/transpose_conv.hpp>
