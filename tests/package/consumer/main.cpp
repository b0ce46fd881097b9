// SPDX-License-Identifier: Apache-2.0
// A program of somebody else: two units that both include the library, one conv2d.
#include <bittwin/types/element_type.hpp>

int second_unit();

int main() { return second_unit() - bittwin::bytes_of(bittwin::element_type::int16); }
