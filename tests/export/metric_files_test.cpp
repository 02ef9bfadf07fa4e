// Metrics in the forms of other tools, read by programs that know nothing of ours.
#include "export/metric_files.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/files.h"
#include "support/program.h"
#include "support/sample_record.h"
#include "support/scratch.h"
#include "support/shell.h"

using namespace minibert;
using namespace minibert::testing;
using nlohmann::json;

namespace {

// Event files by their specification alone: TFRecord framing with its checksums, protobuf fields.
constexpr char kReader[] = R"(
import json, struct, sys

def crc32c(data):
    crc = 0xffffffff
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82f63b78 if crc & 1 else 0)
    return crc ^ 0xffffffff

def masked(data):
    crc = crc32c(data)
    return ((crc >> 15 | crc << 17) + 0xa282ead8) & 0xffffffff

assert crc32c(b"123456789") == 0xe3069283

def records(data):
    at = 0
    while at < len(data):
        size, = struct.unpack_from("<Q", data, at)
        assert struct.unpack_from("<I", data, at + 8)[0] == masked(data[at:at + 8])
        body = data[at + 12:at + 12 + size]
        assert struct.unpack_from("<I", data, at + 12 + size)[0] == masked(body)
        yield body
        at += 16 + size

def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at

def fields(data):
    at, out = 0, {}
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 1:
            value, at = struct.unpack_from("<d", data, at)[0], at + 8
        elif key & 7 == 5:
            value, at = struct.unpack_from("<f", data, at)[0], at + 4
        else:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        out[key >> 3] = value
    return out

events = [fields(record) for record in records(open(sys.argv[1], "rb").read())]
assert events[0][3] == b"brain.Event:2"
out = {}
for event in events[1:]:
    value = fields(fields(event[5])[1])
    number = value[2]
    out.setdefault(value[1].decode(), []).append([event[1], event.get(2, 0), None if number != number else number])
print(json.dumps(out))
)";

}  // namespace

TEST_CASE("an independent reader finds every metric in TensorBoard's event file") {
  const Scratch scratch;
  RunRecord record = sample_record();
  record.status = "finished";
  record.finished = "2026-11-20T22:31:35Z";  // 30 seconds after the start, 30 steps
  write_bytes(scratch / "events", tensorboard_events(record));
  write_bytes(scratch / "read.py", kReader);
  const ShellResult result = shell("/usr/bin/python3 " + single_quoted(scratch / "read.py") + " " +
                                   single_quoted(scratch / "events"));
  INFO(result.output);
  REQUIRE(result.status == 0);
  const json events = json::parse(result.output);
  const double start = 1795213865;  // 2026-11-20T22:31:05Z
  CHECK(events.at("train/loss") ==
        json({{start + 10, 10, 9.5}, {start + 20, 20, 7.25}, {start + 30, 30, nullptr}}));
  CHECK(events.at("dev/f1") == json({{start + 20, 20, 41.5}}));
  CHECK(events.at("summary/exact_match") == json({{start + 30, 30, 33.125}}));
  CHECK(events.size() == 2 + record.summary.size());
}

TEST_CASE("CSV has a line a value, JSON everything but weights") {
  RunRecord record = sample_record();
  record.arm = "a, \"b\"";
  CHECK(metrics_csv(record) ==
        "experiment,profile,arm,seed,split,metric,step,value\n"
        "korquad_lstm_vs_bert,quick,\"a, \"\"b\"\"\",7,dev,f1,20,41.5\n"
        "korquad_lstm_vs_bert,quick,\"a, \"\"b\"\"\",7,train,loss,10,9.5\n"
        "korquad_lstm_vs_bert,quick,\"a, \"\"b\"\"\",7,train,loss,20,7.25\n"
        "korquad_lstm_vs_bert,quick,\"a, \"\"b\"\"\",7,train,loss,30,nan\n"
        "korquad_lstm_vs_bert,quick,\"a, \"\"b\"\"\",7,summary,exact_match,,33.125\n"
        "korquad_lstm_vs_bert,quick,\"a, \"\"b\"\"\",7,summary,f1,,41.5\n"
        "korquad_lstm_vs_bert,quick,\"a, \"\"b\"\"\",7,summary,parameters,,12.0\n"
        "korquad_lstm_vs_bert,quick,\"a, \"\"b\"\"\",7,summary,questions,,3.0\n");
}

TEST_CASE("export --format writes them from a record") {
  const Scratch scratch;
  const std::string run = scratch / "a.h5";
  save_record(sample_record(), run);
  const RunRecord record = load_record(run);
  for (const auto& [format, expected] :
       {std::pair<std::string, std::string>("csv", metrics_csv(record)),
        {"tensorboard", tensorboard_events(record)}}) {
    INFO(format);
    const std::string out = scratch / "out.tfevents.1";
    const auto result =
        run_program("export --run " + run + " --format " + format + " --out " + out);
    CHECK(result.status == 0);
    CHECK(read_file(out) == expected);
  }
  // TensorBoard passes over files of other names without a word.
  const auto unseen = run_program("export --run " + run + " --format tensorboard --out " +
                                  scratch / "tfevents" + "/curves");
  CHECK(unseen.status == 2);
  CHECK_THAT(unseen.err, Catch::Contains("expected a file's name with tfevents"));
  CHECK(run_program("export --run " + run + " --format png --out " + scratch / "out").status == 2);
}
