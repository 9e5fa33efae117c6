"""What an agent can do: tool calls read and judged, operations run, results built, and all of it described."""

from simulator.tools.arguments import ArgumentReader
from simulator.tools.built_in import FINISH, LONGEST_WAIT, WAIT
from simulator.tools.calls import ToolCall, request_fingerprint
from simulator.tools.compilation import Analyse, compile_operation, operation_problems, tool_problems
from simulator.tools.fault_verdicts import STALE_READ, FaultKind, fault_body, fault_verdict, stale_verdict
from simulator.tools.messages import MessageTemplate
from simulator.tools.openapi import api_problems, openapi_document
from simulator.tools.operations import Attempt, CompiledOperation, verdict_of
from simulator.tools.sql_access import DIALECTS
from simulator.tools.sql_explanation import Explanation, explain_sql
from simulator.tools.sql_tool import SQL, CompiledSqlTool, SqlAttempt, statement_of
from simulator.tools.toolbox import Toolbox
from simulator.tools.truncation import RESULT_LIMIT, Truncation, cap_result, result_text
from simulator.tools.verdicts import OK, STATUSES, Kind, Verdict, echo, failed

__all__ = [
    "DIALECTS",
    "FINISH",
    "LONGEST_WAIT",
    "OK",
    "RESULT_LIMIT",
    "SQL",
    "STALE_READ",
    "STATUSES",
    "WAIT",
    "Analyse",
    "ArgumentReader",
    "Attempt",
    "CompiledOperation",
    "CompiledSqlTool",
    "Explanation",
    "FaultKind",
    "Kind",
    "MessageTemplate",
    "SqlAttempt",
    "ToolCall",
    "Toolbox",
    "Truncation",
    "Verdict",
    "api_problems",
    "cap_result",
    "compile_operation",
    "echo",
    "explain_sql",
    "failed",
    "fault_body",
    "fault_verdict",
    "openapi_document",
    "operation_problems",
    "request_fingerprint",
    "result_text",
    "stale_verdict",
    "statement_of",
    "tool_problems",
    "verdict_of",
]
