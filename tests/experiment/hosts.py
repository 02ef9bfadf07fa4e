#!/usr/bin/env python3
"""One run made by several hosts whose network is slow, loses packets, is cut, or whose hosts die.

Each host is a process with a network, a name and a table of names of its own (Linux namespaces; root, or user
namespaces, and /dev/net/tun). Their packets go through this program, which delays and drops them. It prints a line of
JSON for each case and ends with status 1 where one is not as it must be, with 77 where the kernel has no such
namespaces. Usage: tests/experiment/hosts.py PROGRAM [CASE…]
"""

import array
import ctypes
import fcntl
import heapq
import json
import os
import random
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

import h5py
import numpy

CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWNET = 0x20000, 0x4000000, 0x40000000
TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x1, 0x1000
MTU = 9000
TIMEOUT = 15  # seconds after which a silent host is lost (MINIBERT_TIMEOUT)


def address(host):
    return f"10.77.0.{host + 1}"


def name(host):
    return f"host{host + 1}"


def run(*words):
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


class Host:
    """A process that holds the namespaces of one host, and the file through which its packets come and go."""

    def __init__(self, number, names_file):
        ours, its = socket.socketpair()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                self._live(number, names_file, its)
            except BaseException as error:  # told to the parent as a message without a file
                its.send(str(error).encode() or b"?")
            os._exit(1)
        its.close()
        message, parts, _, _ = ours.recvmsg(500, socket.CMSG_SPACE(4))
        if not parts:
            raise OSError(message.decode())
        self.link = array.array("i", parts[0][2])[0]
        os.set_blocking(self.link, False)

    @staticmethod
    def _live(number, names_file, parent):
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.unshare(CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWNET) != 0:
            raise OSError(f"no namespaces: {os.strerror(ctypes.get_errno())}")
        run("mount", "--make-rprivate", "/")
        run("mount", "--bind", names_file, "/etc/hosts")
        socket.sethostname(name(number))
        link = os.open("/dev/net/tun", os.O_RDWR)
        fcntl.ioctl(link, TUNSETIFF, struct.pack("16sH", b"net0", IFF_TUN | IFF_NO_PI))
        run("ip", "link", "set", "lo", "up")
        run("ip", "address", "add", address(number) + "/24", "dev", "net0")
        run("ip", "link", "set", "dev", "net0", "mtu", str(MTU), "up")
        parent.sendmsg([b"up"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [link]))])
        os.close(link)
        while True:
            signal.pause()

    def start(self, words, environment, output):
        return subprocess.Popen(
            ["nsenter", f"--target={self.pid}", "--net", "--uts", "--mount", f"--wd={os.getcwd()}", *words],
            env={**os.environ, **environment}, stdout=output, stderr=output, start_new_session=True)

    def end(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.link)


class Network(threading.Thread):
    """Carries packets between hosts: each is lost with a probability, or arrives `delay` seconds later."""

    def __init__(self, hosts, delay, loss):
        super().__init__(daemon=True)
        self.hosts, self.delay, self.loss = hosts, delay, loss
        self.cut = set()  # hosts whose packets go nowhere
        self.bytes = 0
        self.dropped = 0
        self.over = False
        self.start()

    def run(self):
        by_link = {host.link: number for number, host in enumerate(self.hosts)}
        dice = random.Random(1)
        waiting, count = [], 0
        while not self.over:
            until = max(0, waiting[0][0] - time.monotonic()) if waiting else 0.1
            ready, _, _ = select.select(list(by_link), [], [], until)
            for link in ready:
                try:
                    packet = os.read(link, MTU + 100)
                except BlockingIOError:
                    continue
                if packet[0] >> 4 != 4:
                    continue  # IPv6's greetings
                to, source = packet[19] - 1, by_link[link]
                if not 0 <= to < len(self.hosts):
                    continue
                self.bytes += len(packet)
                if source in self.cut or to in self.cut or dice.random() < self.loss:
                    self.dropped += 1
                    continue
                heapq.heappush(waiting, (time.monotonic() + self.delay, count, to, packet))
                count += 1
            while waiting and waiting[0][0] <= time.monotonic():
                _, _, to, packet = heapq.heappop(waiting)
                try:
                    os.write(self.hosts[to].link, packet)
                except OSError:
                    self.dropped += 1  # its queue is full, or it is gone


