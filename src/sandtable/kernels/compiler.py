"""How Numba compiles our kernels: each is put into words for LLVM once, and machine code is made of what Python calls.

Numba would optimise and translate every kernel on its own, and with it, again, all that it calls; most kernels are only
ever called by others, so most of that is thrown away. Here a kernel becomes a *part* first: typed and lowered, neither
optimised nor translated. An *entry* joins the part of a kernel that Python calls with those of all that it calls, and
optimises and translates the whole. That halves the time that compiling takes, and the machine code is as fast.

This is the only module that imports Numba, and it is imported when kernels are to run compiled.
"""

from __future__ import annotations

import hashlib
import io
import itertools
import pickle
import platform
import secrets
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import llvmlite.binding as llvm
import numba
from numba.core import bytecode, compiler, sigutils, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import OmittedArg, _FunctionCompiler
from numba.core.environment import _rebuild_env, lookup_environment
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

from sandtable.kernels import say
from sandtable.kernels.store import Store, usual_folder
from sandtable.sources import fingerprint

if TYPE_CHECKING:
    from sandtable.kernels import Kernel

FORMAT: Final = 1
"""Goes up when the same sources are compiled in another way."""

OPTIONS: Final = {"nopython": True, "boundscheck": None, "error_model": "numpy"}
LOOK_AGAIN: Final = 1.0
"""Seconds until a version that was not on disk is looked for again."""

PATIENCE: Final = 20
"""Calls with types for which there is no machine code yet until a kernel becomes plain again: asking takes longer."""

# Names in machine code end in a number that counts from 1 in every process; parts of two processes come together.
bytecode.FunctionIdentity._unique_ids = itertools.count(secrets.randbits(40) << 20)


def machine() -> str:
    """What compiled code depends on beside the sources, in eight letters."""
    context: Any = cpu_target.target_context
    kind = (FORMAT, platform.python_version(), numba.__version__, context.codegen().magic_tuple())
    return hashlib.blake2b(repr(kind).encode(), digest_size=4).hexdigest()


def open_store(root: str = "") -> Store:
    """The store in a folder, or in the usual one, for this machine."""
    return Store(Path(root) if root else usual_folder(), machine())


class Part(JITCodeLibrary):
    """A kernel in LLVM's words, ready to be joined with others."""

    owner: tuple[Any, ...] = ()
    """Module and name of its kernel, the types of the arguments, and its name in machine code."""
    _shared_module: Any
    environments: tuple[Any, ...] = ()
    """Python objects that it needs at run time; here they are held as long as it is."""

    def finalize(self) -> None:
        """Do without what Numba does here: optimise the kernel with all that it calls, and translate it."""
        self._finalized = True

    def alone(self) -> Any:
        """The kernel without what it calls, in a form that may be joined more than once."""
        if self._shared_module is None:
            module = self._final_module.clone()
            for function in module.functions:
                if not function.is_declaration and function.linkage == llvm.Linkage.external:
                    function.linkage = "linkonce_odr"
            self._shared_module = module
        return self._shared_module

    def _get_module_for_linking(self) -> Any:
        """With all that it calls, for a function that Numba compiles in its own way and that calls a kernel."""
        module = self.alone().clone()
        for library in _callees(self):
            module.link_in(_module(library), preserve=True)
        return module


class Entry(JITCodeLibrary):
    """Machine code of a kernel, with all that it calls, that Python can call."""

    def finalize(self) -> None:
        for library in _callees(self):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(_module(library), preserve=True)
        self._optimize_final_module()
        self._final_module.verify()
        missing = [f.name for f in self._final_module.functions if f.is_declaration and f.name.startswith("_ZN9sandt")]
        assert not missing, f"{self.name} would call what is not there: {missing}"
        self._finalize_final_module()


class Loaded(JITCodeLibrary):
    """Machine code that was read from disk."""

    def get_pointer_to_function(self, name: str) -> Any:
        return self._codegen._engine.get_function_address(name)


class Foreign(JITCodeLibrary):
    """What Numba compiled for a part that was read from disk."""


def _module(library: Any) -> Any:
    return library.alone() if isinstance(library, Part) else library._get_module_for_linking()


def _callees(library: Any) -> list[Any]:
    """All that a part or entry calls, callers before what they call: LLVM leaves out what nobody has called so far."""
    found: list[Any] = []
    seen = {library}

    def visit(here: Any) -> None:
        if isinstance(here, Part | Entry):
            for callee in here._linking_libraries:
                if callee not in seen:
                    seen.add(callee)
                    visit(callee)
        found.append(here)

    visit(library)
    return found[-2::-1]


