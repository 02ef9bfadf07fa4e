// Stored runs as an SQL database.
#include "export/record_database.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <set>

#include "compare/sample_runs.h"
#include "core/files.h"
#include "support/edited_record.h"
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
  // A figure that a run lacks is null.
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
  RecordDatabase database(runs.paths, [&](const std::string& one) { warnings.push_back(one); });
  CHECK(database.ask("SELECT count(*) FROM runs").rows[0][0] == 5);
  REQUIRE(warnings.size() == 1);
  CHECK_THAT(warnings[0], Catch::Contains("damaged.h5") && Catch::EndsWith("; left out"));
  CHECK_THROWS(RecordDatabase(runs.paths, nullptr));
}

TEST_CASE("predictions that cannot be read are left out with a warning, their run stays") {
  const Runs runs;
  const std::string& damaged = runs.paths[0];
  testing::unseal(damaged);
  testing::edit_record(damaged, "del f['predictions/f1']; f['predictions/f1'] = [0.5]");
  std::vector<std::string> warnings;
  RecordDatabase database(runs.paths, [&](const std::string& one) { warnings.push_back(one); });
  CHECK(database.ask("SELECT count(*) FROM runs").rows[0][0] == 5);
  CHECK(warnings.empty());
  CHECK(database.ask("SELECT DISTINCT run FROM predictions ORDER BY run").rows ==
        std::vector<std::vector<Json>>{{2}, {3}, {4}});
  CHECK(database.ask("SELECT count(*) FROM predictions").rows[0][0] == 12);
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0] == damaged +
                           ": /predictions/f1: 1 values, expected one for each of 4 ids; its "
                           "predictions are left out");
  // It is an error for a run that was named.
  RecordDatabase named(runs.paths, nullptr);
  CHECK_THAT(message_of([&] { named.ask("SELECT * FROM predictions"); }),
             Catch::StartsWith(damaged + ": /predictions/f1: "));
}

TEST_CASE("a database file holds what was asked of the runs, for other programs") {
  const Runs runs;
  const std::string file = runs.scratch / "runs.db";
  const auto results = " --results " + single_quoted(runs.scratch / "results");
  testing::write_bytes(file, "an older file");
  testing::write_bytes(file + ".tmp", "another's");
  CHECK(run_program("export --format sqlite --out " + single_quoted(file) + results).status == 0);
  const auto read = shell(
      "/usr/bin/python3 -c 'import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); "
      "print([c.execute(f\"SELECT "
      "count(*) FROM {t}\").fetchone()[0] for t in (\"runs\", \"metrics\", \"predictions\")])' " +
      single_quoted(file));
  CHECK(read.output == "[5, 2, 16]\n");
  CHECK(read_file(file + ".tmp") == "another's");
  std::set<std::string> there;
  for (const auto& one : std::filesystem::directory_iterator(runs.scratch.path()))
    there.insert(one.path().filename().string());
  CHECK(there == std::set<std::string>{"results", "runs.db", "runs.db.tmp"});
  CHECK_THAT(run_program("export --format sqlite --out /proc/runs.db" + results).err,
             Catch::StartsWith("minibert: /proc/runs.db: cannot be written: "));
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
  // The first value may be missing, too.
  const std::string first_empty =
      "query 'SELECT NULL AS a, NULL AS b, seed FROM runs WHERE arm = \"bag\"' --results " +
      single_quoted(runs.scratch / "results");
  CHECK(run_program(first_empty + " --format csv").out == "a,b,seed\n,,1\n");
  testing::check_refused("query --format json 'SELECT 1 AS a, 2 AS a'", "name them with AS");
  testing::check_refused("query", "expected one of SELECT");
}

TEST_CASE("a table has all digits of a whole number, and every row on one line") {
  const Runs runs;
  const auto asked = [&](const std::string& sql, const std::string& format) {
    return run_program("query " + single_quoted(sql) + " --format " + format + " --runs " +
                       single_quoted(runs.paths[0]))
        .out;
  };
  CHECK(asked("SELECT parameters, -0.5 AS half, 1e30 AS many FROM runs", "table") ==
        "parameters  half   many\n  10541056  -0.5  1e+30\n");
  const std::string broken = "SELECT 'a' || char(10) || 'b' AS \"x|y\", 0.1234567 AS part";
  CHECK(asked(broken, "table") == "x|y       part\na\\nb  0.123457\n");
  CHECK(asked(broken, "markdown") ==
        "| x\\|y |     part |\n"
        "| ---- | -------: |\n"
        "| a\\nb | 0.123457 |\n");
  CHECK(asked(broken, "csv") == "x|y,part\n\"a\nb\",0.1234567\n");
}

}  // namespace
}  // namespace minibert
