"""Chinese facts on sentences that were written for this test: no rule was written for them, and none is to be.

What a rule is mended for goes to ``test_conflicts.py``.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

import sema
from sema.languages import find_language
from sema.meaning import Conflict, Kind, conflicts

ConflictsOf = Callable[[str, str], list[Conflict]]


@pytest.fixture(scope="module")
def scorer() -> sema.Scorer:
    return sema.Scorer("zh", ["meaning"])


@pytest.fixture(scope="module")
def conflicts_of(scorer: sema.Scorer) -> ConflictsOf:
    readers = find_language("zh").parts().fact_readers

    def read(source: str, output: str) -> list[Conflict]:
        (item,) = scorer.score([source], {"output": [output]}).systems[0].items
        assert item.item is not None
        return conflicts(item.item, readers)

    return read


CONFLICTS = [
    (Kind.DEGREE, "馆内禁止使用闪光灯拍照。", "馆内允许使用闪光灯拍照。"),
    (Kind.DEGREE, "未成年人不得进入游戏厅。", "未成年人可以进入游戏厅。"),
    (Kind.DEGREE, "游客可以在湖边露营。", "游客不能在湖边露营。"),
    (Kind.DEGREE, "外来车辆不准驶入校园。", "外来车辆可以开进校园。"),
    (Kind.DEGREE, "该区域允许垂钓。", "该区域严禁垂钓。"),
    (Kind.NUMBER, "图书馆藏书四十八万册。", "图书馆有84万册书。"),
    (Kind.OPPOSITE, "今年的粮食产量大幅增加。", "今年的粮食产量大幅减少。"),
    (Kind.DEGREE, "这条河冬天很少结冰。", "这条河冬天总是结冰。"),
    (Kind.NUMBER, "展览于三月十六日开幕。", "展览八月十六日开始。"),
    (Kind.ROLE, "猎豹追上了羚羊。", "羚羊追上了猎豹。"),
]


@pytest.mark.parametrize(("kind", "source", "output"), CONFLICTS)
def test_contradictions_are_reported(conflicts_of: ConflictsOf, kind: Kind, source: str, output: str) -> None:
    assert kind in [conflict.kind for conflict in conflicts_of(source, output)]


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("这是全省海拔最高的村庄。", "这是全省面积最大的村庄。"),
        ("泰山路是城里最长的街道。", "泰山路是城里最宽的街道。"),
        ("她是球队里年纪最小的队员。", "她是球队里个子最高的队员。"),
        ("这家店的面条价格最低。", "这家店的面条味道最好。"),
        ("这家旅馆的房费最贵。", "这家旅馆的房费最便宜。"),
    ],
)
def test_another_superlative_is_left_to_the_reader_of_pairs(scorer: sema.Scorer, source: str, output: str) -> None:
    assert scorer.score([source], [output]).systems[0].scores["meaning"] < 70


def test_every_kind_of_chinese_is_tested() -> None:
    readers = find_language("zh").parts().fact_readers
    assert {reader.kind for reader in readers} <= {kind for kind, _, _ in CONFLICTS}


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("旅客可以乘坐高铁或者长途汽车前往景区。", "去景区可以坐高铁，也可以坐长途汽车。"),
        ("小店出售茶叶、咖啡和点心。", "小店卖茶叶和咖啡，还有点心。"),
        ("父亲和母亲或祖父母须到场签字。", "爸爸妈妈或者爷爷奶奶要来签字。"),
        ("这是全省海拔最高的村庄。", "全省没有比这个村子更高的村子。"),
        ("长江是中国最长的河流，流域面积也最大。", "长江是中国最长的河，流经的地方面积最大。"),
        ("馆内禁止使用闪光灯拍照。", "馆内拍照不能用闪光灯。"),
        ("未成年人不得进入游戏厅。", "小孩子不可以进游戏厅。"),
        ("外来车辆经批准方可驶入校园。", "外来的车得到同意才能开进校园。"),
        ("图书馆藏书四十八万册。", "图书馆有480000本书。"),
        ("他不是不想来，而是没有时间。", "他想来，可是没时间。"),
        ("多数居民赞成修路。", "大部分居民同意修路。"),
        ("展览于三月十六日开幕。", "展览3月16日开始。"),
        ("羚羊被猎豹追上了。", "猎豹追上了羚羊。"),
        ("饭前要洗手。", "先洗手，再吃饭。"),
        ("如果下雨，比赛就取消。", "下雨的话，比赛取消。"),
        ("新桥计划明年通车。", "新桥打算明年开通。"),
        ("诗人李白生于公元701年。", "李白出生在701年，他是诗人。"),
    ],
)
def test_paraphrases_are_no_conflict(conflicts_of: ConflictsOf, source: str, output: str) -> None:
    assert conflicts_of(source, output) == []
