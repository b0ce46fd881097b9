# SPDX-License-Identifier: Apache-2.0
# The embedding contract of the umbrella: it builds without exceptions and RTTI, brings in no iostream and no code
# that runs before main, with and without optimization; and the program still computes.
foreach(level -O0 -O2)
  set(object "${WORK}/unit${level}.o")
  file(MAKE_DIRECTORY "${WORK}")
  execute_process(COMMAND ${CXX} -std=c++20 ${level} -fno-exceptions -fno-rtti -Wall -Wextra -Wconversion -Werror
                          "-I${SOURCE}/include" -MD -c "${SOURCE}/tests/package/embedding/main.cpp" -o "${object}"
                  COMMAND_ERROR_IS_FATAL ANY)
  file(READ "${WORK}/unit${level}.d" dependencies)
  if(dependencies MATCHES "/iostream[ \\\n]")
    message(FATAL_ERROR "the umbrella includes <iostream>")
  endif()
  execute_process(COMMAND objdump --section-headers "${object}" OUTPUT_VARIABLE sections
                  COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND nm "${object}" OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  if(sections MATCHES "\\.init_array|\\.ctors" OR symbols MATCHES "_GLOBAL__sub_I|__cxx_global_var_init")
    message(FATAL_ERROR "the umbrella has a static initialiser at ${level}")
  endif()
  if(symbols MATCHES "__cxa_throw|__dynamic_cast|_ZTI|ios_base")
    message(FATAL_ERROR "the unit refers to exceptions, RTTI or iostreams at ${level}:\n${symbols}")
  endif()
  execute_process(COMMAND ${CXX} "${object}" -o "${WORK}/unit${level}" COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND "${WORK}/unit${level}" COMMAND_ERROR_IS_FATAL ANY)
endforeach()
