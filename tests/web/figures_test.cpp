// How the page writes figures.
#include "text/figures.h"

#include <catch2/catch.hpp>

using namespace minibert::page;

TEST_CASE("a probability that is neither none nor all is never shown as such") {
  CHECK(percent(0.5f) == "50.0%");
  CHECK(percent(0.0123f) == "1.23%");
  CHECK(percent(0.00004f) == "<0.01%");
  CHECK(percent(0.0001f) == "0.01%");
  CHECK(percent(0.9994f) == "99.9%");
  CHECK(percent(0.99951f) == ">99.9%");
  CHECK(percent(0.9999999f) == ">99.9%");
  CHECK(percent(1) == "100%");
  CHECK(percent(0) == "0%");
}

TEST_CASE("a spoken probability that is neither none nor all is never spoken as such") {
  CHECK(whole_percent(0.5) == " 50%");
  CHECK(whole_percent(0.002) == " <1%");
  CHECK(whole_percent(0.006) == " 1%");
  CHECK(whole_percent(0.9949) == " 99%");
  CHECK(whole_percent(0.999) == " >99%");
  CHECK(whole_percent(1) == " 100%");
}

TEST_CASE("a difference is in points, as each language writes them") {
  CHECK(points(0.0123f, Language::korean) == "+1.23%p");
  CHECK(points(-0.5f, Language::english) == "-50.00 pp");
  CHECK(points(0.00001f, Language::english) == "=");
}