class _PartCompiler(_FunctionCompiler):
    """Numba's compiler up to the part of a kernel."""

    def _customize_flags(self, flags: Any) -> Any:
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        return flags

    def _compile_core(self, args: Any, return_type: Any) -> Any:
        flags = compiler.Flags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        target = self.targetdescr.target_context
        return compiler.compile_extra(
            self.targetdescr.typing_context,
            target,
            self.py_func,
            args=args,
            return_type=return_type,
            flags=self._customize_flags(flags),
            locals=self.locals,
            library=Part(target.codegen(), self.py_func.__qualname__),
            pipeline_class=self.pipeline_class,
        )


_BY_NAME: Final[dict[tuple[str, str], Compiled]] = {}
"""All of this process, by module and name."""


class Compiled(CPUDispatcher):
    """A kernel that runs compiled, for all types of arguments for which it is."""

    def __init__(
        self,
        kernel: Kernel,
        store: Store,
        may_compile: Callable[[Kernel], bool],
        give_back: Callable[[Kernel], None],
    ) -> None:
        options = {**OPTIONS, **kernel.options}
        super().__init__(py_func=kernel.py_func, targetoptions=options)
        self._compiler = _PartCompiler(kernel.py_func, self.targetdescr, options, {}, compiler.Compiler)
        self._store = store
        self._kernel = kernel
        self._may_compile = may_compile
        self._give_back = give_back
        self._missed = 0
        self._fingerprint = fingerprint(kernel.source)
        self._flags = repr(sorted(options.items()))
        self._missing: dict[Any, float] = {}
        self.entries: dict[Any, Any] = {}
        self._held: list[Any] = []
        """Python objects to which machine code points, which nobody else may hold."""
        _BY_NAME[kernel.py_func.__module__, kernel.py_func.__name__] = self

    def _compile_for_args(self, *args: Any, **kws: Any) -> Any:
        """Called for types that were not met yet: what is to be called with these arguments."""
        found = tuple(types.Omitted(a.value) if isinstance(a, OmittedArg) else self.typeof_pyval(a) for a in args)
        self._types_active_call.clear()
        entry = self.entry(found)
        if entry is None:
            self._missed += 1
            if self._missed == PATIENCE:
                self._missed = 0
                self._missing.clear()
                self._give_back(self._kernel)
        return entry or self.py_func

    def entry(self, args: tuple[Any, ...]) -> Any:
        """The machine code for these types, from disk or made now; `None` if it must not be made here."""
        if self._missing.get(args, 0.0) > time.monotonic():
            return None
        with global_compiler_lock:
            if args not in self.entries:
                made = self._load_entry(args) or (self._make_entry(args) if self._may_compile(self._kernel) else None)
                if made is None:
                    self._missing[args] = time.monotonic() + LOOK_AGAIN
                    return None
                self.entries[args] = made
                self._insert([arg._code for arg in args], made, False)
            return self.entries[args]

    # ------------------------------------------------------------------ entries

    def _name(self, args: tuple[Any, ...], kind: str) -> str:
        where = f"{self.py_func.__qualname__} {self.py_func.__code__.co_firstlineno} {args} {self._flags}"
        return self._store.name(self.py_func.__name__, where, kind)

    def _load_entry(self, args: tuple[Any, ...]) -> Any:
        name = self._name(args, "entry")
        raw = self._store.read(self._fingerprint, name)
        if raw is None:
            return None
        try:
            title, code, description, environment, reload_init, environments = _read(raw)
        except Exception:  # whole, but not to be understood: another version of a library wrote it
            self._store.remove(self._fingerprint, name)
            return None
        rtsys.initialize(self.targetctx)
        for run in reload_init:
            run()
        library = Loaded(self.targetctx.codegen(), title)
        library.enable_object_caching()
        library._set_compiled_object(code)
        library._finalize_final_module()
        return self._executable(library, description, environment, environments)

    def _make_entry(self, args: tuple[Any, ...]) -> Any:
        self.targetctx.refresh()
        self._compilation_chain_init_hook()
        self.compile(args)
        part = self.overloads[args]
        library = Entry(self.targetctx.codegen(), self.py_func.__qualname__)
        library.enable_object_caching()
        flags = compiler.Flags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        target = compiler._make_subtarget(self.targetctx, flags)
        target.create_cpython_wrapper(library, part.fndesc, part.environment, None)
        library.add_linking_library(part.library)
        library.finalize()
        environments = _environments(library._final_module)
        made = self._executable(library, part.fndesc, part.environment, environments)
        kept = (
            library.name,
            library._get_compiled_object(),
            part.fndesc,
            part.environment,
            list(library._reload_init),
            environments,
        )
        self._keep(args, "entry", kept)
        return made

    def _executable(self, library: Any, description: Any, environment: Any, environments: list[Any]) -> Any:
        made = self.targetctx.get_executable(library, description, environment)
        for found in environments:
            library.codegen.set_env(found.env_name, found)
        self._held += environments
        return made

    def _keep(self, args: tuple[Any, ...], kind: str, content: tuple[Any, ...]) -> None:
        content[2].typemap = content[2].calltypes = None  # needed no more, and they cannot be written
        try:
            self._store.write(self._fingerprint, self._name(args, kind), dumps(content))
        except OSError as error:
            say(f"Compiled kernels cannot be kept in {self._store.root}: {error.strerror}.")

    # ------------------------------------------------------------------ parts

    @global_compiler_lock
    def compile(self, sig: Any) -> Any:
        """The part for these types; Numba asks for it where another kernel calls this one."""
        args, return_type = sigutils.normalize_signature(sig)
        args = tuple(args)
        if args not in self.overloads:
            made = self._load_part(args)
            if made is None:
                with self._compiling_counter:
                    made = self._compiler.compile(args, return_type)
                made.library.finalize()
                made = made._replace(entry_point=object())
                self._keep_part(args, made)
            self.targetctx.insert_user_function(made.entry_point, made.fndesc, [made.library])
            self.overloads[args] = made
        return self.overloads[args].entry_point

    def _keep_part(self, args: tuple[Any, ...], made: Any) -> None:
        library = made.library
        library.owner = (self.py_func.__module__, self.py_func.__name__, args, made.fndesc.mangled_name)
        calls: list[tuple[Any, ...]] = []
        environments = _environments(library._final_module)
        for callee in dict.fromkeys(library._linking_libraries):
            if isinstance(callee, Part):
                calls.append(("part", *callee.owner))
            elif callee is not rtsys.library:
                module = callee._get_module_for_linking()
                calls.append(("library", callee.name, module.as_bitcode()))
                environments += _environments(module)
        content = (library.name, library._final_module.as_bitcode(), made.fndesc, made.environment, made.signature)
        self._keep(args, "part", (*content, calls, environments, list(made.reload_init or ())))

    def _load_part(self, args: tuple[Any, ...]) -> Any:
        name = self._name(args, "part")
        raw = self._store.read(self._fingerprint, name)
        if raw is None:
            return None
        try:
            title, code, description, environment, signature, calls, environments, reload_init = _read(raw)
            library = Part(self.targetctx.codegen(), title)
            library._final_module = llvm.parse_bitcode(code)
            library._linking_libraries = [rtsys.library, *(_called(*call) for call in calls)]
        except Exception:  # written by another version of a library, or for a callee that was compiled anew since
            self._store.remove(self._fingerprint, name)
            return None
        library.owner = (self.py_func.__module__, self.py_func.__name__, args, description.mangled_name)
        library.environments = tuple(environments)
        library._reload_init.update(reload_init)
        library.finalize()
        return compiler.compile_result(
            target_context=self.targetctx,
            typing_context=self.typingctx,
            entry_point=object(),
            signature=signature,
            objectmode=False,
            lifted=(),
            fndesc=description,
            library=library,
            environment=environment,
            reload_init=reload_init,
        )


