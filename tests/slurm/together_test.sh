#!/usr/bin/env bash
# One run made by two tasks of a Slurm job on a cluster of one node (cluster.sh): it ends finished, with the losses
# of the same run made by one process.
# Environment: MINIBERT_PROGRAM. Run from the repository's root.
set -euo pipefail
source "$(dirname "$0")/cluster.sh"

cat >"$dir/together.json" <<'JSON'
{"task": "korquad", "name": "together", "data": ["sample"],
 "tokenizer": {"data": ["sample"], "vocab_size": 1500},
 "features": {"max_length": 128, "max_question": 32, "stride": 64},
 "arms": [
  {"name": "bert", "model": {"kind": "bert", "d_model": 32, "n_heads": 2, "d_ff": 64, "n_layers": 1,
   "max_positions": 128, "embedding_size": 16, "dropout": 0},
   "train": {"epochs": 2, "batch_size": 16, "log_every": 1}}],
 "seeds": [1], "profiles": {"quick": {}}}
JSON
export MINIBERT="$MINIBERT_PROGRAM" GLOO_SOCKET_IFNAME=lo
options=(--profile quick --precision fp32)
"$MINIBERT" run "$dir/together.json" "${options[@]}" --threads 1 --no-fetch --quiet --results "$dir/alone" >/dev/null
sbatch --nodes=1 --ntasks-per-node=2 --output="$dir/together.log" experiments/slurm/run_together.sbatch \
  "$dir/together.json" "${options[@]}" --only 1 --results "$dir/two"
wait_for 300 bash -c '[[ -z "$(squeue -h)" ]]'

record=together/quick/bert-s1.h5
[[ -e "$dir/two/$record" ]] || { echo "missing: $dir/two/$record"; exit 1; }
"$MINIBERT" verify "$dir/two/$record"
steps="$(/usr/bin/python3 - "$dir/alone/$record" "$dir/two/$record" <<'PYTHON'
import sys
import h5py
alone, two = (h5py.File(name)["metrics/train/loss/value"][()] for name in sys.argv[1:])
assert len(alone) == len(two) > 4, f"found {len(alone)} and {len(two)} losses, expected as many"
assert (abs(alone - two) < 1e-3 * alone).all(), f"found {alone} and {two}, expected the same"
print(len(two))
PYTHON
)"
echo "All tests passed (one run by two tasks of a Slurm job, $steps steps)"
