// Stored runs as an SQL database.
#include "export/record_database.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "compare/sample_runs.h"
#include "support/message.h"
#include "support/program.h"
#include "support/scratch.h"
#include "support/shell.h"

namespace minibert {
namespace {

using testing::add_two_arms;
using testing::Experiment;
using testing::finished_run;
using testing::message_of;
using testing::run_program;
using Json = nlohmann::json;

// Two arms of two seeds, and one of another task, whose configuration has a number, a text, a truth and a list.
struct Runs : Experiment {
  Runs() {
    add_two_arms(*this);
    RunRecord other = finished_run("bag", 1, {1}, {1});
    other.config = {{"model", {{"d_model", 96}, {"norm", "pre"}, {"tied", true}}},
                    {"seeds", {1, 2}},
                    {"arms", {{{"name", "bag"}, {"train", {{"epochs", 3}}}}}}};
    other.summary = {{"accuracy", 0.5}};
    other.predictions.reset();
    other.metrics["dev/accuracy"] = {{10, 20}, {0.25, 0.5}};
    add(other);
  }
};

TEST_CASE("a question to stored runs is answered by their figures") {
  const Runs runs;
  RecordDatabase database(runs.paths, nullptr);
  const QueryAnswer answer = database.ask(
      "SELECT arm, count(*) AS n, avg(exact_match) AS em FROM runs WHERE exact_match IS NOT NULL "
      "GROUP BY arm "
      "ORDER BY em");
  CHECK(answer.columns == std::vector<std::string>{"arm", "n", "em"});
  CHECK(answer.rows == std::vector<std::vector<Json>>{{"lstm", 2, 12.5}, {"bert", 2, 62.5}});
  // What a run has no figure of is null.
  CHECK(database.ask("SELECT f1, accuracy FROM runs WHERE arm = 'bag'").rows[0] ==
        std::vector<Json>{nullptr, 0.5});
}

TEST_CASE("configurations are rows of keys, an arm's own beside the experiment's") {
  const Runs runs;
  RecordDatabase database(runs.paths, nullptr);
  const auto value = [&](const std::string& key) {
    return database
        .ask("SELECT value FROM config JOIN runs USING (run) WHERE arm = 'bag' AND key = '" + key +
             "'")
        .rows.at(0)
        .at(0);
  };
  CHECK(value("model.d_model") == 96);
  CHECK(value("model.norm") == "pre");
  CHECK(value("model.tied") == 1);
  CHECK(value("seeds") == "[1,2]");
  CHECK(value("train.epochs") == 3);
}

TEST_CASE("curves and predictions are there for whom they are named") {
  const Runs runs;
  RecordDatabase database(runs.paths, nullptr);
  CHECK(database.ask("SELECT step, value FROM Metrics WHERE split = 'dev' AND name = 'accuracy'")
            .rows == std::vector<std::vector<Json>>{{10, 0.25}, {20, 0.5}});
  CHECK(database
            .ask("SELECT avg(p.exact_match) FROM predictions p JOIN runs r USING (run) WHERE r.arm "
                 "= 'bert' AND "
                 "p.id = '6548850-0-3'")
            .rows[0][0] == 0.5);
  CHECK(database.schema().find("CREATE TABLE predictions") != std::string::npos);
}

TEST_CASE("a question changes nothing and reads no other file") {
  const Runs runs;
  RecordDatabase database(runs.paths, nullptr);
  for (const std::string sql :
       {"DELETE FROM runs", "DROP TABLE runs", "ATTACH '/tmp/x' AS x", "PRAGMA user_version = 3"})
    CHECK(message_of([&] { database.ask(sql); }) == "found another statement, expected one SELECT");
  for (const std::string sql : {"SELECT 1; DELETE FROM runs", "", " ; "})
    CHECK_THAT(message_of([&] { database.ask(sql); }), Catch::EndsWith("expected one SELECT"));
  CHECK(message_of([&] { database.ask("SELECT f2 FROM runs"); }) == "no such column: f2");
  CHECK(database.ask("SELECT count(*) FROM runs").rows[0][0] == 5);
}

TEST_CASE("a record that cannot be read is left out with a warning, or refused") {
  Runs runs;
  testing::write_bytes(runs.paths.emplace_back(runs.scratch / "damaged.h5"), "no HDF5");
  std::vector<std::string> warnings;
  RecordDatabase database(runs.paths, &warnings);
  CHECK(database.ask("SELECT count(*) FROM runs").rows[0][0] == 5);
  REQUIRE(warnings.size() == 1);
  CHECK_THAT(warnings[0], Catch::Contains("damaged.h5") && Catch::EndsWith("; left out"));
  CHECK_THROWS(RecordDatabase(runs.paths, nullptr));
}

TEST_CASE("a database file holds what was asked of the runs, for other programs") {
  const Runs runs;
  const std::string file = runs.scratch / "runs.db";
  const auto results = " --results " + single_quoted(runs.scratch / "results");
  testing::write_bytes(file, "an older file");
  CHECK(run_program("export --format sqlite --out " + single_quoted(file) + results).status == 0);
  const auto read = shell(
      "/usr/bin/python3 -c 'import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); "
      "print([c.execute(f\"SELECT "
      "count(*) FROM {t}\").fetchone()[0] for t in (\"runs\", \"metrics\", \"predictions\")])' " +
      single_quoted(file));
  CHECK(read.output == "[5, 2, 16]\n");
  CHECK(run_program("export --format sqlite --out " + single_quoted(runs.scratch / "no/runs.db") +
                    results)
            .err.find("cannot be written") != std::string::npos);
}

TEST_CASE("answers are printed as a table, CSV, JSON or Markdown") {
  const Runs runs;
  const std::string asked =
      "query 'SELECT arm, seed, exact_match AS em FROM runs WHERE arm <> \"lstm\" ORDER BY 1, 2'"
      " --results " +
      single_quoted(runs.scratch / "results");
  CHECK(run_program(asked).out == "arm   seed  em\nbag      1\nbert     1  50\nbert     2  75\n");
  CHECK(run_program(asked + " --format csv").out ==
        "arm,seed,em\nbag,1,\nbert,1,50.0\nbert,2,75.0\n");
  CHECK(Json::parse(run_program(asked + " --format json").out)[1] ==
        Json({{"arm", "bert"}, {"seed", 1}, {"em", 50.0}}));
  CHECK_THAT(run_program(asked + " --format markdown").out, Catch::StartsWith("| arm "));
  // What comes first may be nothing, too.
  const std::string first_empty =
      "query 'SELECT NULL AS a, NULL AS b, seed FROM runs WHERE arm = \"bag\"' --results " +
      single_quoted(runs.scratch / "results");
  CHECK(run_program(first_empty + " --format csv").out == "a,b,seed\n,,1\n");
  testing::check_refused("query --format json 'SELECT 1 AS a, 2 AS a'", "name them with AS");
  testing::check_refused("query", "expected one of SELECT");
}

}  // namespace
}  // namespace minibert
