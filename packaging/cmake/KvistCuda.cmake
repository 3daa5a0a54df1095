# SPDX-License-Identifier: GPL-3.0-or-later
# The CUDA language with nvcc of the release that the torch wheel is built with: give CMAKE_CUDA_COMPILER
# (packaging/setup.sh installs one into the virtual environment). Compiles without a GPU, by default for Ampere
# and Hopper and, through PTX of the latter, for what comes after.
if(NOT CMAKE_CUDA_COMPILER)
  file(GLOB _kvist_nvcc "${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/nvidia/cu13/bin/nvcc")
  if(_kvist_nvcc)
    list(GET _kvist_nvcc 0 CMAKE_CUDA_COMPILER)
  endif()
endif()
if(NOT CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 80-real 90)
endif()
# The wheel keeps the toolkit's libraries in lib/, where nvcc does not look by itself.
if(CMAKE_CUDA_COMPILER)
  get_filename_component(_kvist_toolkit "${CMAKE_CUDA_COMPILER}" DIRECTORY)
  get_filename_component(_kvist_toolkit "${_kvist_toolkit}" DIRECTORY)
  if(NOT CUDAToolkit_ROOT)
    set(CUDAToolkit_ROOT "${_kvist_toolkit}")
  endif()
  if(EXISTS "${_kvist_toolkit}/lib/libcudart_static.a")
    string(APPEND CMAKE_CUDA_FLAGS_INIT " -L${_kvist_toolkit}/lib")
  endif()
endif()
enable_language(CUDA)
