"""Chinese facts, kind by kind: what contradicts its source is told, and what says the same is not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import sema
from sema.languages import find_language
from sema.meaning import Conflict, Kind, conflicts

Read = Callable[[str, str], tuple[float, list[Conflict]]]


@pytest.fixture(scope="module")
def scorer() -> sema.Scorer:
    return sema.Scorer("zh", ["meaning"], options={"meaning.reader": "none"})


@pytest.fixture(scope="module")
def read(scorer: sema.Scorer) -> Read:
    readers = find_language("zh").parts().fact_readers

    def read(source: str, output: str) -> tuple[float, list[Conflict]]:
        (item,) = scorer.score([source], {"output": [output]}).systems[0].items
        assert item.item is not None
        return item.scores["meaning"], conflicts(item.item, readers)

    return read


CONFLICTS = [
    (Kind.DEGREE, "只有持票观众可以入场。", "没有票的观众不能入场。", "只有持票观众不能入场。"),
    (
        Kind.NUMBER,
        "该市去年接待游客三百二十万人次，增长百分之十五。",
        "这座城市去年有320万名游客，增加了15%。",
        "这座城市去年有320万名游客，增加了5%。",
    ),
    (
        Kind.OPPOSITE,
        "央行周三宣布下调基准利率，以刺激经济。",
        "央行周三说，要降低利率来刺激经济。",
        "央行周三宣布上调基准利率，以刺激经济。",
    ),
    (
        Kind.DEGREE,
        "大多数受访者对社区的医疗服务表示满意。",
        "多数人对社区的医疗服务满意。",
        "少数受访者对社区的医疗服务表示满意。",
    ),
    (
        Kind.DEGREE,
        "驾驶机动车时，乘客必须系好安全带。",
        "开车时，乘客一定要系安全带。",
        "驾驶机动车时，乘客可以系好安全带。",
    ),
    (
        Kind.OPPOSITE,
        "哥哥替弟弟还清了欠银行的债务，弟弟为此感激不已。",
        "哥哥替弟弟还清了欠银行的钱，弟弟很感激。",
        "弟弟替哥哥还清了欠银行的债务，哥哥为此感激不已。",
    ),
    (
        Kind.DEGREE,
        "受访的家长中，约半数支持推迟上课时间，其余尚未表态。",
        "问到的家长里，一半左右同意晚点上课，其他人还没有表态。",
        "受访的家长中，绝大多数支持推迟上课时间，其余尚未表态。",
    ),
    (Kind.OPPOSITE, "董事会授权总经理出售旧厂房。", "董事会允许总经理卖掉旧厂房。", "董事会要求总经理出售旧厂房。"),
    (
        Kind.ROLE,
        "天宝年间，御史王某检举当朝宰相受贿，朝野震动。",
        "天宝年间，姓王的御史告发当朝宰相受贿，朝廷内外都很震惊。",
        "天宝年间，当朝宰相检举御史王某受贿，朝野震动。",
    ),
    (
        Kind.ROLE,
        "主队以三十比四十五惜败于客队，未能晋级。",
        "客队以四十五比三十赢了主队，主队没有晋级。",
        "主队以四十五比三十赢了客队，客队没有晋级。",
    ),
    (
        Kind.DEGREE,
        "该处方药未经医师指导不得与抗凝血剂同时服用。",
        "没有医生的指导，不能把这种药和抗凝血药一起吃。",
        "该处方药未经医师指导可以与抗凝血剂同时服用。",
    ),
    (
        Kind.ROLE,
        "这名记者被市长指责歪曲了会议的内容。",
        "市长批评这名记者，说他没有如实报道会议内容。",
        "这名记者批评市长，说他没有如实报道会议内容。",
    ),
    (
        Kind.ROLE,
        "年迈的画家向博物馆捐赠了毕生收藏的数百幅画作。",
        "老画家把一辈子收集的几百幅画都送给了博物馆。",
        "博物馆把一辈子收集的几百幅画都送给了老画家。",
    ),
    (Kind.ROLE, "学生向图书馆借来了这本词典。", "图书馆把这本词典借给了学生。", "学生把这本词典借给了图书馆。"),
    (Kind.ROLE, "铜的导电性能优于铝。", "铜导电比铝好。", "铝导电比铜好。"),
]
ALONE = [
    (Kind.DEGREE, "馆内禁止拍照。", "馆内允许拍照。"),
    (Kind.DEGREE, "未成年人不得进入会场。", "未成年人可以进入会场。"),
    (Kind.DEGREE, "规定禁止在山上向游客出售活鱼。", "规定允许在山上把活鱼卖给游客。"),
    (Kind.OPPOSITE, "病房谢绝访客。", "病房欢迎访客。"),
]
OTHER = [
    (
        "在决赛中，巴西队击败意大利队，夺得冠军。",
        "决赛中，意大利队被巴西队打败，巴西队得了冠军。",
        "在决赛中，意大利队击败巴西队，夺得冠军。",
    ),
    ("市政府决定拨款修复这座古城墙。", "市政府决定出钱修理这座古城墙。", "市政府决定拨款参观这座古城墙。"),
    (
        "法院以受贿罪判处该官员有期徒刑十二年。",
        "法院判这名官员犯了受贿罪，坐牢十二年。",
        "法院以受贿罪和贪污罪判处该官员有期徒刑十二年。",
    ),
    (
        "粮食价格入夏以来一路走高，农户惜售。",
        "粮食价格夏天以来一直在涨，农户不想卖。",
        "粮食价格夏天以来一直在跌，农户不想卖。",
    ),
    (
        "护士请邮差把包裹转交给病人，病人随后签收。",
        "护士让邮差把包裹交给病人，病人随后签收了。",
        "护士让邮差把包裹交给病人，邮差随后签收了。",
    ),
    (
        "律师告诉当事人，法院已经驳回了当事人的上诉。",
        "律师对当事人说，法院没有接受他的上诉。",
        "律师告诉当事人，法院已经驳回了律师的上诉。",
    ),
]
SAME = [
    ("该品种水稻耐旱能力强。", "这种水稻不怕旱。"),
    ("他以一个神差鬼使的入球赢得了比赛。", "他用一个没有想到的入球赢得了比赛。"),
    ("具体工作由就业管理机构组织实施。", "就业管理机构组织实施具体工作。"),
    ("拥有一个深水良港，是开发区的有利条件。", "开发区的有利条件，是拥有一个深水良港。"),
    ("粮食收成仅相当于中等水平，因此还有提高余地。", "粮食的收成和中等水平差不多，还可以再提高一些。"),
    ("二十多年前，他是个农民，直到天黑回家。", "二十多年前，他是个农民，天黑才回家。"),
    ("调查组排除了人为纵火的可能。", "调查组认为不是有人放火。"),
    ("他开辟了两国关系的新局面。", "他开创了两国关系的新局面。"),
    ("他依靠锲而不舍的追求取得了成功。", "他依靠永不放弃的追求取得了成功。"),
    ("船长不得不改变航线。", "船长只好改变航线。"),
    ("她从不参加聚会。", "她从来不参加聚会。"),
    ("游客须购票方可入园。", "游客要买票才可以进园。"),
    ("年逾八旬的老人独自登山。", "八十多岁的老人一个人爬山。"),
    ("利润降幅较去年收窄。", "利润降得没有去年那么多。"),
    ("若对花生过敏，或正在发烧，则不得接种。", "对花生过敏的人不能接种。正在发烧的人也不能接种。"),
    ("爷爷嘱咐她不要碰桌上的药。", "爷爷告诉她别碰桌上的药。"),
    ("他出生在粤西山区。", "他出生在广东西部的山区。"),
    ("入会者最低年龄为十六岁。", "入会的人必须超过十六岁。"),
    ("申请人需要提供护照或身份证。", "申请人要提供护照或者身份证。"),
    ("这是全省最长的桥。", "这座桥是全省最长的。"),
    ("她是队里最年轻的选手。", "她是队里最小的选手。"),
    ("馆内禁止拍照。", "馆内不允许拍照。"),
    ("未成年人不得进入会场。", "未成年人不能进入会场。"),
    ("旅行社提供导游、司机或翻译。", "旅行社提供导游、司机或者翻译。"),
    ("她要么学医，要么学法律。", "她学医或者学法律。"),
    ("这家店的面条价格最低。", "这家店的面条最便宜。"),
    ("这是县里历史最悠久的工厂。", "这是县里最老的工厂。"),
    ("这是县里面积最大的湖。", "这是县里最大的湖。"),
    ("规定禁止在山上向游客出售活鱼。", "按照规定，不能在山上把活鱼卖给游客。"),
    ("今年的产量创下历史最好水平。", "今年的产量达到了历史最高水平。"),
]


@pytest.mark.parametrize(("kind", "source", "good", "bad"), CONFLICTS)
def test_contradictions_have_a_kind_and_score_below_paraphrases(
    read: Read, kind: Kind, source: str, good: str, bad: str
) -> None:
    plain, none = read(source, good)
    wrong, some = read(source, bad)
    assert not none
    assert kind in {conflict.kind for conflict in some}
    assert wrong < plain


@pytest.mark.parametrize(("kind", "source", "output"), ALONE)
def test_a_contradiction_has_its_kind(read: Read, kind: Kind, source: str, output: str) -> None:
    assert kind in {conflict.kind for conflict in read(source, output)[1]}


@pytest.mark.parametrize(("source", "good", "bad"), OTHER)
def test_other_changes_score_below_paraphrases(read: Read, source: str, good: str, bad: str) -> None:
    assert read(source, bad)[0] < read(source, good)[0]


@pytest.mark.parametrize(("source", "output"), SAME)
def test_paraphrases_are_no_conflict(read: Read, source: str, output: str) -> None:
    assert read(source, output)[1] == []


def test_traditional_characters_give_the_same_facts(read: Read) -> None:
    score, none = read("總統批准了這項法案。", "总统批准了这个法案。")
    assert score > 80
    assert not none
    assert Kind.OPPOSITE in {one.kind for one in read("總統批准了這項法案。", "总统否决了这个法案。")[1]}


def test_clauses_change_places_and_time_moves_without_a_conflict(read: Read) -> None:
    source = "周四，总理在柏林会见了外长，双方签署了协议。"
    for output in ("双方签署了协议，周四，总理在柏林会见了外长。", "总理周四在柏林会见了外长，双方签署了协议。"):
        score, none = read(source, output)
        assert not none
        assert score > 90


def test_a_copy_scores_100(scorer: sema.Scorer) -> None:
    text = "之所以选择在武汉设立办事处，是因为武汉水陆交通便利。"
    report = scorer.score([text, text], [text, text + "他很高兴。"])
    assert report.systems[0].items[0].scores["meaning"] == 100
    scenes = report.evidence(1)["output"]["source_scenes"]
    assert not any(reason["kind"] == "order" for scene in scenes for reason in scene["because"])
