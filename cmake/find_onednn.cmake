# SPDX-License-Identifier: Apache-2.0
# BITTWIN_ONEDNN_2, BITTWIN_ONEDNN_3: whether a oneDNN with the attributes of its second version (Debian 12's) or third
# (Debian 13's) and OpenMP are found. Then BITTWIN_ONEDNN and BITTWIN_ONEDNN_LIBRARY name its headers and library.
find_path(BITTWIN_ONEDNN dnnl.hpp)
find_library(BITTWIN_ONEDNN_LIBRARY dnnl)
mark_as_advanced(BITTWIN_ONEDNN BITTWIN_ONEDNN_LIBRARY)
find_package(OpenMP QUIET COMPONENTS CXX)
if(BITTWIN_ONEDNN AND BITTWIN_ONEDNN_LIBRARY AND OpenMP_CXX_FOUND)
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_INCLUDES "${BITTWIN_ONEDNN}")
  set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
  check_cxx_source_compiles(
    "#include <dnnl.hpp>
     int main() { dnnl::primitive_attr a; a.set_output_scales(0, {1.0f}); }" BITTWIN_ONEDNN_2)
  check_cxx_source_compiles(
    "#include <dnnl.hpp>
     int main() { dnnl::primitive_attr a; a.set_scales_mask(DNNL_ARG_DST, 0); }" BITTWIN_ONEDNN_3)
  unset(CMAKE_TRY_COMPILE_TARGET_TYPE)
  unset(CMAKE_REQUIRED_INCLUDES)
endif()
