"""Takes a rule out of the running program, by giving its functions code that answers as if the rule did not exist."""

from __future__ import annotations

import inspect
from types import CodeType, FunctionType

from sandtable.errors import UserError
from sandtable.rules.mark import Argument

#: Stands in the compiled code where the neutral answer goes.
_PLACE = "sandtable: the neutral answer goes here"


def without_rule(function: FunctionType, neutral: object) -> CodeType:
    """The code that stands for the function when its rule is gone; put it into `function.__code__`.

    All who hold the function, also in tables and tuples, then see the change. The name, the parameters and the defaults
    stay, and a coroutine function remains one.
    """
    return neutral_code(function, neutral_answer(function, neutral))


def neutral_answer(function: FunctionType, neutral: object) -> object:
    """What the function answers without the rule: as its mark says, or DONE for a step whose mark says nothing."""
    returns = function.__annotations__.get("return")
    name = returns if isinstance(returns, str) else getattr(returns, "__name__", "")
    if neutral is not None or name.rpartition(".")[2] != "Step":
        return neutral
    step = returns if isinstance(returns, type) else function.__globals__.get(name)
    done = getattr(step, "DONE", function.__globals__.get("DONE"))
    if done is None:
        raise UserError(
            f"{function.__module__}.{function.__qualname__} returns a Step, but its module does not import DONE; "
            "write @rule(..., neutral=DONE)."
        )
    return done


def neutral_code(function: FunctionType, answer: object) -> CodeType:
    """Code with the function's own parameters that does nothing but give the answer."""
    code = function.__code__
    if inspect.isasyncgenfunction(function):
        raise UserError(f"{function.__module__}.{function.__qualname__} is an async generator; @rule cannot go on one.")
    value = answer.name if isinstance(answer, Argument) else repr(_PLACE)
    head = "async def" if inspect.iscoroutinefunction(function) else "def"
    tail = "\n    yield" if inspect.isgeneratorfunction(function) else ""
    module = compile(f"{head} neutral({_parameters(code)}):\n    return {value}{tail}\n", code.co_filename, "exec")
    bare = next(constant for constant in module.co_consts if isinstance(constant, CodeType))
    return bare.replace(
        co_consts=tuple(answer if constant == _PLACE else constant for constant in bare.co_consts),
        co_name=code.co_name,
        co_qualname=code.co_qualname,
        co_firstlineno=code.co_firstlineno,
    )


def _parameters(code: CodeType) -> str:
    """The parameters as source. Defaults are left out: they live on the function, which keeps them."""
    names = list(code.co_varnames)
    positional, keyword_only = code.co_argcount, code.co_kwonlyargcount
    parts = names[:positional]
    if code.co_posonlyargcount:
        parts.insert(code.co_posonlyargcount, "/")
    rest = names[positional + keyword_only :]
    if code.co_flags & inspect.CO_VARARGS:
        parts.append("*" + rest.pop(0))
    elif keyword_only:
        parts.append("*")
    parts += names[positional : positional + keyword_only]
    if code.co_flags & inspect.CO_VARKEYWORDS:
        parts.append("**" + rest.pop(0))
    return ", ".join(parts)
