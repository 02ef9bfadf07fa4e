#include "export/record_database.h"

#include <sqlite3.h>

#include <algorithm>
#include <new>
#include <set>
#include <utility>

#include "core/error.h"
#include "core/files.h"
#include "core/h5.h"
#include "record/record_folder.h"

namespace minibert {
namespace {

constexpr const char* kRunColumns[] = {"run",  "path",   "folder",  "experiment", "profile", "arm",
                                       "seed", "status", "started", "finished",   "ended_by"};

std::string quoted(const std::string& name) {
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

[[noreturn]] void fail(sqlite3* database) {
  if (sqlite3_errcode(database) == SQLITE_NOMEM) throw std::bad_alloc();
  throw usage_error(sqlite3_errcode(database) == SQLITE_AUTH
                        ? "found another statement, expected one SELECT"
                        : sqlite3_errmsg(database));
}

class Statement {
 public:
  Statement(sqlite3* database, const std::string& sql) : database_(database) {
    if (sqlite3_prepare_v2(database, sql.c_str(), static_cast<int>(sql.size()) + 1, &statement_,
                           &rest_) != SQLITE_OK)
      fail(database);
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  sqlite3_stmt* get() { return statement_; }
  // The text behind the statement.
  std::string rest() const { return rest_; }
  void bind(int at, const std::string& text) {
    bound(sqlite3_bind_text(statement_, at, text.data(), static_cast<int>(text.size()),
                            SQLITE_TRANSIENT));
  }
  void bind(int at, double number) { bound(sqlite3_bind_double(statement_, at, number)); }
  void bind(int at, int64_t number) { bound(sqlite3_bind_int64(statement_, at, number)); }
  // True for a row.
  bool step() {
    const int result = sqlite3_step(statement_);
    if (result != SQLITE_ROW && result != SQLITE_DONE) fail(database_);
    return result == SQLITE_ROW;
  }
  // Runs the statement with its bound values, and resets it for the next row.
  void insert() {
    step();
    sqlite3_reset(statement_);
    sqlite3_clear_bindings(statement_);
  }

 private:
  // Else a value would be stored as none.
  void bound(int result) {
    if (result != SQLITE_OK) fail(database_);
  }

  sqlite3* database_;
  sqlite3_stmt* statement_ = nullptr;
  const char* rest_ = nullptr;
};

void bind_json(Statement& statement, int at, const nlohmann::json& value) {
  if (value.is_boolean())
    statement.bind(at, static_cast<int64_t>(value.get<bool>()));
  else if (value.is_number_integer())
    statement.bind(at, value.get<int64_t>());
  else if (value.is_number())
    statement.bind(at, value.get<double>());
  else if (!value.is_null())
    statement.bind(at, value.is_string() ? value.get<std::string>() : value.dump());
}

// A row for every value that is no object, by its path.
void insert_values(Statement& insert, int64_t run, const std::string& path,
                   const nlohmann::json& json) {
  if (json.is_object()) {
    for (const auto& [key, value] : json.items())
      insert_values(insert, run, path.empty() ? key : path + "." + key, value);
    return;
  }
  insert.bind(1, run);
  insert.bind(2, path);
  bind_json(insert, 3, json);
  insert.insert();
}

// Merges the arm's own keys with those of the experiment.
nlohmann::json config_of(const RunRecord& record) {
  nlohmann::json config = record.config;
  const auto arms = config.find("arms");
  if (arms == config.end() || !arms->is_array() || arms->size() != 1 || !arms->front().is_object())
    return config;
  for (const auto& [key, value] : arms->front().items())
    if (!config.contains(key)) config[key] = value;
  config.erase("arms");
  return config;
}

// Returns true if an SQL text names the table.
bool names(std::string sql, const std::string& table) {
  std::ranges::transform(sql, sql.begin(), [](unsigned char c) { return std::tolower(c); });
  return sql.find(table) != std::string::npos;
}

nlohmann::json value_at(sqlite3_stmt* row, int column) {
  switch (sqlite3_column_type(row, column)) {
    case SQLITE_NULL:
      return nullptr;
    case SQLITE_INTEGER:
      return sqlite3_column_int64(row, column);
    case SQLITE_FLOAT:
      return sqlite3_column_double(row, column);
    default: {
      const unsigned char* text = sqlite3_column_text(row, column);
      if (text == nullptr) throw std::bad_alloc();
      return std::string(reinterpret_cast<const char*>(text),
                         static_cast<size_t>(sqlite3_column_bytes(row, column)));
    }
  }
}

// Questions read: nothing of theirs touches a file.
int only_reading(void*, int action, const char*, const char*, const char*, const char*) {
  return action == SQLITE_SELECT || action == SQLITE_READ || action == SQLITE_FUNCTION ||
                 action == SQLITE_RECURSIVE
             ? SQLITE_OK
             : SQLITE_DENY;
}

}  // namespace

RecordDatabase::RecordDatabase(const std::vector<std::string>& records, Warn warn)
    : warn_(std::move(warn)) {
  std::vector<LoadedRecord> loaded = load_records(records, Load::summary);
  for (size_t i = 0; i < records.size(); ++i) {
    auto& [record, error] = loaded[i];
    if (error && !warn_) throw *error;
    if (error)
      warn_(std::string(error->what()) + "; left out");
    else
      runs_.push_back({records[i], std::move(record)});
  }
  if (sqlite3_open(":memory:", &database_) != SQLITE_OK) throw std::bad_alloc();
  make_tables();
}

RecordDatabase::~RecordDatabase() { sqlite3_close(database_); }

void RecordDatabase::run_sql(const std::string& sql) {
  if (sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail(database_);
}

void RecordDatabase::make_tables() {
  const std::set<std::string> own(std::begin(kRunColumns), std::end(kRunColumns));
  std::set<std::string> figures;
  for (const auto& [path, record] : runs_)
    for (const auto& [name, value] : record.summary)
      if (!own.contains(name)) figures.insert(name);

  std::string columns =
      "run INTEGER PRIMARY KEY, path TEXT, folder TEXT, experiment TEXT, profile TEXT, arm TEXT, "
      "seed INTEGER, "
      "status "
      "TEXT, started TEXT, finished TEXT, ended_by TEXT";
  std::string places = "?,?,?,?,?,?,?,?,?,?,?";
  for (const std::string& name : figures) {
    columns += ", " + quoted(name) + " REAL";
    places += ",?";
  }
  run_sql("BEGIN");
  run_sql("CREATE TABLE runs (" + columns + ")");
  for (const char* table : {"config", "environment", "data"})
    run_sql("CREATE TABLE " + std::string(table) +
            " (run INTEGER REFERENCES runs, key TEXT, value)");
  run_sql(
      "CREATE TABLE metrics (run INTEGER REFERENCES runs, split TEXT, name TEXT, step INTEGER, "
      "value REAL)");
  run_sql("CREATE TABLE predictions (run INTEGER REFERENCES runs, id TEXT)");

  Statement insert(database_, "INSERT INTO runs VALUES (" + places + ")");
  Statement config(database_, "INSERT INTO config VALUES (?,?,?)");
  Statement environment(database_, "INSERT INTO environment VALUES (?,?,?)");
  Statement data(database_, "INSERT INTO data VALUES (?,?,?)");
  for (size_t i = 0; i < runs_.size(); ++i) {
    const auto& [path, record] = runs_[i];
    const auto run = static_cast<int64_t>(i + 1);
    int at = 0;
    insert.bind(++at, run);
    for (const std::string& text :
         {path, record_folder(path), record.experiment, record.profile, record.arm})
      insert.bind(++at, text);
    insert.bind(++at, record.seed);
    for (const std::string& text :
         {record.status, record.started, record.finished, record.ended_by})
      insert.bind(++at, text);
    for (const std::string& name : figures) {
      ++at;
      const auto found = record.summary.find(name);
      if (found != record.summary.end()) insert.bind(at, found->second);
    }
    insert.insert();
    insert_values(config, run, "", config_of(record));
    insert_values(environment, run, "", record.environment);
    insert_values(data, run, "", record.data);
  }
  run_sql("COMMIT");
}

void RecordDatabase::fill_metrics() {
  if (std::exchange(has_metrics_, true)) return;
  run_sql("BEGIN");
  Statement insert(database_, "INSERT INTO metrics VALUES (?,?,?,?,?)");
  for (size_t i = 0; i < runs_.size(); ++i)
    for (const auto& [key, series] : runs_[i].record.metrics) {
      const size_t slash = key.find('/');
      for (size_t point = 0; point < series.value.size(); ++point) {
        insert.bind(1, static_cast<int64_t>(i + 1));
        insert.bind(2, key.substr(0, slash));
        insert.bind(3, key.substr(slash + 1));
        insert.bind(4, series.step[point]);
        insert.bind(5, series.value[point]);
        insert.insert();
      }
    }
  run_sql("COMMIT");
}

std::optional<Predictions> RecordDatabase::predictions_of(const Run& run) const {
  try {
    return load_record(run.path, Load::predictions).predictions;
  } catch (const h5::MemoryError&) {
    throw;  // a run's are not left out for that
  } catch (const Error& error) {
    if (!warn_) throw;
    warn_(std::string(error.what()) + "; its predictions are left out");
    return std::nullopt;
  }
}

void RecordDatabase::fill_predictions() {
  if (std::exchange(has_predictions_, true)) return;
  std::set<std::string> known = {"run", "id"};
  run_sql("BEGIN");
  for (size_t i = 0; i < runs_.size(); ++i) {
    const std::optional<Predictions> loaded = predictions_of(runs_[i]);
    if (!loaded) continue;
    std::string columns = "run, id", places = "?,?";
    const auto add = [&](const std::string& name, const char* type) {
      if (known.insert(name).second)
        run_sql("ALTER TABLE predictions ADD COLUMN " + quoted(name) + " " + type);
      columns += ", " + quoted(name);
      places += ",?";
    };
    for (const auto& [name, column] : loaded->texts) add(name, "");
    for (const auto& [name, column] : loaded->numbers) add(name, "");
    Statement insert(database_,
                     "INSERT INTO predictions (" + columns + ") VALUES (" + places + ")");
    for (size_t row = 0; row < loaded->id.size(); ++row) {
      int at = 0;
      insert.bind(++at, static_cast<int64_t>(i + 1));
      insert.bind(++at, loaded->id[row]);
      for (const auto& [name, column] : loaded->texts) insert.bind(++at, column[row]);
      for (const auto& [name, column] : loaded->numbers) insert.bind(++at, column[row]);
      insert.insert();
    }
  }
  run_sql("COMMIT");
}

QueryAnswer RecordDatabase::ask(const std::string& sql) {
  // They are large: read only for whom they are meant.
  if (names(sql, "metrics")) fill_metrics();
  if (names(sql, "predictions")) fill_predictions();
  sqlite3_set_authorizer(database_, only_reading, nullptr);
  Statement statement(database_, sql);
  sqlite3_set_authorizer(database_, nullptr, nullptr);
  if (statement.get() == nullptr ||
      statement.rest().find_first_not_of(" \t\r\n;") != std::string::npos)
    throw usage_error("found \"" + sql + "\", expected one SELECT");
  QueryAnswer answer;
  const int columns = sqlite3_column_count(statement.get());
  for (int column = 0; column < columns; ++column)
    answer.columns.emplace_back(sqlite3_column_name(statement.get(), column));
  while (statement.step()) {
    auto& row = answer.rows.emplace_back();
    for (int column = 0; column < columns; ++column)
      row.push_back(value_at(statement.get(), column));
  }
  return answer;
}

std::string RecordDatabase::schema() {
  fill_predictions();
  std::string text;
  for (const auto& row : ask("SELECT sql FROM sqlite_master WHERE type = 'table'").rows)
    text += row[0].get<std::string>() + "\n";
  return text;
}

void RecordDatabase::write(const std::string& path) {
  fill_metrics();
  fill_predictions();
  replace_users_file(path, [&](const std::string& temporary) {
    try {
      Statement copy(database_, "VACUUM INTO ?");
      copy.bind(1, temporary);
      copy.step();
    } catch (const Error& error) {
      throw Error(path + ": cannot be written: " + error.what());
    }
  });
}

}  // namespace minibert
