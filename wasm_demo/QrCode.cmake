# QR Code generator (Nayuki) from its pinned source, as the static library qrcodegen.
set(QRCODEGEN_VERSION 1.8.0)
include(${CMAKE_CURRENT_LIST_DIR}/../lib/cmake/FetchSource.cmake)
minibert_fetch_source(QRCODEGEN_DIR qrcodegen-${QRCODEGEN_VERSION}
  2ec0a4d33d6f521c942eeaf473d42d5fe139abcfa57d2beffe10c5cf7d34ae60
  pool/main/q/qr-code-generator/qr-code-generator_${QRCODEGEN_VERSION}.orig.tar.gz
  https://github.com/nayuki/QR-Code-generator/archive/refs/tags/v${QRCODEGEN_VERSION}.tar.gz)

add_library(qrcodegen STATIC ${QRCODEGEN_DIR}/c/qrcodegen.c)
target_include_directories(qrcodegen SYSTEM PUBLIC ${QRCODEGEN_DIR}/c)
target_compile_options(qrcodegen PRIVATE -Oz -DNDEBUG)
