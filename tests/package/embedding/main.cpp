// SPDX-License-Identifier: Apache-2.0
#include <bittwin/types/element_type.hpp>

int main() { return bittwin::bytes_of(bittwin::element_type::int16) - 2; }
