// SPDX-License-Identifier: Apache-2.0
// The normative product of stacks of matrices.
//   acc(batch, i, j) = sum over k of a(batch, i, k) * b(batch, k, j),   zero points subtracted inside each product
#pragma once

#include <bittwin/policy/accumulator.hpp>
#include <bittwin/reference/elementwise.hpp>
#include <bittwin/types/mutation.hpp>
#include <bittwin/types/shape.hpp>
#include <cstdint>

namespace bittwin::inline v1 {

/// Extents of the product of two stacks. An adjoint operand is stored transposed.
struct matmul_geometry {
  shape batches;               ///< of the result
  shape a_batches, b_batches;  ///< extents are those of the result, or 1, or missing
  std::int32_t rows = 1, depth = 1, columns = 1;
  bool adjoint_a = false, adjoint_b = false;

  [[nodiscard]] constexpr std::int64_t elements() const noexcept {
    return batches.elements() * rows * columns;
  }
};

}  // namespace bittwin::inline v1

namespace bittwin::reference::inline v1 {

/// store(flat index of the result, acc)
template <class Accumulator, class X, class Store>
constexpr void batch_matmul(const matmul_geometry& g, typename Accumulator::code a_zero,
                            typename Accumulator::code b_zero, const X* a, const X* b,
                            Store store) noexcept {
  const std::int64_t rows = g.rows, depth = g.depth, columns = g.columns;
  for_each_pair(g.batches, g.a_batches, g.b_batches, [&](auto batch, auto at_a, auto at_b) {
    const X* const left = a + at_a * rows * depth;
    const X* const right = b + at_b * depth * columns;
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < columns; ++j) {
        Accumulator acc(0);
        for (std::int64_t k = 0; k < depth; ++k)
          acc.add(
              {left[g.adjoint_a ? BITTWIN_MUTABLE(k * rows + i, adjoint_left, k * depth + i)
                                : i * depth + k],
               a_zero,
               right[g.adjoint_b ? BITTWIN_MUTABLE(j * depth + k, adjoint_right, j * columns + k)
                                 : k * columns + j],
               b_zero});
        store((BITTWIN_MUTABLE(batch * rows + i, batch_of_result, i)) * columns + j, acc.value());
      }
  });
}

}  // namespace bittwin::reference::inline v1
