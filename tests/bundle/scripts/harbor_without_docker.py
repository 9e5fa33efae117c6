"""An environment for Harbor where there is no Docker, and an agent that makes recorded calls.

The agent's container is a folder that is made by the Dockerfile's COPY, WORKDIR and ENV PATH and entered by chroot in a
mount namespace of its own; the service `world` is a process of the engine on this machine. Linux, as root.
"""

import asyncio
import json
import os
import shlex
import shutil
import socket
import sys
import tempfile
from pathlib import Path

import yaml
from harbor.agents.base import BaseAgent
from harbor.environments.base import BaseEnvironment, ExecResult
from harbor.environments.capabilities import EnvironmentCapabilities

SYSTEM = ["usr", "bin", "sbin", "lib", "lib64", "etc", "dev", "proc"]
SIDECAR = "simulator.bundle.targets.harbor.sidecar"


class Environment(BaseEnvironment):
    @staticmethod
    def type():
        return "chroot"

    @property
    def capabilities(self):
        return EnvironmentCapabilities(docker_compose=True)

    def _validate_definition(self):
        if not (self.environment_dir / "Dockerfile").is_file():
            raise FileNotFoundError("Dockerfile")

    async def start(self, force_build):
        self.place = Path(tempfile.mkdtemp(prefix="harbor-"))
        self.root, self.workdir, self.path = self.place / "main", "/", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
        self.exported, self.world = {}, None
        for name in [*SYSTEM, "tmp", "root", "logs/verifier", "logs/agent", "logs/artifacts"]:
            (self.root / name).mkdir(parents=True, exist_ok=True)
        for line in (self.environment_dir / "Dockerfile").read_text().splitlines():
            words = shlex.split(line, comments=True)
            if words[:1] == ["WORKDIR"]:
                self.workdir = words[1]
                self._host(words[1]).mkdir(parents=True, exist_ok=True)
            elif words[:1] == ["COPY"]:
                self._copy(words[1:-1], self._host(words[-1]))
            elif words[:1] == ["ENV"] and words[1].startswith("PATH="):
                self.path = words[1].removeprefix("PATH=").replace("$PATH", self.path)
        compose = self.environment_dir / "docker-compose.yaml"
        if compose.is_file():
            await self._start_world(yaml.safe_load(compose.read_text())["services"])

    def _copy(self, sources, target):
        target.mkdir(parents=True, exist_ok=True)
        for name in sources:
            source = self.environment_dir / name
            if source.is_dir():
                shutil.copytree(source, target, dirs_exist_ok=True)
            else:
                (target / name).write_bytes(source.read_bytes())
                (target / name).chmod(0o755)

    async def _start_world(self, services):
        with socket.socket() as place:
            place.bind(("127.0.0.1", 0))
            self.port = place.getsockname()[1]
        url = services["main"]["environment"]["BUSINESS_URL"]
        self.exported = {"BUSINESS_URL": url.replace("world:8080", f"127.0.0.1:{self.port}")}
        command = [sys.executable, "-m", SIDECAR, "serve", "--bundle", os.environ["BUNDLE"], "--host", "127.0.0.1"]
        command += ["--port", str(self.port), "--socket", str(self.place / "grader")]
        self.world = await asyncio.create_subprocess_exec(
            *command, env={**os.environ, **services["world"]["environment"]}
        )
        test = services["world"]["healthcheck"]["test"]
        assert test[:3] == ["CMD", "python", "-c"]
        probe = [sys.executable, "-c", test[3].replace(":8080", f":{self.port}")]
        for _ in range(300):
            if (await _run(probe, {}, 60)).return_code == 0:
                return
            assert self.world.returncode is None, "The world does not start."
            await asyncio.sleep(0.2)
        raise RuntimeError("The world does not answer.")

    async def stop(self, delete):
        if self.world is not None and self.world.returncode is None:
            self.world.terminate()
            await self.world.wait()
        shutil.rmtree(self.place, ignore_errors=True)

    def _host(self, path):
        return self.root / str(path).lstrip("/")

    async def upload_file(self, source_path, target_path):
        target = self._host(target_path)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source_path, target)

    async def upload_dir(self, source_dir, target_dir):
        shutil.copytree(source_dir, self._host(target_dir), dirs_exist_ok=True)

    async def download_file(self, source_path, target_path):
        Path(target_path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(self._host(source_path), target_path)

    async def download_dir(self, source_dir, target_dir):
        shutil.copytree(self._host(source_dir), target_dir, dirs_exist_ok=True)

    async def exec(self, command, cwd=None, env=None, timeout_sec=None, user=None):
        mounts = "; ".join(f"[ -d /{name} ] && mount --rbind /{name} {self.root}/{name}" for name in SYSTEM)
        inside = f"cd {shlex.quote(cwd or self.workdir)} && {command}"
        script = f"{mounts}; exec chroot {self.root} /bin/bash -c {shlex.quote(inside)}"
        variables = {"PATH": self.path, "HOME": "/root", **self.exported, **(env or {})}
        return await _run(["/usr/bin/unshare", "-m", "/bin/bash", "-c", script], variables, timeout_sec)

    async def service_exec(self, command, *, service=None, cwd=None, env=None, timeout_sec=None, user=None):
        if self.is_main_service(service):
            return await self.exec(command, cwd=cwd, env=env, timeout_sec=timeout_sec, user=user)
        words = shlex.split(command)
        if words[:3] == ["python", "-m", SIDECAR]:
            places = ["--socket", str(self.place / "grader"), "--result", str(self.place / "world/result")]
            return await _run([sys.executable, *words[1:], *places], dict(os.environ), timeout_sec)
        inside = command.replace("/world/result", str(self.place / "world/result"))
        return await _run(["/bin/bash", "-c", inside], dict(os.environ), timeout_sec)

    async def service_download_file(self, source_path, target_path, *, service=None):
        source = self._host(source_path) if self.is_main_service(service) else self.place / str(source_path).lstrip("/")
        Path(target_path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target_path)

    async def service_download_dir(self, source_dir, target_dir, *, service=None):
        source = self._host(source_dir) if self.is_main_service(service) else self.place / str(source_dir).lstrip("/")
        shutil.copytree(source, target_dir, dirs_exist_ok=True)

    async def stop_service(self, service):
        """Nothing runs in the folder between commands."""


async def _run(command, env, timeout_sec):
    process = await asyncio.create_subprocess_exec(
        *command, env=env, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    try:
        out, err = await asyncio.wait_for(process.communicate(), timeout_sec)
    except TimeoutError:
        process.kill()
        return ExecResult(stdout="", stderr="timeout", return_code=124)
    return ExecResult(stdout=out.decode(), stderr=err.decode(), return_code=process.returncode)


class Recorded(BaseAgent):
    """Makes the calls that the file RECORDED has for the task, and keeps what came of them."""

    @staticmethod
    def name():
        return "recorded"

    def version(self):
        return "1"

    async def setup(self, environment):
        pass

    async def run(self, instruction, environment, context):
        recorded = json.loads(Path(os.environ["RECORDED"]).read_text())
        calls = recorded[environment.environment_dir.parent.name]
        lines = [f"business call {shlex.quote(call['tool'])} {shlex.quote(call['arguments'])} 2>&1" for call in calls]
        lines += recorded.get("more", [])
        result = await environment.exec("\n".join(lines))
        (self.logs_dir / "told.txt").write_text(result.stdout)
