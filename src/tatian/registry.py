"""Models by name: built-ins, other packages' entry points, and `package.module:Class`."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, NamedTuple, TypeVar

from tatian.errors import TatianError, UnknownModel

T = TypeVar("T")


class ListedModel(NamedTuple):
    """A line of `tatian models list`."""

    step: str
    name: str
    target: str
    description: str
    default: bool
    licence: str = ""
    """Licence of its weights, from the model's `licence` attribute."""
    problem: str = ""
    """Reason why it cannot be loaded; empty if it can."""
    missing: str = ""
    """Missing requirements and what to do, from the model's `missing()`."""


class Registry(Generic[T]):
    """Models of one step; each is imported only when it is created.

    Other packages add theirs under the entry point group ``tatian.<step>``::

        [project.entry-points."tatian.union"]
        my-merger = "my_package.merger:MyMerger"
    """

    def __init__(
        self,
        step: str,
        builtin: Mapping[str, str],
        default: str,
        *,
        aliases: Mapping[str, str] | None = None,
        method: str | None = None,
        noun: str = "model",
        group: str = "",
    ) -> None:
        self.step = step
        self._group = f"tatian.{group or step}"
        self.noun = noun
        """Noun for a model in messages."""
        self.method = method
        """Method that every model of this step must have."""
        self.default = default
        self._builtin = dict(builtin)
        self._aliases = aliases or {}
        """Older names, accepted but not listed."""

    @property
    def builtin(self) -> tuple[str, ...]:
        """Names of the models that come with the package, sorted."""
        return tuple(sorted(self._builtin))

    def _plugins(self) -> dict[str, EntryPoint]:
        return {point.name: point for point in entry_points(group=self._group)}

    def names(self) -> list[str]:
        """Return every name that `create` accepts, sorted."""
        return sorted({*self._builtin, *self._plugins()})

    def create(self, name: str | None = None, **options: Any) -> T:
        """Create the model called `name` (the step's default if None) with its options."""
        factory = self.find(name or self.default)
        self._refuse_uncallable(factory, name or self.default)
        try:
            model: T = factory(**options)
        except TypeError as error:
            accepted = ", ".join(_parameters(factory)) or "none"
            raise TatianError(
                f"{self.step} {self.noun} '{name or self.default}' refused its options ({error}); "
                f"it accepts: {accepted}"
            ) from error
        if self.method and not callable(getattr(model, self.method, None)):
            raise TatianError(
                f"'{name or self.default}' cannot serve as {self.step} {self.noun}: "
                f"it has no method '{self.method}'"
            )
        return model

    def accepts(self, name: str, option: str) -> bool:
        """Return True if the model called `name` takes `option`, without creating one."""
        factory = self.find(name)
        self._refuse_uncallable(factory, name)
        parameters = _parameters(factory)
        return option in parameters or any(
            parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values()
        )

    def _refuse_uncallable(self, factory: Any, name: str) -> None:
        if not callable(factory):
            raise TatianError(f"{self.step} {self.noun} '{name}' is neither a class nor a function")

    def find(self, name: str) -> Any:
        """Return the class or factory behind `name`, without creating a model."""
        name = self._aliases.get(name, name)
        if name in self._builtin:
            return _load(self._builtin[name])
        plugin = self._plugins().get(name)
        if plugin is None and ":" not in name:
            raise UnknownModel(self.step, name, self.names(), self.noun)
        try:
            return plugin.load() if plugin else _load(name)
        except (ImportError, AttributeError, ValueError) as error:
            missing = isinstance(error, ModuleNotFoundError)
            hint = " (is its folder on PYTHONPATH?)" if missing else ""
            raise TatianError(
                f"cannot load {self.step} {self.noun} '{name}': {error}{hint}"
            ) from error

    def describe(self) -> list[ListedModel]:
        """List all models with the first lines of their docstrings, or why they cannot load."""
        targets = {name: point.value for name, point in self._plugins().items()} | self._builtin
        return [self._describe(name, target) for name, target in sorted(targets.items())]

    def _describe(self, name: str, target: str) -> ListedModel:
        default = name == self.default
        try:
            factory = self.find(name)
        except TatianError as error:
            return ListedModel(self.step, name, target, "", default, problem=str(error))
        licence = getattr(factory, "licence", "")
        missing_of = getattr(factory, "missing", None)
        return ListedModel(
            self.step,
            name,
            target,
            _first_line(factory),
            default,
            licence,
            missing=missing_of() if callable(missing_of) else "",
        )


def _load(target: str) -> Any:
    module, _, attribute = target.partition(":")
    return getattr(importlib.import_module(module), attribute)


def _parameters(factory: Any) -> Mapping[str, inspect.Parameter]:
    """Return the parameters of a model; empty if unknown, as for some C extension classes."""
    try:
        return inspect.signature(factory).parameters
    except (TypeError, ValueError):
        return {}


def _first_line(factory: Any) -> str:
    doc = inspect.getdoc(factory) or ""
    return doc.partition("\n")[0]
