#!/usr/bin/env bash
# Spreads the runs of an experiment over a Slurm cluster: one task of a job array for each arm and seed, all
# writing into one results folder that every node sees. Run from the repository's root, with build/minibert
# built. Finished runs are kept, interrupted ones go on, so it can be submitted again.
# Usage: experiments/slurm/submit.sh EXPERIMENT [options of `minibert run`…]
# Environment: AT_ONCE, the most runs at the same time (8); SBATCH_… as sbatch reads them, for instance
# SBATCH_PARTITION=gpu, SBATCH_GRES=gpu:1, SBATCH_TIMELIMIT=4:00:00; MINIBERT (build/minibert).
set -euo pipefail
(($#)) || { echo "submit.sh: found no experiment, expected: submit.sh EXPERIMENT [options]" >&2; exit 2; }
export MINIBERT="${MINIBERT:-build/minibert}"
runs="$("$MINIBERT" run "$@" --list | wc -l)"
sbatch --array="1-$runs%${AT_ONCE:-8}" --job-name="${1##*/}" "$(dirname "$0")/run.sbatch" "$@"