EXPERIMENT = {
    "name": "hosts", "task": "pretrain", "data": ["sample"], "tokenizer": {"data": ["sample"], "vocab_size": 1500},
    "instances": {"sequence_length": 64, "dev_limit": 20}, "seeds": [1], "profiles": {"quick": {}},
    "arms": [{
        "name": "bert",
        "model": {"kind": "bert", "d_model": 64, "n_heads": 2, "d_ff": 128, "n_layers": 2, "dropout": 0.1,
                  "max_positions": 64, "embedding_size": 32, "mlm_bias": True},
        "train": {"epochs": 6, "batch_size": 16, "log_every": 5, "schedule": "cosine", "warmup": 0.1, "clip_norm": 1.0,
                  "optimizer": {"type": "adamw", "weight_decay": 0.01}}}]}


class Case:
    def __init__(self, program, folder, hosts, delay=0.0, loss=0.0):
        self.program, self.folder, self.count = os.path.abspath(program), folder, hosts
        names = os.path.join(folder, "names")
        with open(names, "w", encoding="utf-8") as file:
            file.write("127.0.0.1 localhost\n" + "".join(f"{address(i)} {name(i)}\n" for i in range(hosts)))
        self.hosts = []
        try:
            for number in range(hosts):
                self.hosts.append(Host(number, names))
        except OSError as error:
            self.close()
            print(f"hosts.py: skipped: {error}", file=sys.stderr)
            sys.exit(77)
        self.network = Network(self.hosts, delay, loss)

    def close(self):
        if hasattr(self, "network"):
            self.network.over = True
            self.network.join()
        for host in self.hosts:
            host.end()

    def record(self, results):
        return os.path.join(self.folder, results, "hosts", "quick", "bert-s1.h5")

    def begin(self, results, port):
        """Starts the run on every host. Gives the processes and the files of what they say."""
        words = [self.program, "run", os.path.join(self.folder, "hosts.json"), "--profile", "quick", "--threads", "1",
                 "--precision", "fp32", "--no-fetch", "--checkpoint-seconds", "0.2", "--results",
                 os.path.join(self.folder, results)]
        processes, said = [], []
        for rank, host in enumerate(self.hosts):
            said.append(os.path.join(self.folder, f"{results}-{port}-{rank}.txt"))
            with open(said[-1], "wb") as output:
                processes.append(host.start(words, {
                    "WORLD_SIZE": str(self.count), "RANK": str(rank), "LOCAL_RANK": "0", "MASTER_ADDR": name(0),
                    "MASTER_PORT": str(port), "MINIBERT_TIMEOUT": str(TIMEOUT)}, output))
        return processes, said

    def wait_for_checkpoint(self, results, processes):
        """Until the record has a state to go on from."""
        path = self.record(results)
        while all(process.poll() is None for process in processes):
            try:
                with h5py.File(path, "r") as file:
                    if "resume" in file:
                        return
            except OSError:
                pass
            time.sleep(0.02)

    def finish(self, processes, said):
        """Gives the statuses and what was said, the last line of each host."""
        statuses, lines = [], []
        for process, path in zip(processes, said):
            statuses.append(process.wait())
            with open(path, encoding="utf-8", errors="replace") as file:
                text = file.read().strip()
            lines.append(text.splitlines()[-1] if text else "")
        return statuses, lines


def curve(path):
    with h5py.File(path, "r") as file:
        status = file.attrs["status"]
        status = status.decode() if isinstance(status, bytes) else str(status)
        loss = {key: file["metrics"][key]["mlm_loss"]["value"][:] for key in ("train", "dev")}
        return status, loss, float(file["summary"].attrs.get("train_seconds", 0)), int(
            file["summary"].attrs.get("steps", 0))


def same(left, right, tolerance):
    """Whether two finished runs have the same losses, but for a relative difference."""
    (one, a, _, _), (other, b, _, _) = left, right
    return one == other == "finished" and all(
        len(a[key]) == len(b[key]) and numpy.allclose(a[key], b[key], rtol=tolerance, atol=0) for key in a)


