"""How often Python looks for garbage."""

import gc


def search_seldom() -> None:
    """Search less often, and never again among what is loaded by now.

    A plan is hundreds of thousands of objects, nearly all of them needed to its end, and so are the loaded modules. By
    Python's own limits (700, 10, 10) they are searched over and over: for a fifth of the time of planning, and in
    pauses of 0.15 s that every twelfth answer to a keystroke would wait for.
    """
    gc.set_threshold(50_000, 20, 100)
    gc.freeze()
