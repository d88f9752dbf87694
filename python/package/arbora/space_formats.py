"""Read and write spaces, in our formats and in those of other tools."""

from __future__ import annotations

from typing import Any, Dict, Mapping, Type, TypeVar

from arbora import _arbora

__all__ = ["SpaceFormats"]

Made = TypeVar("Made", bound="SpaceFormats")


class SpaceFormats:
    """The reading and writing half of :class:`arbora.Space`."""

    __slots__ = ("_native",)
    _native: _arbora.Space

    @classmethod
    def _of(cls: Type[Made], native: _arbora.Space) -> Made:
        made = cls.__new__(cls)
        made._native = native
        return made

    @classmethod
    def from_dict(cls: Type[Made], document: Mapping[str, Any]) -> Made:
        """The space of a document: the JSON format as dicts and lists.

        >>> Space.from_dict({"parameters": {"x": {"type": "real", "low": 0.0, "high": 1.0}}}).names
        ['x']
        """
        return cls._of(_arbora.Space.from_dict(dict(document)))

    @classmethod
    def from_json(cls: Type[Made], text: str) -> Made:
        """Reads the JSON format.

        >>> Space.from_json('{"parameters": {"x": {"type": "boolean"}}}').names
        ['x']
        """
        return cls._of(_arbora.Space.read("json", text))

    @classmethod
    def from_toml(cls: Type[Made], text: str) -> Made:
        """Reads the TOML format.

        >>> Space.from_toml("[parameters.x]\\ntype = 'integer'\\nlow = 1\\nhigh = 9").names
        ['x']
        """
        return cls._of(_arbora.Space.read("toml", text))

    @classmethod
    def from_pcs(cls: Type[Made], text: str) -> Made:
        """Reads a PCS file, old or new.

        >>> Space.from_pcs("solver categorical {cg, qr} [cg]").names
        ['solver']
        """
        return cls._of(_arbora.Space.read("pcs", text))

    @classmethod
    def from_configspace(cls: Type[Made], space: Any) -> Made:
        """The space of a ``ConfigSpace.ConfigurationSpace``, or of its JSON as text or dict.

        >>> Space.from_configspace({"hyperparameters": [
        ...     {"name": "x", "type": "uniform_float", "lower": 0.0, "upper": 1.0, "default_value": 0.5, "log": False}
        ... ], "conditions": [], "forbiddens": [], "format_version": 0.4}).names
        ['x']
        """
        import json

        if hasattr(space, "to_serialized_dict"):
            space = space.to_serialized_dict()
        text = space if isinstance(space, str) else json.dumps(space)
        return cls._of(_arbora.Space.read("configspace", text))

    @classmethod
    def from_file(cls: Type[Made], path: Any) -> Made:
        """Read a file; its extension names the format: .toml, .json (ours or that of ConfigSpace)
        or .pcs.

        >>> import pathlib, tempfile
        >>> file = pathlib.Path(tempfile.mkdtemp()) / "space.toml"
        >>> _ = file.write_text("[parameters.x]\\ntype = 'boolean'")
        >>> Space.from_file(file).names
        ['x']
        """
        with open(path, encoding="utf-8") as file:
            return cls._of(_arbora.Space.read_file(str(path), file.read()))

    def to_dict(self) -> Dict[str, Any]:
        """The document of this space, for :meth:`from_dict`.

        >>> space = Space()
        >>> _ = space.boolean("shuffle")
        >>> space.to_dict()
        {'parameters': {'shuffle': {'type': 'boolean'}}}
        """
        return self._native.to_dict()

    def to_json(self) -> str:
        """The space as JSON.

        >>> space = Space()
        >>> _ = space.boolean("shuffle")
        >>> Space.from_json(space.to_json()) == space
        True
        """
        return self._native.write("json")

    def to_toml(self) -> str:
        """The space as TOML, the format to read and edit.

        >>> space = Space()
        >>> _ = space.boolean("shuffle")
        >>> print(space.to_toml().strip())
        [parameters.shuffle]
        type = "boolean"
        """
        return self._native.write("toml")

    def to_configspace(self) -> str:
        """The space as the JSON of ConfigSpace: ``ConfigurationSpace.from_json(io.StringIO(text))``
        reads it.

        >>> space = Space()
        >>> _ = space.boolean("shuffle")
        >>> Space.from_configspace(space.to_configspace()).names
        ['shuffle']
        """
        return self._native.write("configspace")
