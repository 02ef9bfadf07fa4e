# minibert_fetch_source(VARIABLE FOLDER SHA256 URL…) sets VARIABLE to the unpacked source archive, fetched from
# the first URL that gives a file with that checksum: plain HTTP is as good as any. One copy serves all build
# folders: build/sources/FOLDER, whose name has the version in it.
get_filename_component(MINIBERT_SOURCES ${CMAKE_CURRENT_LIST_DIR}/../../build/sources ABSOLUTE)

function(minibert_fetch_source variable name sha256)
  set(source ${MINIBERT_SOURCES}/${name})
  set(${variable} ${source} PARENT_SCOPE)
  file(MAKE_DIRECTORY ${MINIBERT_SOURCES})
  # Two configurations at once do not unpack over each other; the lock goes when the function ends.
  file(LOCK ${MINIBERT_SOURCES}/${name}.lock GUARD FUNCTION TIMEOUT 600)
  if(EXISTS ${source})
    return()
  endif()

  set(archive ${MINIBERT_SOURCES}/${name}.archive)
  set(found "")
  foreach(url ${ARGN})
    message(STATUS "Fetching ${url}")
    file(DOWNLOAD ${url} ${archive} TLS_VERIFY ON STATUS status)
    file(SHA256 ${archive} found)
    if(found STREQUAL sha256)
      break()
    endif()
    message(STATUS "  ${status}, SHA-256 ${found}")
  endforeach()
  if(NOT found STREQUAL sha256 AND EXISTS /usr/lib/apt/apt-helper)
    # Where only apt knows the way out (its proxy, its certificates).
    list(GET ARGN 0 url)
    message(STATUS "Fetching ${url} as apt does")
    execute_process(COMMAND /usr/lib/apt/apt-helper download-file ${url} ${archive} SHA256:${sha256}
      OUTPUT_QUIET)
    if(EXISTS ${archive})
      file(SHA256 ${archive} found)
    endif()
  endif()
  if(NOT found STREQUAL sha256)
    message(FATAL_ERROR "${name}'s source: found SHA-256 ${found}, expected ${sha256}, from ${ARGN}")
  endif()

  # Archives hold one folder, under a name of their own; renamed last, so that it is never half there.
  set(unpacked ${MINIBERT_SOURCES}/${name}.unpacked)
  file(REMOVE_RECURSE ${unpacked})
  file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${unpacked})
  file(GLOB folder ${unpacked}/*)
  file(RENAME ${folder} ${source})
  file(REMOVE_RECURSE ${unpacked})
  file(REMOVE ${archive})
endfunction()
