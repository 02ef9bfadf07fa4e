# Read by the tests of this folder: starts a Slurm cluster of one node, in $dir, and stops it at the end. Needs
# root (munged, slurmctld, slurmd). Exits 77 (skipped) where Slurm is not installed or this is not root.
for program in munged slurmctld slurmd sbatch squeue h5diff; do
  command -v "$program" >/dev/null || { echo "skipped: $program is not installed"; exit 77; }
done
[[ "$(id -u)" == 0 ]] || { echo "skipped: the daemons need root"; exit 77; }

dir="$(mktemp -d)"
finish() {
  status=$?
  for daemon in slurmd slurmctld munged; do
    [[ -e "$dir/$daemon.pid" ]] && kill "$(cat "$dir/$daemon.pid")" 2>/dev/null
  done
  [[ "$status" == 0 ]] || tail -n 20 "$dir"/*.log
  # The daemons write while they end.
  for _ in {1..20}; do rm -rf "$dir" 2>/dev/null && break || sleep 0.5; done
}
trap finish EXIT
wait_for() {  # SECONDS COMMAND…
  local left=$1
  shift
  until "$@" >/dev/null 2>&1; do
    ((left-- > 0)) || { echo "timed out: $*"; exit 1; }
    sleep 1
  done
}

node="$(hostname -s)"
mkdir "$dir/state" "$dir/spool"
head -c 1024 /dev/urandom >"$dir/munge.key"
chmod 600 "$dir/munge.key"
cat >"$dir/slurm.conf" <<CONF
ClusterName=minibert
SlurmctldHost=$node(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$dir/munge.socket
CredType=cred/munge
SlurmctldPort=36817
SlurmdPort=36818
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
NodeName=$node NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF="$dir/slurm.conf"
munged --force --key-file="$dir/munge.key" --socket="$dir/munge.socket" --pid-file="$dir/munged.pid" \
  --log-file="$dir/munged.log" --seed-file="$dir/munge.seed"
slurmctld
slurmd
wait_for 60 bash -c "sinfo -h -o %t | grep -q idle"
