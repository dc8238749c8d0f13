"""Gives each call an Idempotency-Key of its own.

Schemathesis sends one key with every body, and all calls but the first would be refused as reused.
The rules of this header have tests of their own.
"""

import uuid

import schemathesis


@schemathesis.hook
def before_call(context, case, kwargs):
    for name in list(case.headers or {}):
        if name.lower() == "idempotency-key" and is_valid(case):
            case.headers[name] = str(uuid.uuid4())


def is_valid(case):
    return case.meta is not None and case.meta.generation.mode.value == "positive"
