#!/usr/bin/env bash
# A newcomer's way, from a clone to a guess in the page; each step uses what the step before it made. About two minutes
# of training besides installing and building. Run from the repository's root; its last commit is what is cloned.
set -euo pipefail
root="$PWD"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
context="세종대왕은 조선의 제4대 국왕이다. 1418년에 즉위하여 1450년까지 재위하였다."
question="세종대왕은 언제 즉위하였는가?"

done_with() { echo "walk: $1 ($SECONDS s)"; }
fail() { echo "walk: $1" >&2; exit 1; }

git clone -q --depth 1 "file://$root" "$work/minibert"
cd "$work/minibert"
unset BUILD MINIBERT_PROGRAM
done_with clone

make experiment NAME=korquad_lstm_vs_bert PROFILE=quick SEEDS=1 \
  ARGS="--arms lstm,bert_1m_cloze --quiet --set arms[lstm].train.max_steps=20 --set arms[bert_1m_cloze].train.max_steps=60" \
  >"$work/table"
for arm in lstm bert_1m_cloze; do
  grep -q "$arm" "$work/table" || fail "experiment: found no $arm in the table: $(cat "$work/table")"
done
record=results/korquad_lstm_vs_bert/quick/bert_1m_cloze-s1.h5
done_with experiment

make compare NAME=korquad_lstm_vs_bert PROFILE=quick FORMAT=json >"$work/compared.json"
python3 - "$work/compared.json" <<'END'
import json, sys
text = open(sys.argv[1]).read()
assert json.loads(text) and "lstm" in text and "bert_1m_cloze" in text, text
END
done_with compare

make report NAME=korquad_lstm_vs_bert PROFILE=quick >"$work/report.out"
grep -q "<title>minibert report" results/korquad_lstm_vs_bert/report.html || fail "report: found no report in the page"
done_with report

/usr/bin/python3 - "$record" <<'END'
import h5py, sys
run = h5py.File(sys.argv[1])
assert run.attrs["status"] == "finished", run.attrs["status"]
assert run["weights"] and len(run["predictions/id"]) > 1000 and run["summary"].attrs["f1"] > 0
END
done_with "the record in h5py"

build/minibert export --run "$record" --no-check --out "$work/model.mbq"
(($(stat -c %s "$work/model.mbq") < 3000000)) || fail "export: found $(stat -c %s "$work/model.mbq") bytes, expected int8"
done_with "int8 export"

make try >"$work/tried"
build/engine/minibert-ask --json "$work/model.mbq" "$question" "$context" >"$work/asked.json"
done_with minibert-ask

make demo-build
.setup/npm.sh tests/web
cat >tests/web/walk.mjs <<'END'
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { serve } from '../../wasm_demo/serve.mjs';
import { launch, open, started } from './browser.mjs';

const [model, asked, question, context] = process.argv.slice(2);
const server = await serve('build/demo');
const browser = await launch();
const page = await started(await open(browser, server.url));
const { answers } = await page.evaluate(async ([bytes, q, t]) => {
  await window.minibert.load(Uint8Array.from(bytes));
  return window.minibert.answer(q, t);
}, [[...readFileSync(model)], question, context]);
await browser.close();
server.close();
const [native] = JSON.parse(readFileSync(asked, 'utf8')).answers;
assert.equal(answers[0].text, native.text);
assert.ok(Math.abs(answers[0].probability - native.probability) < 1e-4);
END
node tests/web/walk.mjs "$work/model.mbq" "$work/asked.json" "$question" "$context"
done_with "a guess in the page, as minibert-ask gives it"
