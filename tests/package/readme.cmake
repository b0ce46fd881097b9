# SPDX-License-Identifier: Apache-2.0
# README's first C++ block is examples/01_conv2d.cpp to the byte, which is built and run as a test.
file(READ "${SOURCE}/README.md" readme)
file(READ "${SOURCE}/examples/01_conv2d.cpp" example)
string(FIND "${readme}" "```cpp\n${example}```\n" at)
if(at EQUAL -1)
  message(FATAL_ERROR "README.md does not hold examples/01_conv2d.cpp as it is")
endif()
