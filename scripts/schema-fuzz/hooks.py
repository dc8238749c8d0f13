"""Gives each call a different Idempotency-Key, and repeats a call that the server asks to repeat.

Schemathesis sends the same key with different bodies, so every call after the first would be refused.
Other tests cover the rules of this header.

While other programs keep the disk busy, the server may answer 503 with Retry-After. A server that is broken
answers 503 to the repeated calls too, which is a finding.
"""

import uuid

import requests
import schemathesis
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

REPEAT_IF_BUSY = Retry(
    total=5, connect=0, read=0, status_forcelist=[503], allowed_methods=None, raise_on_status=False
)

initialize_session = requests.Session.__init__


def initialize_repeating_session(session):
    initialize_session(session)
    session.mount("http://", HTTPAdapter(max_retries=REPEAT_IF_BUSY))


# Schemathesis repeats a call itself only if no answer came.
requests.Session.__init__ = initialize_repeating_session


@schemathesis.hook
def before_call(context, case, kwargs):
    for name in list(case.headers or {}):
        if name.lower() == "idempotency-key" and is_valid(case):
            case.headers[name] = str(uuid.uuid4())


def is_valid(case):
    return case.meta is not None and case.meta.generation.mode.value == "positive"
