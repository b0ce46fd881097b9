# SPDX-License-Identifier: Apache-2.0
# Installs headers and CMake files only; nothing here depends on the machine's architecture.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(destination "${CMAKE_INSTALL_DATADIR}/bittwin")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        COMPONENT bittwin_Development)
install(TARGETS bittwin EXPORT bittwinTargets INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT bittwinTargets DESTINATION "${destination}" NAMESPACE bittwin::
        COMPONENT bittwin_Development)
configure_package_config_file(
  "${CMAKE_CURRENT_LIST_DIR}/bittwinConfig.cmake.in" "${PROJECT_BINARY_DIR}/bittwinConfig.cmake"
  INSTALL_DESTINATION "${destination}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/bittwinConfigVersion.cmake"
  COMPATIBILITY SameMajorVersion ARCH_INDEPENDENT)
install(FILES "${PROJECT_BINARY_DIR}/bittwinConfig.cmake"
              "${PROJECT_BINARY_DIR}/bittwinConfigVersion.cmake"
              "${CMAKE_CURRENT_LIST_DIR}/compiled_libraries.cmake"
              "${CMAKE_CURRENT_LIST_DIR}/components.cmake"
        DESTINATION "${destination}" COMPONENT bittwin_Development)
