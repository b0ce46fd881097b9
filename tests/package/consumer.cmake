# SPDX-License-Identifier: Apache-2.0
# A project of somebody else that uses the library by MODE: find_package (from an installation), add_subdirectory,
# or include_path (the compiler alone). Each builds the same two units and runs the program.
set(package "${SOURCE}/tests/package")
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")

# Configures a consumer; WANT_ERROR is a text that a failing configuration must print.
function(configure folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "WANT_ERROR" "OPTIONS")
  execute_process(COMMAND "${CMAKE_COMMAND}" -S "${package}/${MODE}" -B "${WORK}/${folder}" -G Ninja
                          "-DCMAKE_CXX_COMPILER=${CXX}" ${arg_OPTIONS}
                  RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  string(REGEX REPLACE "[ \n]+" " " flat "${text}")
  if(arg_WANT_ERROR AND (status EQUAL 0 OR NOT flat MATCHES "${arg_WANT_ERROR}"))
    message(FATAL_ERROR "expected an error with \"${arg_WANT_ERROR}\":\n${text}")
  elseif(NOT arg_WANT_ERROR AND NOT status EQUAL 0)
    message(FATAL_ERROR "${text}")
  endif()
endfunction()

function(build_and_run folder)
  execute_process(COMMAND "${CMAKE_COMMAND}" --build "${WORK}/${folder}" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND "${WORK}/${folder}/consumer" COMMAND_ERROR_IS_FATAL ANY)
endfunction()

if(MODE STREQUAL "include_path")
  execute_process(COMMAND ${CXX} -std=c++20 "-I${SOURCE}/include" "${package}/consumer/main.cpp"
                          "${package}/consumer/second.cpp" -o "${WORK}/consumer" COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND "${WORK}/consumer" COMMAND_ERROR_IS_FATAL ANY)

elseif(MODE STREQUAL "add_subdirectory")
  configure(build OPTIONS "-DBITTWIN_CHECKOUT=${SOURCE}")
  build_and_run(build)
  if(EXISTS "${WORK}/build/bittwin/tests" OR EXISTS "${WORK}/build/bittwin/examples")
    message(FATAL_ERROR "as a subproject the library brought its tests or examples")
  endif()
  execute_process(COMMAND "${CMAKE_COMMAND}" --install "${WORK}/build" --prefix "${WORK}/prefix"
                  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  if(EXISTS "${WORK}/prefix/include")
    message(FATAL_ERROR "as a subproject the library installed itself")
  endif()

elseif(MODE STREQUAL "find_package")
  execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/first"
                          --component bittwin_Development OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  file(RENAME "${WORK}/first" "${WORK}/prefix")   # an installation can be moved
  file(GLOB_RECURSE files "${WORK}/prefix/share/*")
  foreach(file IN LISTS files)
    file(READ "${file}" text)
    foreach(path "${SOURCE}" "${BUILD}")
      string(FIND "${text}" "${path}" at)
      if(NOT at EQUAL -1)
        message(FATAL_ERROR "${file} holds the path of this build")
      endif()
    endforeach()
  endforeach()
  set(installed "-DCMAKE_PREFIX_PATH=${WORK}/prefix")
  configure(core OPTIONS "${installed}")
  build_and_run(core)
  configure(all OPTIONS "${installed}" "-DWANTED=simd,graph,analysis,conformance")
  build_and_run(all)
  configure(unknown OPTIONS "${installed}" -DWANTED=grpah WANT_ERROR "no component grpah; its components are simd, graph")
  configure(missing OPTIONS "${installed}" -DWANTED=analysis -DCMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON
            WANT_ERROR "component analysis needs packages that are not found: nlohmann_json")
  configure(newer OPTIONS "${installed}" -DVERSION=1.0 WANT_ERROR "version")
endif()
