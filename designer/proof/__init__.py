"""Plans put to the test on a DynamoDB engine; nothing else in Keywright talks to one."""

from designer.proof.engine import EngineError
from designer.proof.prove import prove
from designer.proof.verdicts import PatternVerdict, Verdict

__all__ = ["EngineError", "PatternVerdict", "Verdict", "prove"]
