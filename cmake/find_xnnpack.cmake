# SPDX-License-Identifier: Apache-2.0
# BITTWIN_XNNPACK_2022, BITTWIN_XNNPACK_2024: whether an XNNPACK with the operators' calls of that year (Debian 12's,
# Debian 13's) is found. Then BITTWIN_XNNPACK and BITTWIN_XNNPACK_LIBRARY name its headers and library. BITTWIN_CPUINFO and
# BITTWIN_CPUINFO_LIBRARY: where it learns what the processor has (Debian: libcpuinfo-dev), if that is found.
find_path(BITTWIN_XNNPACK xnnpack.h)
find_library(BITTWIN_XNNPACK_LIBRARY XNNPACK)
find_path(BITTWIN_CPUINFO cpuinfo.h)
find_library(BITTWIN_CPUINFO_LIBRARY cpuinfo)
mark_as_advanced(BITTWIN_XNNPACK BITTWIN_XNNPACK_LIBRARY BITTWIN_CPUINFO BITTWIN_CPUINFO_LIBRARY)
if(BITTWIN_XNNPACK AND BITTWIN_XNNPACK_LIBRARY)
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_INCLUDES "${BITTWIN_XNNPACK}")
  set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
  check_cxx_source_compiles(
    "#include <xnnpack.h>
     int main() { return xnn_setup_add_nd_qs8(nullptr, 1, nullptr, 1, nullptr, nullptr, nullptr, nullptr, nullptr); }"
    BITTWIN_XNNPACK_2022)
  check_cxx_source_compiles(
    "#include <xnnpack.h>
     int main() { return xnn_setup_reduce_nd(nullptr, nullptr, nullptr, nullptr); }" BITTWIN_XNNPACK_2024)
  unset(CMAKE_TRY_COMPILE_TARGET_TYPE)
  unset(CMAKE_REQUIRED_INCLUDES)
endif()
