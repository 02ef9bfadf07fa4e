#!/usr/bin/env bash
# A job array on a Slurm cluster of one node (cluster.sh): its four runs end finished and with the weights of the
# same runs made one after the other.
# Environment: MINIBERT_PROGRAM. Run from the repository's root.
set -euo pipefail
source "$(dirname "$0")/cluster.sh"

cat >"$dir/array.json" <<'JSON'
{"task": "korquad", "name": "array", "data": ["sample"],
 "tokenizer": {"data": ["sample"], "vocab_size": 1500},
 "features": {"max_length": 128, "max_question": 32, "stride": 64},
 "arms": [
  {"name": "lstm", "model": {"kind": "lstm", "d_model": 16}, "train": {"epochs": 1, "batch_size": 16}},
  {"name": "bert", "model": {"kind": "bert", "d_model": 32, "n_heads": 2, "d_ff": 64, "n_layers": 1,
   "max_positions": 128, "embedding_size": 16}, "train": {"epochs": 1, "batch_size": 16}}],
 "seeds": [1, 2], "profiles": {"quick": {}}}
JSON
export MINIBERT="$MINIBERT_PROGRAM"
"$MINIBERT" run "$dir/array.json" --profile quick --threads 1 --no-fetch --quiet --results "$dir/alone" >/dev/null
(export SBATCH_OUTPUT="$dir/%x-%a.log"
 experiments/slurm/submit.sh "$dir/array.json" --profile quick --results "$dir/spread")
wait_for 300 bash -c '[[ -z "$(squeue -h)" ]]'

runs=0
while read -r record; do
  other="$dir/spread/${record#"$dir/alone/"}"
  [[ -e "$other" ]] || { echo "missing: $other"; exit 1; }
  h5diff "$record" "$other" /weights || { echo "other weights: $other"; exit 1; }
  "$MINIBERT" verify "$other"
  runs=$((runs + 1))
done < <(find "$dir/alone" -name '*.h5')
[[ "$runs" == 4 ]] || { echo "found $runs runs, expected 4"; exit 1; }
echo "All tests passed (4 runs of a Slurm job array)"
