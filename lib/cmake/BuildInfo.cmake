# Writes ${CMAKE_BINARY_DIR}/build_info.cpp. Included: fills in what is known when configuring and makes
# the target minibert_build_info. Run by that target at every build: fills in the commit, and touches the
# file only when something changed, so that nothing is compiled again without need.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(flags "-std=c++20 ${CMAKE_CXX_FLAGS} ${TORCH_CXX_FLAGS}")
  string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type_upper)
  string(APPEND flags " ${CMAKE_CXX_FLAGS_${build_type_upper}}")
  string(REGEX REPLACE " +" " " flags "${flags}")
  set(version @version@)
  set(commit @commit@)
  set(dirty @dirty@)
  set(MINIBERT_BUILD_INFO ${CMAKE_BINARY_DIR}/build_info.cpp)
  configure_file(${CMAKE_SOURCE_DIR}/lib/cmake/build_info.cpp.in ${MINIBERT_BUILD_INFO}.in @ONLY)
  add_custom_target(minibert_build_info
    COMMAND ${CMAKE_COMMAND} -DSOURCE_DIR=${CMAKE_SOURCE_DIR} -DOUTPUT=${MINIBERT_BUILD_INFO}
            -DPROJECT_VERSION=${PROJECT_VERSION} -P ${CMAKE_CURRENT_LIST_FILE}
    BYPRODUCTS ${MINIBERT_BUILD_INFO}
    COMMENT "Asking git for the commit"
    VERBATIM)
  return()
endif()

function(ask_git result)
  execute_process(
    COMMAND git -c safe.directory=${SOURCE_DIR} -C ${SOURCE_DIR} ${ARGN}
    OUTPUT_VARIABLE answer RESULT_VARIABLE status ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT status EQUAL 0)
    set(answer "")
  endif()
  set(${result} "${answer}" PARENT_SCOPE)
endfunction()

set(commit "")
set(changes "")
set(described "")
if(EXISTS ${SOURCE_DIR}/.git)
  ask_git(commit rev-parse HEAD)
  ask_git(described describe --always --tags)
  ask_git(changes status --porcelain --untracked-files=no -- . ":(exclude)results")
endif()
set(dirty false)
set(version ${PROJECT_VERSION})
if(described)
  string(APPEND version " (${described})")
endif()
if(NOT changes STREQUAL "")
  set(dirty true)
  string(APPEND version " with local changes")
endif()
configure_file(${OUTPUT}.in ${OUTPUT} @ONLY)