# The sums of several hosts are rounded otherwise than one's.
ROUNDING = 1e-3


def link_case(hosts, delay, loss):
    def case(program, folder, alone):
        case = Case(program, folder, hosts, delay, loss)
        try:
            statuses, said = case.finish(*case.begin("all", 29500))
            good = statuses == [0] * hosts
            result = {"statuses": statuses, "said": said} if not good else {}
            if good:
                ours = curve(case.record("all"))
                good = same(ours, alone, ROUNDING)
                result = {"ms_per_step": round(1000 * ours[2] / ours[3], 1),
                          "alone_ms_per_step": round(1000 * alone[2] / alone[3], 1),
                          "kB_per_step": round(case.network.bytes / ours[3] / 1000, 1),
                          "packets_lost": case.network.dropped}
            return good, {"hosts": hosts, "delay_ms": 1000 * delay, "loss": loss, **result}
        finally:
            case.close()
    return case


def short_cut(program, folder, alone):
    case = Case(program, folder, 2, 0.001)
    try:
        processes, said = case.begin("all", 29500)
        case.wait_for_checkpoint("all", processes)
        case.network.cut = {1}
        time.sleep(3)
        case.network.cut = set()
        statuses, lines = case.finish(processes, said)
        good = statuses == [0, 0] and same(curve(case.record("all")), alone, ROUNDING)
        return good, {"hosts": 2, "cut_seconds": 3, **({} if good else {"said": lines})}
    finally:
        case.close()


def lost_case(hosts, lose):
    """A host is lost for good: the others name it and end; with it back, the same command goes on."""
    def case(program, folder, alone):
        case = Case(program, folder, hosts, 0.001)
        lost = hosts - 1
        try:
            processes, said = case.begin("all", 29500)
            case.wait_for_checkpoint("all", processes)
            begun = time.monotonic()
            lose(case, processes, lost)
            statuses, lines = case.finish(processes, said)
            seconds = time.monotonic() - begun
            told = [f"rank {lost} ({name(lost)}, process" in line and "is lost" in line for line in lines[:lost]]
            good = all(told) and all(status == 1 for status in statuses[:lost])
            case.network.cut = set()
            statuses, again = case.finish(*case.begin("all", 29501))
            good = good and statuses == [0] * hosts and same(curve(case.record("all")), alone, ROUNDING)
            return good, {"hosts": hosts, "told_after_seconds": round(seconds, 1), "told": lines[0],
                          **({} if good else {"said": lines, "again": again})}
        finally:
            case.close()
    return case


def cut_for_good(case, processes, lost):
    del processes
    case.network.cut = {lost}


def kill(case, processes, lost):
    del case
    os.killpg(processes[lost].pid, signal.SIGKILL)


CASES = {
    "two hosts": link_case(2, 0, 0),
    "two hosts, slow and lossy": link_case(2, 0.01, 0.01),
    "four hosts, slow and lossy": link_case(4, 0.005, 0.005),
    "a link that is cut and mended": short_cut,
    "a link that is cut for good": lost_case(2, cut_for_good),
    "a host of two that dies and comes back": lost_case(2, kill),
    "a host of four that dies and comes back": lost_case(4, kill),
}


def main():
    program, chosen = sys.argv[1], sys.argv[2:] or list(CASES)
    failed = 0
    with tempfile.TemporaryDirectory() as top:
        experiment = os.path.join(top, "hosts.json")
        with open(experiment, "w", encoding="utf-8") as file:
            json.dump(EXPERIMENT, file)
        subprocess.run([program, "run", experiment, "--profile", "quick", "--threads", "1", "--precision", "fp32",
                        "--no-fetch", "--quiet", "--results", os.path.join(top, "alone")],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        alone = curve(os.path.join(top, "alone", "hosts", "quick", "bert-s1.h5"))
        for title in chosen:
            folder = os.path.join(top, str(len(os.listdir(top))))
            os.mkdir(folder)
            with open(os.path.join(folder, "hosts.json"), "w", encoding="utf-8") as file:
                json.dump(EXPERIMENT, file)
            good, figures = CASES[title](program, folder, alone)
            failed += not good
            print(json.dumps({"case": title, "as_it_must_be": good, **figures}, ensure_ascii=False), flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
