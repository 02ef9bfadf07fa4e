// The convolution over positions against its definition.
#include "infer/engine/convolution.h"

#include <catch2/catch.hpp>
#include <vector>

using namespace minibert::infer;

TEST_CASE("a convolution is right at every size and for any positions, and reads nothing outside") {
  for (const int32_t taps : {1, 3, 7, 31})
    for (const int32_t channels : {1, 4, 7, 8, 21})
      for (const int32_t length : {1, 2, 9, 33}) {
        // Small integers: no rounding.
        std::vector<float> x(static_cast<size_t>(length * channels));
        std::vector<float> weight(static_cast<size_t>(taps * channels));
        for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(int(i * 7 % 11) - 5);
        for (size_t i = 0; i < weight.size(); ++i)
          weight[i] = static_cast<float>(int(i * 5 % 13) - 6);
        Matrix matrix;
        matrix.rows = taps;
        matrix.cols = channels;
        matrix.float32 = weight.data();
        std::vector<int32_t> all, apart;
        for (int32_t s = 0; s < length; ++s) {
          all.push_back(s);
          if (s % 7 < 5 && s != 1) apart.push_back(s);
        }
        for (const auto& positions : {all, apart}) {
          std::vector<float> y(positions.size() * static_cast<size_t>(channels) + 1, 77.0f);
          convolve(x.data(), length, matrix, positions, y.data());
          for (size_t r = 0; r < positions.size(); ++r)
            for (int32_t c = 0; c < channels; ++c) {
              float exact = 0;
              for (int32_t tap = 0; tap < taps; ++tap) {
                const int32_t from = positions[r] + tap - taps / 2;
                if (from >= 0 && from < length)
                  exact += weight[tap * channels + c] * x[from * channels + c];
              }
              REQUIRE(y[r * channels + c] == exact);
            }
          CHECK(y.back() == 77.0f);
        }
      }
}
