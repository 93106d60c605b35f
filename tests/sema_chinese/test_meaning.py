"""What `meaning` knows of Chinese: numbers, listed words, and what an output says otherwise."""

from __future__ import annotations

import pytest
from sema_chinese.facts import ChineseFacts
from sema_chinese.meaning.negation import find_negations
from sema_chinese.meaning.numbers import match, numbers
from sema_chinese.meaning.said import are_opposed
from sema_chinese.meaning.spelling import Spelling
from sema_chinese.meaning.wording import listed_places, replacements

import sema
from sema.metrics.meaning.evidence import gather_meaning
from sema.metrics.meaning.reading import ReadsPairs

KINDS = {
    "number",
    "name",
    "opposite",
    "quantity",
    "certainty",
    "duty",
    "polarity",
    "role",
    "order",
    "replaced",
    "added",
}


def spelling(text: str) -> Spelling:
    words = tuple(text.split())
    return Spelling(words, ((0, len(words)),))


@pytest.fixture(scope="module")
def scorer() -> sema.Scorer:
    return sema.Scorer("zh", ["meaning"])


def reasons(scorer: sema.Scorer, source: str, output: str) -> tuple[float, set[str]]:
    """The score, and the kinds of contradiction."""
    (item,) = scorer.score([source], {"output": [output]}).systems[0].items
    assert item.item is not None
    meaning = gather_meaning(item.item, ChineseFacts())
    scenes = [*meaning.source_scenes, *meaning.output_scenes]
    said = {reason.split(":")[0] for scene in scenes for reason in scene.because}
    return item.scores["meaning"], said & KINDS


@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [
        ("百分 之 十 五", 15, "%"),
        ("15 %", 15, "%"),
        ("七成 左右", 70, "%"),
        ("三百 二十万 人", 3_200_000, ""),
        ("二十余 种", 20, ""),
        ("达八百亿 美元", 80_000_000_000, "美元"),
        ("三分 之一", 0.333333, "share"),
        ("第十 七", 17, "ordinal"),
        ("二０ 四 九 年", 2049, "年"),
        ("四 点 九亿 吨", 490_000_000, "吨"),
        ("十多 万 项", 100_000, ""),
        ("数千 名", 1000, "vague"),
        ("5 千 名", 5000, ""),
        ("4 月 8 号", 4, "月"),
    ],
)
def test_numbers_over_several_words(text: str, value: float, kind: str) -> None:
    found = numbers(spelling(text))[0]
    assert (found.value, found.kind) == (value, kind)


@pytest.mark.parametrize("text", ["一些 人", "周三 下午", "十分 高兴", "二氧化碳", "进 一 步", "两 国"])
def test_what_is_no_number(text: str) -> None:
    assert numbers(spelling(text)) == []


@pytest.mark.parametrize(
    ("source", "output", "same"),
    [
        ("百分 之 十 五", "15 %", True),
        ("三分 之 二", "三分 之一", False),
        ("3012 人", "3000 人", True),
        ("3000 人", "3012 人", False),
        ("5300 人", "数千 人", True),
        ("数千 人", "数十 人", False),
        ("3 年", "3 天", False),
        ("第三 名", "3 %", False),
        ("四分 之一", "25 %", True),
    ],
)
def test_which_numbers_say_the_same(source: str, output: str, same: bool) -> None:
    assert bool(match(numbers(spelling(source)), numbers(spelling(output)))) is same


def test_listed_words_are_found_however_a_text_is_cut() -> None:
    places = {place.word for place in listed_places(spelling("转化 为 水"))}
    assert {"转化", "转化为", "为"} & places >= {"转化", "转化为"}
    assert "打败" in replacements("击败")
    assert "击败" not in replacements("失败")


@pytest.mark.parametrize(
    ("first", "second", "opposed"),
    [
        ("上调", "下调", True),
        ("较低", "更高", True),
        ("减少", "多", True),
        ("批准", "否决", True),
        ("提高", "增加", False),
        ("减少", "降低", False),
    ],
)
def test_opposites(first: str, second: str, opposed: bool) -> None:
    assert are_opposed(first, second, ChineseFacts()) is opposed
    assert are_opposed(second, first, ChineseFacts()) is opposed


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("他 没有 批准 法案", [1]),
        ("不仅 好 而且 便宜", []),
        ("公司 否认 正在 谈判", [1]),
        ("他们 在 想 要 不要 去", []),
        ("自强 不息 的 传统", []),
        ("看法 不 同", []),
    ],
)
def test_words_that_deny(text: str, tokens: list[int]) -> None:
    assert find_negations(spelling(text), ChineseFacts()) == tokens


