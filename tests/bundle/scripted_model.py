"""An OpenAI-compatible endpoint whose models do as they are told: for frameworks that bring their own loop of calls."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

USAGE = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}


class Calls:
    """A turn of the model: tool calls, each a name and the text of its arguments."""

    def __init__(self, *calls):
        self.calls = calls


@contextmanager
def scripted_model(turns):
    """Serve; gives the base URL and the list of requests so far.

    ``turns(model, user)`` are the turns of a model for a user's first message: ``Calls``, or a text, which ends. After
    the last it says "Done.".
    """
    requests = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            """Say nothing."""

        def do_GET(self):
            self._json({"object": "list", "data": []})

        def do_POST(self):
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            requests.append(asked)
            message = _message(asked, turns)
            reason = "tool_calls" if message.get("tool_calls") else "stop"
            told = {"id": "c", "created": 0, "model": asked["model"]}
            if not asked.get("stream"):
                choice = {"index": 0, "message": message, "finish_reason": reason, "logprobs": None}
                self._json({**told, "object": "chat.completion", "choices": [choice], "usage": USAGE})
                return
            delta = {**message}
            if message.get("tool_calls"):
                delta["tool_calls"] = [{**call, "index": index} for index, call in enumerate(message["tool_calls"])]
            parts = [
                {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
                {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]},
                {"choices": [], "usage": USAGE},
            ]
            lines = [json.dumps({**told, "object": "chat.completion.chunk", **part}) for part in parts]
            self._send("text/event-stream", "".join(f"data: {line}\n\n" for line in [*lines, "[DONE]"]))

        def _json(self, value):
            self._send("application/json", json.dumps(value))

        def _send(self, kind, text):
            body = text.encode()
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", requests
    finally:
        server.shutdown()
        server.server_close()


def _message(asked, turns):
    user = next(_text(message["content"]) for message in asked["messages"] if message["role"] == "user")
    done = sum(message["role"] == "assistant" for message in asked["messages"])
    script = turns(asked["model"], user)
    turn = script[done] if done < len(script) else "Done."
    if isinstance(turn, str):
        return {"role": "assistant", "content": turn}
    calls = [
        {"id": f"call_{done}_{index}", "type": "function", "function": {"name": name, "arguments": arguments}}
        for index, (name, arguments) in enumerate(turn.calls)
    ]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def _text(content):
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)
