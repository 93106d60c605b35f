"""What `meaning` knows of Chinese: numbers, listed words, and what an output says otherwise."""

from __future__ import annotations

import pytest
from sema_chinese.facts import ChineseFacts
from sema_chinese.meaning.negation import find_negations
from sema_chinese.meaning.numbers import match, numbers
from sema_chinese.meaning.pair import ChinesePair
from sema_chinese.meaning.people import are_others
from sema_chinese.meaning.said import are_opposed
from sema_chinese.meaning.spelling import Spelling
from sema_chinese.meaning.wording import listed_places, replacements

import sema
from sema.meaning.views import scene_views
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
    "reference",
    "dropped",
    "condition",
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
    said = {reason.kind for scene in scenes for reason in scene.because}
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
        ("首 届 比赛", 1, "ordinal"),
        ("半数 以上", 50, "%"),
        ("4 月 8 号", 4, "月"),
        ("一成 半", 15, "%"),
        ("三成 五", 35, "%"),
        ("七旬 老人", 70, "岁"),
        ("两 个 百分点", 2, "%"),
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
        ("1903 年", "1930 年", False),
        ("八十 年代", "1980 年 之后", True),
        ("半数", "五成", True),
        ("一成 半", "百分之 十 五", True),
        ("千分 之一", "一 千 分之一", True),
        ("千分 之一", "百分 之一", False),
        ("千分 之五", "百分 之 零点五", True),
        ("八 至 九 个 月", "八九 个 月", True),
        ("十七八 岁", "十七 岁", True),
        ("十七八 岁", "十九 岁", False),
        ("一两万 人", "1 、 2万 人", True),
        ("二十一 世纪", "2000 年 以后", True),
        ("二十一 世纪", "1900 年 以后", False),
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
        ("他 并 无抢 跑 行为", [2]),
        ("今年 没有 去年 那么 多", []),
        ("他 没有 来", [1]),
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


@pytest.mark.parametrize(
    ("source", "good", "bad", "kind"),
    [
        (
            "受访的家长中，约半数支持推迟上课时间，其余尚未表态。",
            "问到的家长里，一半左右同意晚点上课，其他人还没有表态。",
            "受访的家长中，绝大多数支持推迟上课时间，其余尚未表态。",
            "quantity",
        ),
        (
            "该行规定，每位客户每日取款以五次为限。",
            "这家银行规定，每个客户每天取款最多五次。",
            "该行规定，每位客户每日取款不少于五次。",
            "quantity",
        ),
        (
            "学校计划在明年秋季开设编程课程。",
            "学校打算明年秋天开编程课。",
            "学校必须在明年秋季开设编程课程。",
            "certainty",
        ),
        (
            "董事会授权总经理出售旧厂房。",
            "董事会允许总经理卖掉旧厂房。",
            "董事会要求总经理出售旧厂房。",
            "opposite",
        ),
        (
            "这家工厂因原料短缺而推迟了交货，客户纷纷投诉。",
            "这家工厂缺原料，所以晚交了货，客户都来投诉。",
            "这家工厂因推迟了交货而原料短缺，客户纷纷投诉。",
            "order",
        ),
        (
            "天宝年间，御史王某检举当朝宰相受贿，朝野震动。",
            "天宝年间，姓王的御史告发当朝宰相受贿，朝廷内外都很震惊。",
            "天宝年间，当朝宰相检举御史王某受贿，朝野震动。",
            "role",
        ),
        (
            "主队以三十比四十五惜败于客队，未能晋级。",
            "客队以四十五比三十赢了主队，主队没有晋级。",
            "主队以四十五比三十赢了客队，客队没有晋级。",
            "role",
        ),
        (
            "蓝色球衣应在主场穿着，黄色球衣则应在客场穿着。",
            "主场穿蓝色的球衣，客场穿黄色的球衣。",
            "主场穿黄色的球衣，客场穿蓝色的球衣。",
            "role",
        ),
        (
            "粮食价格入夏以来一路走高，农户惜售。",
            "粮食价格夏天以来一直在涨，农户不想卖。",
            "粮食价格夏天以来一直在跌，农户不想卖。",
            "opposite",
        ),
        (
            "护士请邮差把包裹转交给病人，病人随后签收。",
            "护士让邮差把包裹交给病人，病人随后签收了。",
            "护士让邮差把包裹交给病人，邮差随后签收了。",
            "reference",
        ),
    ],
)
def test_other_shares_limits_causes_and_sides_are_worse_than_what_is_said_plainly(
    scorer: sema.Scorer, source: str, good: str, bad: str, kind: str
) -> None:
    plain, false_alarms = reasons(scorer, source, good)
    wrong, found = reasons(scorer, source, bad)
    assert kind in found
    assert not false_alarms
    assert wrong < plain


def test_ones_own_for_anothers_costs_little(scorer: sema.Scorer) -> None:
    source = "校长给走失的孩子买了午饭，又派人寻找其家人。"
    own, found = reasons(scorer, source, source.replace("其", "自己"))
    other, none = reasons(scorer, source, source.replace("其", "他"))
    assert "reference" in found
    assert not none
    assert 80 < own < other


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


