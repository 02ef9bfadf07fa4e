// Which kernels OpenBLAS is made to use.
#include "environment/blas_core.h"

#include <stdlib.h>

#include <catch2/catch.hpp>
#include <optional>
#include <string>

#include "core/torch.h"
#include "environment/environment.h"

namespace minibert {
namespace {

constexpr const char* kVariable = "OPENBLAS_CORETYPE";

// Puts aside what the user names in it, until the end of a test.
class VariableAside {
 public:
  VariableAside() {
    if (const char* given = getenv(kVariable)) before_ = given;
    unsetenv(kVariable);
  }
  ~VariableAside() {
    if (before_)
      setenv(kVariable, before_->c_str(), 1);
    else
      unsetenv(kVariable);
  }
  VariableAside(const VariableAside&) = delete;
  VariableAside& operator=(const VariableAside&) = delete;

 private:
  std::optional<std::string> before_;
};

}  // namespace

TEST_CASE("a core that uses less than the processor has is replaced") {
  const VectorUnits avx2{true, false, false}, avx512{true, true, false}, all{true, true, true};
  CHECK(better_blas_core("Haswell", avx512) == "SkylakeX");
  CHECK(better_blas_core("Zen", all) == "Cooperlake");
  CHECK(better_blas_core("SkylakeX", all) == "Cooperlake");
  CHECK(better_blas_core("Prescott", avx2) == "Haswell");
}

TEST_CASE("a core that uses what the processor has stays, and so does one that is not known") {
  const VectorUnits none, avx2{true, false, false}, avx512{true, true, false},
      all{true, true, true};
  CHECK(better_blas_core("Zen", avx2).empty());
  CHECK(better_blas_core("SkylakeX", avx512).empty());
  CHECK(better_blas_core("Cooperlake", all).empty());
  CHECK(better_blas_core("Prescott", none).empty());
  CHECK(better_blas_core("Zen9", all).empty());
}

TEST_CASE("products are right with every core that the processor can run") {
  const VariableAside aside;
  const std::string before = blas_core();
  if (before.empty() || !detect_vector_units().avx2) return;  // another BLAS or processor
  const auto a = torch::randn({37, 65}), b = torch::randn({65, 21});
  const auto plain = (a.unsqueeze(2) * b.unsqueeze(0)).sum(1);
  for (const std::string core : {"Prescott", "Haswell"}) {
    REQUIRE(set_blas_core(core));
    CHECK(blas_core() == core);
    CHECK(a.mm(b).allclose(plain, 1e-4, 1e-5));
  }
  choose_blas_core();
  CHECK(better_blas_core(blas_core(), detect_vector_units()).empty());
  CHECK(a.mm(b).allclose(plain, 1e-4, 1e-5));
  REQUIRE(set_blas_core(before));
  CHECK(blas_core() == before);
}

TEST_CASE("the kernels that a record names are known, and whether a processor can run them") {
  CHECK(
      blas_core_in("OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH NO_AFFINITY Haswell MAX_THREADS=64") ==
      "Haswell");
  CHECK(blas_core_in("MKL").empty());
  CHECK(blas_core_in("").empty());
  if (!blas_core().empty()) CHECK(blas_core_in(detect_blas().name) == blas_core());
  const VectorUnits avx2{.avx2 = true};
  CHECK(can_run_core("Haswell", avx2));
  CHECK(can_run_core("Zen", avx2));
  CHECK_FALSE(can_run_core("SkylakeX", avx2));
  CHECK_FALSE(can_run_core("Cooperlake", avx2));
  CHECK_FALSE(can_run_core("SapphireRapids", detect_vector_units()));
  CHECK_FALSE(can_run_core("Haswell", {}));
}

TEST_CASE("a core that the user named stays") {
  if (blas_core().empty()) return;
  const VariableAside aside;
  const std::string before = blas_core();
  REQUIRE(set_blas_core("Prescott"));
  setenv(kVariable, "Prescott", 1);
  choose_blas_core();
  CHECK(blas_core() == "Prescott");
  REQUIRE(set_blas_core(before));
  unsetenv(kVariable);
}

}  // namespace minibert
