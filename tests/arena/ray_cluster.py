"""A Ray cluster of two nodes with a core each, in processes of its own; it ends with its standard input."""

from __future__ import annotations

import os
import sys
import tempfile

import psutil

from gridsage.arena.external import orphans

NODE = {
    "num_cpus": 1,
    "object_store_memory": 80 << 20,
    "include_dashboard": False,
    "node_ip_address": "127.0.0.1",
}


def main() -> None:
    orphans.adopt()
    with tempfile.TemporaryDirectory(prefix="gr-", dir="/tmp", ignore_cleanup_errors=True) as folder:
        os.environ.update(RAY_USAGE_STATS_ENABLED="0", RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO="0", RAY_TMPDIR=folder)
        try:
            serve()
        finally:
            for process in psutil.Process().children(recursive=True):
                process.kill()


def serve() -> None:
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args=NODE)
    nodes = [cluster.head_node, cluster.add_node(**NODE)]
    raylets = [node.all_processes["raylet"][0].process.pid for node in nodes]
    print(cluster.address, *raylets, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
