# SPDX-License-Identifier: GPL-3.0-or-later
# What an installation holds, and the Debian package of it (cpack -G DEB in the build folder). libtorch is in no
# Debian release, so the libraries that the program needs on a CPU come along in lib/kvist.
set_target_properties(kvist PROPERTIES INSTALL_RPATH "$ORIGIN/../lib/kvist")
install(TARGETS kvist RUNTIME DESTINATION bin)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/resources/demo_model" "${PROJECT_SOURCE_DIR}/resources/texts"
        DESTINATION share/kvist)
install(FILES "${PROJECT_SOURCE_DIR}/resources/CREDITS.md" DESTINATION share/kvist)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/experiments/presets" DESTINATION share/kvist FILES_MATCHING PATTERN "*.json")
install(FILES "${PROJECT_SOURCE_DIR}/packaging/kvist.desktop" DESTINATION share/applications)
install(FILES "${PROJECT_SOURCE_DIR}/packaging/kvist.metainfo.xml" DESTINATION share/metainfo
        RENAME org.kvist.Kvist.metainfo.xml)
install(FILES "${PROJECT_SOURCE_DIR}/packaging/kvist.1" DESTINATION share/man/man1)
install(FILES "${PROJECT_SOURCE_DIR}/resources/icons/kvist.svg" DESTINATION share/icons/hicolor/scalable/apps)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION share/doc/kvist RENAME copyright)

file(GLOB libtorch_files "${KVIST_TORCH_DIR}/lib/libtorch_cpu.so" "${KVIST_TORCH_DIR}/lib/libc10.so"
     "${KVIST_TORCH_DIR}/lib/libgomp*.so*" "${KVIST_TORCH_DIR}/../nvidia/*/lib/libcudart.so.*"
     "${KVIST_TORCH_DIR}/../nvidia/*/lib/libcupti.so.*")
install(PROGRAMS ${libtorch_files} DESTINATION lib/kvist)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME kvist)
set(CPACK_PACKAGE_VENDOR "The Kvist developers")
set(CPACK_PACKAGE_CONTACT "The Kvist developers <kvist@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION "Runs language models with a pruned key/value cache and measures perplexity, memory and speed.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES OFF)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_COMPRESSION_TYPE zstd)
set(CPACK_DEBIAN_PACKAGE_DEPENDS
  "libqt6widgets6, libqt6charts6, libqt6svg6, libqt6sql6-sqlite, libqt6dbus6, libsentencepiece0, libpcre2-8-0, libutf8proc2, libxxhash0, libgomp1")
include(CPack)
