"""Languages, found through entry points.

A package adds a language with an entry point in the group ``sema.languages``: the name is the code, the object a
function without arguments that returns a :class:`~sema.model.language.Language`. For a family of codes the name is the
part before the colon (``ud`` for ``ud:fr``), and the function takes the part after it; called without it, it returns a
``Language`` that shows what the family offers (code ``ud:<code>``). The function named ``across`` makes a pair of two
languages (``en-to-es``) as :func:`sema.model.language.across` does.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from sema.errors import ResourceError, SemaError, UnknownNameError, UsageError
from sema.model.language import TO, Language, base_code
from sema.plugins import Broken, Group, Plugin, factory

LanguageFactory = Callable[..., Language]
ANY = "any"
"""The family that is asked for a code that no other package offers."""
ACROSS = "across"
"""The entry point that makes two languages a pair."""

_CODE = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[-_:][A-Za-z0-9]+)*", re.ASCII)


def check_code(code: str) -> str:
    """The code unchanged, if it is a valid language code: letters and digits with ``-``, ``_`` or ``:`` between them.

    Codes become parts of file names and messages, so codes from outside are checked here.

    Raises:
        UsageError: it is not a valid code.
    """
    if not isinstance(code, str) or not _CODE.fullmatch(code):
        raise UsageError(f"{code!r} is not a language code; write one such as en, zh or ud:fr")
    return code


def _check(name: str, given: object) -> LanguageFactory:
    """The function that an entry point names, called once to see that it makes a language."""
    if isinstance(given, Language):
        language = given
        return lambda: language
    return factory(name, given, Language)


GROUP = Group("sema.languages", _check)


def installed_languages() -> list[Language | Broken]:
    """Every installed language (for a family, its representative), and the broken ones with their reasons."""
    return [
        plugin if isinstance(plugin, Broken) else replace(plugin.made(), source=plugin.distribution)
        for plugin in GROUP.all()
    ]


def ready_languages() -> list[Language]:
    """The languages that can be scored as installed: those with a package of their own, then members of families."""
    installed = [language for language in installed_languages() if isinstance(language, Language)]
    ready = {language.code: language for language in installed if not language.is_family}
    for family in installed:
        for language in family.members() if family.members is not None else ():
            ready.setdefault(language.code, language)
    return list(ready.values())


def home_of(code: str) -> Language | None:
    """The installed language that a code refers to, English for ``ud:en`` and ``en-GB``; ``None`` if there is none."""
    plugin = GROUP.find(base_code(code))
    return plugin.made() if isinstance(plugin, Plugin) else None


def find_language(code: str) -> Language:
    """The language of a code (``en``, ``ud:fr``) or the pair of one (``en-to-es``); an error if it is not there."""
    source, to, output = check_code(code).partition(TO)
    if to:
        pair = GROUP.working(ACROSS)
        if pair is None:
            raise ResourceError("no installed package reads texts across languages; reinstall sema")
        return replace(pair.made(find_language(source), find_language(output)), source=pair.distribution)
    family, colon, member = code.partition(":")
    for name, arguments in ((code, ()), (family, (member,) if colon else ())):
        if plugin := GROUP.working(name):
            return replace(plugin.made(*arguments), source=plugin.distribution)
    if not colon and (for_all := GROUP.working(ANY)):
        with suppress(UnknownNameError):
            return replace(for_all.made(code), source=for_all.distribution)
    ready = {language.code: language.name.lower() for language in ready_languages()}
    meant = next((one for one, name in ready.items() if code.lower() == name or base_code(code.lower()) == one), None)
    raise UnknownNameError("language", code, list(ready), meant=meant, remedy="see `sema languages`")


def known_language(code: str) -> Language | None:
    """The language of a code; ``None`` if it is not installed, as for a caller's own object."""
    with suppress(SemaError):
        return find_language(code)
    return None
