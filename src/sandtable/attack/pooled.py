from typing import Any
def resolve(a: Any) -> Any: raise NotImplementedError
def resolve_worst(a: Any) -> Any: raise NotImplementedError
def in_turn(a: Any) -> Any: raise NotImplementedError
