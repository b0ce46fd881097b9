# SPDX-License-Identifier: Apache-2.0
# A translation unit with every header defines no strong symbol: no function or variable lacks `inline`, so two
# such units link together; and no header runs code before main. Unoptimized, so that nothing is elided.
# The headers that a program compiles once are left out (*_functions.hpp and those named here), and the one that needs
# oneTBB.
cmake_minimum_required(VERSION 3.22)
file(GLOB_RECURSE headers RELATIVE "${SOURCE}/include" "${SOURCE}/include/bittwin/*.hpp")
list(FILTER headers EXCLUDE REGEX "_functions\\.hpp$")
foreach(once analysis/implementation graph/any_rules graph/builders graph/implementation graph/shipped_rules
             graph/tflite_reader graph/tflite_writer kernel/packed_kernels parallel/onetbb)
  if(NOT "bittwin/${once}.hpp" IN_LIST headers)
    message(FATAL_ERROR "no header bittwin/${once}.hpp, which is left out here")
  endif()
  list(REMOVE_ITEM headers "bittwin/${once}.hpp")
endforeach()
list(TRANSFORM headers PREPEND "#include <")
list(TRANSFORM headers APPEND ">\n")
list(JOIN headers "" text)
file(WRITE "${WORK}/every_header.cpp" "${text}")
execute_process(COMMAND ${CXX} -std=c++20 -O0 "-I${SOURCE}/include" -c "${WORK}/every_header.cpp"
                        -o "${WORK}/every_header.o" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND nm --demangle --defined-only --extern-only "${WORK}/every_header.o"
                OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[0-9a-f]+ [TDBRGSC] [^\n]*" strong "${symbols}")
if(strong)
  list(JOIN strong "\n  " strong)
  message(FATAL_ERROR "defined in a header without inline:\n  ${strong}")
endif()
# RapidCheck's headers include <iostream>, which does; so the check is without the component built on it.
string(REGEX REPLACE "#include <bittwin/conformance/[^\n]*\n" "" text "${text}")
file(WRITE "${WORK}/own_headers.cpp" "${text}")
execute_process(COMMAND ${CXX} -std=c++20 -O0 "-I${SOURCE}/include" -c "${WORK}/own_headers.cpp"
                        -o "${WORK}/own_headers.o" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND objdump --section-headers "${WORK}/own_headers.o"
                OUTPUT_VARIABLE sections COMMAND_ERROR_IS_FATAL ANY)
if(sections MATCHES "\\.init_array|\\.ctors")
  message(FATAL_ERROR "a header has a static initialiser")
endif()
