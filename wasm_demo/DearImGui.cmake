# Dear ImGui from its pinned source (Debian's repacked tarball), as the static library imgui. The page
# brings its own backends.
set(IMGUI_VERSION 1.86)
include(${CMAKE_CURRENT_LIST_DIR}/../lib/cmake/FetchSource.cmake)
minibert_fetch_source(IMGUI_DIR imgui-${IMGUI_VERSION}
  0dace0e8e57d298eb6e93af12dc19420cb96330832f6495c733b90aeeef11f64
  pool/main/i/imgui/imgui_${IMGUI_VERSION}+ds.orig.tar.xz
  pool/universe/i/imgui/imgui_${IMGUI_VERSION}+ds.orig.tar.xz)

add_library(imgui STATIC
  ${IMGUI_DIR}/imgui.cpp ${IMGUI_DIR}/imgui_draw.cpp ${IMGUI_DIR}/imgui_tables.cpp
  ${IMGUI_DIR}/imgui_widgets.cpp)
target_include_directories(imgui SYSTEM PUBLIC ${IMGUI_DIR})
# 32-bit characters for text beyond the basic plane; 32-bit indices for heat maps of 128 × 128.
target_compile_definitions(imgui PUBLIC IMGUI_USE_WCHAR32 "ImDrawIdx=unsigned int"
  IMGUI_DISABLE_DEMO_WINDOWS IMGUI_DISABLE_METRICS_WINDOW IMGUI_DISABLE_OBSOLETE_FUNCTIONS)
target_compile_options(imgui PUBLIC -Oz -fno-rtti)
