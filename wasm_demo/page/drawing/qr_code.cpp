#include "drawing/qr_code.h"

#include <qrcodegen.h>

#include <vector>

namespace minibert::page {

std::string qr_code(const std::string& text) {
  std::vector<uint8_t> code(qrcodegen_BUFFER_LEN_MAX), working(qrcodegen_BUFFER_LEN_MAX);
  if (!qrcodegen_encodeText(text.c_str(), working.data(), code.data(), qrcodegen_Ecc_LOW,
                            qrcodegen_VERSION_MIN, qrcodegen_VERSION_MAX, qrcodegen_Mask_AUTO,
                            true))
    return {};
  std::string rows;
  const int size = qrcodegen_getSize(code.data());
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) rows += qrcodegen_getModule(code.data(), x, y) ? '1' : '0';
    rows += '\n';
  }
  return rows;
}

}  // namespace minibert::page