@pytest.mark.parametrize(
    ("source", "good", "bad", "kind"),
    [
        (
            "除非遇到自然灾害，承运方应按约定时间将货物送达。",
            "如果没有自然灾害，运货的一方要按说好的时间送到。",
            "承运方应按约定时间将货物送达。",
            "dropped",
        ),
        (
            "除周一闭馆外，美术馆每日上午十时至下午六时对公众开放。",
            "美术馆每天上午十点到下午六点开门，周一不开。",
            "美术馆每日上午十时至下午六时对公众开放。",
            "dropped",
        ),
        (
            "持有残疾证的乘客，在工作日可免费乘坐地铁。",
            "有残疾证的人，工作日坐地铁不要钱。",
            "乘客在工作日可免费乘坐地铁。",
            "dropped",
        ),
        (
            "这种新药能够有效缓解疼痛，但对疾病本身并无治疗作用。",
            "这种新药止痛效果不错，可是治不了病。",
            "这种新药能够有效缓解疼痛。",
            "dropped",
        ),
        (
            "如果天气条件允许，飞船将于本周六上午发射升空。",
            "要是天气合适，飞船这个星期六上午就会发射。",
            "无论天气条件如何，飞船都将于本周六上午发射升空。",
            "condition",
        ),
        (
            "母亲把外婆留下的玉镯交给了姐姐，嘱咐她好好保管。",
            "妈妈把外婆留下的玉手镯给了姐姐，让姐姐好好收着。",
            "母亲把奶奶留下的玉镯交给了姐姐，嘱咐她好好保管。",
            "reference",
        ),
        (
            "律师告诉当事人，法院已经驳回了当事人的上诉。",
            "律师对当事人说，法院没有接受他的上诉。",
            "律师告诉当事人，法院已经驳回了律师的上诉。",
            "reference",
        ),
        (
            "该公司指责供应商延误交货，后者则表示延误是疫情造成的。",
            "这家公司怪供应商送货晚，供应商说是因为疫情。",
            "这家公司怪供应商送货晚，这家公司说是因为疫情。",
            "reference",
        ),
        (
            "市政府计划在三年内建成两条轻轨线路。",
            "市政府打算三年里修好两条轻轨。",
            "市政府已在三年内建成两条轻轨线路。",
            "certainty",
        ),
        (
            "该处方药未经医师指导不得与抗凝血剂同时服用。",
            "没有医生的指导，不能把这种药和抗凝血药一起吃。",
            "该处方药未经医师指导可以与抗凝血剂同时服用。",
            "duty",
        ),
        (
            "选手须完成游泳项目后，方可开始骑行。",
            "选手先游泳，游完才能骑车。",
            "选手先骑车，骑完才能游泳。",
            "order",
        ),
        (
            "他先在乡镇医院实习，后调入省城的大医院工作。",
            "他先在乡镇医院实习，后来到省城的大医院工作。",
            "他先在省城的大医院工作，后来到乡镇医院实习。",
            "order",
        ),
        (
            "这名记者被市长指责歪曲了会议的内容。",
            "市长批评这名记者，说他没有如实报道会议内容。",
            "这名记者批评市长，说他没有如实报道会议内容。",
            "role",
        ),
        (
            "在决赛中，年仅十六岁的新秀击败了卫冕冠军。",
            "决赛里，上届冠军输给了才十六岁的新人。",
            "决赛里，才十六岁的新人输给了上届冠军。",
            "role",
        ),
        (
            "年迈的画家向博物馆捐赠了毕生收藏的数百幅画作。",
            "老画家把一辈子收集的几百幅画都送给了博物馆。",
            "博物馆把一辈子收集的几百幅画都送给了老画家。",
            "role",
        ),
        (
            "学生向图书馆借来了这本词典。",
            "图书馆把这本词典借给了学生。",
            "学生把这本词典借给了图书馆。",
            "role",
        ),
        (
            "铜的导电性能优于铝。",
            "铜导电比铝好。",
            "铝导电比铜好。",
            "role",
        ),
    ],
)
def test_what_is_left_out_or_said_of_others_is_worse_than_what_is_said_plainly(
    scorer: sema.Scorer, source: str, good: str, bad: str, kind: str
) -> None:
    plain, false_alarms = reasons(scorer, source, good)
    wrong, found = reasons(scorer, source, bad)
    assert kind in found
    assert false_alarms <= {"replaced"}  # a slight one: 调入, 后来
    assert wrong < plain


@pytest.mark.parametrize(
    ("source", "output"),
    [
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
    ],
)
def test_another_way_to_say_it_is_no_contradiction(scorer: sema.Scorer, source: str, output: str) -> None:
    (item,) = scorer.score([source], {"output": [output]}).systems[0].items
    assert item.item is not None
    reading = ChinesePair(item.item, ChineseFacts())
    found = reading.contradictions(scene_views(item.item.graphs), scene_views(item.item.output_graphs))
    assert [one.reason for one in found if not one.slight] == []


@pytest.mark.parametrize(
    ("first", "second", "others"),
    [
        ("外婆", "奶奶", True),
        ("外婆", "姥姥", False),
        ("原告", "法官", True),
        ("原告", "护士", False),
        ("桌子", "法官", False),
    ],
)
def test_people_of_one_circle(first: str, second: str, others: bool) -> None:
    assert are_others(first, second) is others
    assert are_others(second, first) is others


def test_a_copy_says_what_its_source_says(scorer: sema.Scorer) -> None:
    """之所以 and 是因为 stand in one sentence without turning each other round."""
    text = "之所以选择在武汉设立办事处，是因为武汉水陆交通便利。"
    report = scorer.score([text, text], [text, text + "他很高兴。"])
    assert report.systems[0].items[0].scores["meaning"] == 100
    scenes = report.evidence(1)["output"]["source_scenes"]
    assert not any(reason["kind"].startswith("order") for scene in scenes for reason in scene["because"])
