# LibTorch in ${torch_root}, with lib/ and include/, as wheels and downloads have it. Sets what find_package(Torch)
# sets: TORCH_LIBRARIES, TORCH_INCLUDE_DIRS, TORCH_CXX_FLAGS, TORCH_INSTALL_PREFIX. Its own CMake package is left
# aside: beside Debian's it takes that one's libraries with its own headers, and with CUDA it asks for the whole CUDA
# toolkit, of which these sources need nothing.
set(TORCH_INSTALL_PREFIX ${torch_root})
set(TORCH_INCLUDE_DIRS ${torch_root}/include ${torch_root}/include/torch/csrc/api/include)
set(TORCH_CXX_FLAGS "-D_GLIBCXX_USE_CXX11_ABI=1")
# Kernels register themselves when their library is loaded; nothing refers to them by name. The CUDA
# libraries' own dependencies are found when the program starts, beside them. The compiler's C++ library comes first:
# wheels export parts of an older one (std::filesystem, in which remove_all calls nothing that is there), which would
# else be taken for all of the program.
set(TORCH_LIBRARIES -Wl,--no-as-needed -lstdc++)
foreach(name torch torch_cpu c10 torch_cuda c10_cuda)
  set(file ${torch_root}/lib/lib${name}.so)
  if(EXISTS ${file})
    list(APPEND TORCH_LIBRARIES ${file})
  elseif(NOT name MATCHES cuda)
    message(FATAL_ERROR "${file}: not found, expected among LibTorch's libraries")
  endif()
endforeach()
list(APPEND TORCH_LIBRARIES -Wl,--as-needed -Wl,--allow-shlib-undefined)