class _Unpickler(pickle.Unpickler):
    """Reads what was written, with all Python objects that each piece of machine code needs."""

    def find_class(self, module_name: str, global_name: str, /) -> Any:
        found = super().find_class(module_name, global_name)
        return _rebuilt if found is _rebuild_env else found


def _rebuilt(module: str, constants: list[Any], name: str) -> Any:
    """The objects behind a kernel: who knows it as a part of others has none of those that its own entry added."""
    found = _rebuild_env(module, constants, name)
    found.consts.extend(constants[len(found.consts) :])
    return found


def _read(raw: bytes) -> Any:
    return _Unpickler(io.BytesIO(raw)).load()


def _called(kind: str, *call: Any) -> Any:
    """What a part that was read from disk calls."""
    context: Any = cpu_target.target_context
    if kind == "library":
        title, code = call
        library = Foreign(context.codegen(), title)
        library._shared_module = llvm.parse_bitcode(code)
        library._finalized = True
        return library
    module, name, args, symbol = call
    import_module(module)
    kernel = _BY_NAME[module, name]
    kernel.compile(args)
    found = kernel.overloads[args]
    if found.fndesc.mangled_name != symbol:
        raise LookupError(f"{symbol} is no more")
    return found.library


def _environments(module: Any) -> list[Any]:
    """The Python objects that machine code needs at run time."""
    names = [variable.name for variable in module.global_variables if variable.name.startswith("_ZN08NumbaEnv")]
    found = [lookup_environment(name) for name in names]
    return [environment for environment in found if environment is not None and environment.can_cache()]