@pytest.mark.parametrize(
    ("source", "good", "bad", "kind"),
    [
        (
            "由于证据不足，专家组没有批准该疫苗用于儿童。",
            "证据不够，专家没有同意给孩子用这种疫苗。",
            "证据不够，专家同意给孩子用这种疫苗。",
            "polarity",
        ),
        (
            "该市去年接待游客三百二十万人次，增长百分之十五。",
            "这座城市去年有320万名游客，增加了15%。",
            "这座城市去年有320万名游客，增加了5%。",
            "number",
        ),
        (
            "在决赛中，巴西队击败意大利队，夺得冠军。",
            "决赛中，意大利队被巴西队打败，巴西队得了冠军。",
            "在决赛中，意大利队击败巴西队，夺得冠军。",
            "role",
        ),
        (
            "央行周三宣布下调基准利率，以刺激经济。",
            "央行周三说，要降低利率来刺激经济。",
            "央行周三宣布上调基准利率，以刺激经济。",
            "opposite",
        ),
        (
            "大多数受访者对社区的医疗服务表示满意。",
            "多数人对社区的医疗服务满意。",
            "少数受访者对社区的医疗服务表示满意。",
            "quantity",
        ),
        (
            "驾驶机动车时，乘客必须系好安全带。",
            "开车时，乘客一定要系安全带。",
            "驾驶机动车时，乘客可以系好安全带。",
            "duty",
        ),
        (
            "由于连日暴雨，河水上涨，导致村庄被淹。",
            "连着几天下大雨，河水上涨，所以村庄被淹了。",
            "由于村庄被淹，河水上涨，导致连日暴雨。",
            "role",
        ),
        (
            "患者在接受手术之前需要完成血液检查。",
            "病人做手术前要先验血。",
            "患者在完成血液检查之前需要接受手术。",
            "order",
        ),
        (
            "市政府决定拨款修复这座古城墙。",
            "市政府决定出钱修理这座古城墙。",
            "市政府决定拨款参观这座古城墙。",
            "replaced",
        ),
        (
            "法院以受贿罪判处该官员有期徒刑十二年。",
            "法院判这名官员犯了受贿罪，坐牢十二年。",
            "法院以受贿罪和贪污罪判处该官员有期徒刑十二年。",
            "added",
        ),
        (
            "诺贝尔生于瑞典首都斯德哥尔摩，后来迁居俄国。",
            "诺贝尔出生在瑞典首都斯德哥尔摩，后来搬到俄国。",
            "诺贝尔生于挪威首都奥斯陆，后来迁居俄国。",
            "name",
        ),
        (
            "哥哥替弟弟还清了欠银行的债务，弟弟为此感激不已。",
            "哥哥替弟弟还清了欠银行的钱，弟弟很感激。",
            "弟弟替哥哥还清了欠银行的债务，哥哥为此感激不已。",
            "role",
        ),
        (
            "该疫苗可能会降低重症的发生率。",
            "这种疫苗也许会降低重症的发生率。",
            "该疫苗一定会降低重症的发生率。",
            "certainty",
        ),
    ],
)
def test_what_is_said_otherwise_is_worse_than_what_is_said_plainly(
    scorer: sema.Scorer, source: str, good: str, bad: str, kind: str
) -> None:
    plain, false_alarms = reasons(scorer, source, good)
    wrong, found = reasons(scorer, source, bad)
    assert kind in found
    assert not false_alarms
    assert wrong < plain


def test_clauses_change_places_and_time_moves_at_no_great_cost(scorer: sema.Scorer) -> None:
    source = "周四，总理在柏林会见了外长，双方签署了协议。"
    moved, found = reasons(scorer, source, "双方签署了协议，周四，总理在柏林会见了外长。")
    assert not found
    assert moved > 95
    moved, found = reasons(scorer, source, "总理周四在柏林会见了外长，双方签署了协议。")
    assert not found
    assert moved > 90


def test_a_plainer_word_that_no_list_has_costs_less_than_another_thing(scorer: sema.Scorer) -> None:
    source = "这种燃料受到越来越多企业的青睐。"
    plainer, _ = reasons(scorer, source, "这种燃料受到越来越多企业的喜欢。")
    other, found = reasons(scorer, source, "这种燃料受到越来越多企业的抵制。")
    assert found == {"replaced"}
    assert other < 60 < plainer


def test_traditional_characters_say_the_same(scorer: sema.Scorer) -> None:
    assert reasons(scorer, "總統沒有批准這項法案。", "总统没有批准这个法案。")[0] > 80
    assert "polarity" in reasons(scorer, "總統沒有批准這項法案。", "总统批准了这个法案。")[1]


def test_chinese_facts_read_pairs() -> None:
    assert isinstance(ChineseFacts(), ReadsPairs)
