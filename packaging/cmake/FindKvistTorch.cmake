# SPDX-License-Identifier: GPL-3.0-or-later
# libtorch as imported targets over the PyPI wheel's include and lib folders. The wheel's own package
# file insists on a matching CUDA toolkit even for CPU builds; these targets do not.
#
#   KvistTorch::cpu    torch_cpu and c10: all that the program links
#   KvistTorch::cuda   torch_cuda and c10_cuda on top: only the CUDA module links it
#
# KVIST_TORCH_DIR names the wheel's torch folder; the default is the virtual environment that
# packaging/setup.sh makes.
file(GLOB _kvist_torch_candidates "${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/torch")
set(_kvist_torch_default "")
if(_kvist_torch_candidates)
  list(GET _kvist_torch_candidates 0 _kvist_torch_default)
endif()
set(KVIST_TORCH_DIR "${_kvist_torch_default}" CACHE PATH "The torch folder of the wheel (holds include/ and lib/)")

find_path(KvistTorch_INCLUDE_DIR ATen/core/Tensor.h PATHS "${KVIST_TORCH_DIR}/include" NO_DEFAULT_PATH)
find_library(KvistTorch_CPU_LIBRARY torch_cpu PATHS "${KVIST_TORCH_DIR}/lib" NO_DEFAULT_PATH)
find_library(KvistTorch_C10_LIBRARY c10 PATHS "${KVIST_TORCH_DIR}/lib" NO_DEFAULT_PATH)
file(GLOB KvistTorch_GOMP_LIBRARY "${KVIST_TORCH_DIR}/lib/libgomp*.so*" "${KVIST_TORCH_DIR}/../torch.libs/libgomp*.so*")

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(KvistTorch
  REQUIRED_VARS KvistTorch_CPU_LIBRARY KvistTorch_C10_LIBRARY KvistTorch_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "run packaging/setup.sh, or set KVIST_TORCH_DIR to the torch folder of an installed wheel")

if(KvistTorch_FOUND AND NOT TARGET KvistTorch::cpu)
  set(KvistTorch_LIB_DIR "${KVIST_TORCH_DIR}/lib")
  add_library(KvistTorch::cpu INTERFACE IMPORTED)
  target_include_directories(KvistTorch::cpu SYSTEM INTERFACE "${KvistTorch_INCLUDE_DIR}")
  target_compile_options(KvistTorch::cpu INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fopenmp>)
  # The wheel's own OpenMP runtime is linked by path, so that no second one is loaded beside it. CMake puts the
  # folder of libraries linked by path into the build's run path and takes it out when installing; the NVIDIA
  # libraries are found by the wheel's own libraries.
  target_link_libraries(KvistTorch::cpu INTERFACE "${KvistTorch_CPU_LIBRARY}" "${KvistTorch_C10_LIBRARY}" ${KvistTorch_GOMP_LIBRARY})
  target_link_options(KvistTorch::cpu INTERFACE -Wl,--no-as-needed -Wl,--allow-shlib-undefined)

  add_library(KvistTorch::cuda INTERFACE IMPORTED)
  target_link_libraries(KvistTorch::cuda INTERFACE KvistTorch::cpu
    "${KvistTorch_LIB_DIR}/libtorch_cuda.so" "${KvistTorch_LIB_DIR}/libc10_cuda.so")
endif()
