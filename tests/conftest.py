"""Fixtures that several test modules use."""

import signal

import pytest


@pytest.fixture
def interrupts():
    """Ctrl-C works, also where a shell started the tests in the background and so had it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
