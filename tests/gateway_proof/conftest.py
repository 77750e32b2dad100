"""The line on which a proof tells its seed and its figures."""

import pytest

from gateway_proof.proof_report import Report


@pytest.fixture
def report(request: pytest.FixtureRequest) -> Report:
    """Writes a line into the test run's own output: a seed that nobody sees is of no use."""
    terminal = request.config.pluginmanager.get_plugin("terminalreporter")
    capture = request.config.pluginmanager.get_plugin("capturemanager")

    assert terminal is not None
    assert capture is not None

    def tell(line: str) -> None:
        with capture.global_and_fixture_disabled():
            terminal.write_line(f"\n{request.node.name}: {line}")

    return tell
