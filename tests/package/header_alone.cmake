# SPDX-License-Identifier: Apache-2.0
# Every header of one level compiles as the only include of a translation unit, without a warning.
file(GLOB headers RELATIVE "${SOURCE}/include" "${SOURCE}/include/bittwin/${LEVEL}/*.hpp")
# Headers that are compiled once are sources of their own, alone already.
list(FILTER headers EXCLUDE REGEX "_functions\\.hpp$")
file(MAKE_DIRECTORY "${WORK}")
set(faults 0)
foreach(header IN LISTS headers)
  file(READ "${SOURCE}/include/${header}" text)
  if(text MATCHES "<oneapi/tbb/")
    file(WRITE "${WORK}/unit.cpp" "#include <oneapi/tbb/parallel_for.h>\n")
    execute_process(COMMAND ${CXX} -std=c++20 -fsyntax-only "${WORK}/unit.cpp"
                    RESULT_VARIABLE status ERROR_QUIET)
    if(NOT status EQUAL 0)
      message(STATUS "${header}: not tried, oneTBB is not found")
      continue()
    endif()
  endif()
  string(REPLACE "/./" "/" header "${header}")
  file(WRITE "${WORK}/unit.cpp" "#include <${header}>\n")
  execute_process(COMMAND ${CXX} -std=c++20 -fsyntax-only -Wall -Wextra -Wconversion -Werror
                          "-I${SOURCE}/include" "${WORK}/unit.cpp"
                  RESULT_VARIABLE status ERROR_VARIABLE text)
  if(NOT status EQUAL 0)
    math(EXPR faults "${faults} + 1")
    message("${header} does not compile alone:\n${text}")
  endif()
endforeach()
list(LENGTH headers count)
if(faults OR count EQUAL 0)
  message(FATAL_ERROR "${faults} of ${count} headers do not compile alone")
endif()
message(STATUS "${count} headers compile alone")
