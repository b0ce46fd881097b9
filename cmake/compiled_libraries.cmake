# SPDX-License-Identifier: Apache-2.0
# bittwin_compiled_sources(<variable> <name> <header>...): one source file a header, which includes it.
function(bittwin_compiled_sources variable name)
  set(sources "")
  foreach(header IN LISTS ARGN)
    string(REPLACE "/" "_" file "${name}_${header}.cpp")
    file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/${file}" CONTENT "#include <bittwin/${header}.hpp>\n")
    list(APPEND sources "${CMAKE_CURRENT_BINARY_DIR}/${file}")
  endforeach()
  set(${variable} "${sources}" PARENT_SCOPE)
endfunction()

# bittwin_simd_library(<name>): the packed kernels as objects, so that a program which links them gets them although
# nothing in it must have them.
function(bittwin_simd_library name)
  bittwin_compiled_sources(sources ${name} kernel/packed_kernels)
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${sources})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(${name} PUBLIC ${bittwin_simd_links})
endfunction()

# bittwin_graph_library(<name>): the static library of the graph component: reader, operators, executor, tables of the
# targets and the packed kernels, compiled once in the project that uses them (their sources are the headers). Called
# by this build and, installed, by bittwinConfig.cmake; without CMake one source file includes
# <bittwin/graph/implementation.hpp> instead.
function(bittwin_graph_library name)
  # One object each: they compile side by side. The packed kernels, the largest, are those of bittwin::simd where it is.
  set(headers graph/any_rules graph/builders graph/executor_functions graph/operator_options_functions
              graph/shipped_rules graph/tflite_reader graph/tflite_writer)
  if(NOT TARGET bittwin::simd)
    list(APPEND headers kernel/packed_kernels)
  endif()
  bittwin_compiled_sources(sources ${name} ${headers})
  if(TARGET bittwin::simd)
    list(APPEND sources $<TARGET_OBJECTS:bittwin::simd>)
  endif()
  add_library(${name} STATIC EXCLUDE_FROM_ALL ${sources})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(${name} PUBLIC ${bittwin_graph_links})
endfunction()

# bittwin_analysis_library(<name>): the same for the analysis component; <bittwin/analysis/implementation.hpp>.
function(bittwin_analysis_library name)
  bittwin_compiled_sources(sources ${name} analysis/arithmetic_faults_functions analysis/audit_functions
                           analysis/audit_page_functions analysis/baseline_functions analysis/bundle_files_functions
                           analysis/bundle_functions analysis/bundle_page_functions
                           analysis/comparison_json_functions analysis/comparison_page_functions
                           analysis/comparison_text_functions analysis/drift_functions
                           analysis/drift_page_functions analysis/dump_comparison_functions analysis/dump_functions analysis/dump_writer_functions
                           analysis/explain_functions analysis/extract_functions analysis/import_functions
                           analysis/import_samples_functions
                           analysis/manifest_functions analysis/npy_functions analysis/page_functions
                           analysis/recorded_run_functions analysis/repair_functions analysis/run_page_functions
                           analysis/target_file_functions analysis/tensor_names_functions
                           analysis/tensor_picture_functions)
  add_library(${name} STATIC EXCLUDE_FROM_ALL ${sources})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(${name} PUBLIC ${bittwin_analysis_links})
endfunction()
