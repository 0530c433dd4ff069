"""Plans put to the test on a DynamoDB engine; nothing else in Keywright talks to one."""

from designer.proof.engine import EngineError
from designer.proof.prove import PatternVerdict, Verdict, prove

__all__ = ["EngineError", "PatternVerdict", "Verdict", "prove"]
