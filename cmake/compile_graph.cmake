# SPDX-License-Identifier: Apache-2.0
# bittwin_compile_graph(<name>): a static library <name> that holds the large functions of the graph component,
# compiled once. Link it instead of bittwin::graph where many translation units include the component.
function(bittwin_compile_graph name)
  set(sources "")
  foreach(header builders tflite_reader)
    set(source "${CMAKE_CURRENT_BINARY_DIR}/${name}_${header}.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "#include <bittwin/graph/${header}.hpp>\n")
    list(APPEND sources "${source}")
  endforeach()
  add_library(${name} STATIC ${sources})
  target_link_libraries(${name} PUBLIC bittwin::graph)
  target_compile_definitions(${name} PUBLIC BITTWIN_GRAPH_COMPILED PRIVATE BITTWIN_GRAPH_COMPILES)
endfunction()
