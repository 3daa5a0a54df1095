# SPDX-License-Identifier: GPL-3.0-or-later
# Run at every build: writes the definition of programVersion() to OUTPUT where it changed.
#   cmake -DVERSION=0.1.0 -DSOURCE=… -DOUTPUT=… -P write_version.cmake
cmake_minimum_required(VERSION 3.25)
set(ENV{GIT_OPTIONAL_LOCKS} 0)
execute_process(COMMAND git describe --always --exclude=* --dirty=+ WORKING_DIRECTORY "${SOURCE}"
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE status)
set(version "${VERSION}")
if(status EQUAL 0 AND commit AND EXISTS "${SOURCE}/.git")
  string(APPEND version " (${commit})")
endif()
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT "// SPDX-License-Identifier: GPL-3.0-or-later
#include \"app/version.h\"

const char* kvist::app::programVersion() {
    return \"@version@\";
}
" @ONLY)
