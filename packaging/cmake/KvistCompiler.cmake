# SPDX-License-Identifier: GPL-3.0-or-later
# Language level, warnings and sanitizers shared by every target; ccache where it is installed.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND};-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros;${CCACHE_PROGRAM}")
endif()

add_library(kvist_compiler INTERFACE)
target_include_directories(kvist_compiler INTERFACE "${PROJECT_SOURCE_DIR}")
# -Wno-restrict: GCC 12 sees an overlap in operator+(const char*, std::string&&) that is not there (its bug 105651).
target_compile_options(kvist_compiler INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wshadow -Wno-restrict -fno-math-errno>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${KVIST_WERROR}>>:-Werror>)
if(CCACHE_PROGRAM)
  target_compile_options(kvist_compiler INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
endif()
if(KVIST_SANITIZE)
  target_compile_options(kvist_compiler INTERFACE -fsanitize=${KVIST_SANITIZE} -fno-sanitize-recover=undefined
                         -fno-omit-frame-pointer)
  target_link_options(kvist_compiler INTERFACE -fsanitize=${KVIST_SANITIZE})
endif()
