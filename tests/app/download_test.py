# SPDX-License-Identifier: GPL-3.0-or-later
"""--download: a model from a hub on this machine, which then runs; and GGUF files as models."""
import hashlib
import http.server
import json
import pathlib
import threading
import unittest

from program import SOURCE, ProgramTest, run

COMMIT = "0123456789abcdef0123456789abcdef01234567"


class Hub(http.server.ThreadingHTTPServer):
    """Serves the files of a folder as the repository Test/Model."""

    def __init__(self, folder):
        self.files = {p.name: p.read_bytes() for p in folder.iterdir() if p.suffix in (".json", ".model", ".safetensors")}
        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def listing(self):
        return json.dumps({"sha": COMMIT, "siblings": [
            {"rfilename": name, "size": len(content), "blobId": "0" * 40,
             "lfs": {"sha256": hashlib.sha256(content).hexdigest(), "size": len(content)}}
            for name, content in self.files.items()]}).encode()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/api/models/Test/Model/revision/main?blobs=true":
            content = self.server.listing()
        else:
            content = self.server.files.get(self.path.removeprefix(f"/Test/Model/resolve/{COMMIT}/"))
        self.send_response(200 if content else 404)
        self.send_header("Content-Length", str(len(content or b"")))
        self.end_headers()
        self.wfile.write(content or b"")

    def log_message(self, *_):
        pass


class DownloadTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.hub = Hub(SOURCE / "resources" / "demo_model")
        self.addCleanup(self.hub.server_close)
        self.addCleanup(self.hub.shutdown)

    def settings(self):
        return {"HF_ENDPOINT": f"http://127.0.0.1:{self.hub.server_port}", "HF_HOME": str(self.folder / "hf"),
                "HF_HUB_CACHE": None, "HF_TOKEN": None, "http_proxy": None, "no_proxy": "127.0.0.1"}

    def test_what_was_fetched_runs(self):
        answer = self.run_well("--download", "Test/Model", **self.settings())
        path = pathlib.Path(answer.stdout.strip())
        self.assertEqual(path, self.folder / "hf" / "hub" / "models--Test--Model" / "snapshots" / COMMIT)
        self.assertEqual((path / "model.safetensors").read_bytes(), self.hub.files["model.safetensors"])
        arguments = ("--tokens", "8", "--device", "cpu", "--dtype", "float32")
        expected = self.run_well("--generate", "Once upon a time", *arguments).stdout
        for model in (path, path.parent.parent):
            self.assertEqual(self.run_well("--generate", "Once upon a time", "--model", model, *arguments).stdout, expected)

    def test_what_is_not_there_is_named(self):
        answer = run("--download", "Test/Other", **self.settings())
        self.assertEqual(answer.returncode, 1)
        self.assertIn("404", answer.stderr)
        self.assertIn("owner/name", self.refusal("--download", "Model"))
        self.assertIn("x.bin", self.refusal("--download", "Test/Model", "--gguf", "x.bin"))

    def test_a_gguf_file_is_a_model(self):
        file = SOURCE / "tests" / "data" / "gguf" / "small.gguf"
        text = self.run_well("--generate", "the cat", "--model", file, "--tokens", "5", "--device", "cpu", "--dtype", "float32")
        self.assertTrue(text.stdout.strip())
        self.assertIn("a safetensors file; choose the folder", self.refusal(
            "--generate", "x", "--model", SOURCE / "resources" / "demo_model" / "model.safetensors"))


if __name__ == "__main__":
    unittest.main()
