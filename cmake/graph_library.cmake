# SPDX-License-Identifier: Apache-2.0
# bittwin_graph_library(<name>): the static library of the graph component: reader, operators, executor and target tables, compiled
# once in the project that uses them (their sources are the headers). Called by this build and, installed, by
# bittwinConfig.cmake; without CMake one source file includes <bittwin/graph/implementation.hpp> instead.
function(bittwin_graph_library name)
  set(sources "")
  foreach(header builders executor_functions shipped_rules tflite_reader)   # one object each: they compile side by side
    set(source "${CMAKE_CURRENT_BINARY_DIR}/${name}_${header}.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "#include <bittwin/graph/${header}.hpp>\n")
    list(APPEND sources "${source}")
  endforeach()
  add_library(${name} STATIC EXCLUDE_FROM_ALL ${sources})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(${name} PUBLIC ${bittwin_graph_links})
endfunction()
