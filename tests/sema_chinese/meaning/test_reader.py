"""The Chinese cross-encoder: what it is given, and a floor for what it makes of it."""

from functools import partial

import pytest
from sema_chinese.language import segmenter
from sema_chinese.meaning.reader import ChineseReader
from sema_chinese.relations import spell

from sema.model.text import Text


@pytest.fixture(scope="module")
def reader() -> ChineseReader:
    return ChineseReader()


def texts(*raw: str) -> list[Text]:
    return list(segmenter().segment(list(raw)))


def test_both_scripts_are_cut_alike(reader: ChineseReader) -> None:
    simplified, traditional = texts("委员会在三月否决了这个计划。", "委員會在三月否決了這個計劃。")
    spelling = partial(spell, numerals=False)
    assert reader.cutter.pieces(simplified, spelling).ids == reader.cutter.pieces(traditional, spelling).ids


def test_a_pair_reads_the_same_in_both_scripts(reader: ChineseReader) -> None:
    source, simplified, traditional = texts("委员会否决了计划。", "计划被否决了。", "計劃被否決了。")
    one, other = reader.read([(source, simplified), (source, traditional)])
    assert one == other


TRIPLES = [
    ("这座桥用了四年时间修建，于1931年通车。", "这座桥修了四年，1931年通车。", "这座桥修了四年，1961年通车。"),
    ("一个男孩在公园里骑自行车。", "一个孩子在公园骑车。", "一个男孩在公园里卖自行车。"),
    ("医生建议病人每天散步半小时。", "医生让病人每天走半个小时。", "病人建议医生每天散步半小时。"),
    ("公司去年的利润增加了一倍。", "去年公司赚的钱是以前的两倍。", "公司去年的利润减少了一半。"),
    ("地震没有造成人员死亡。", "地震中没有人死亡。", "地震造成人员死亡。"),
    ("所有学生都通过了考试。", "考试中，学生全部通过。", "只有少数学生通过了考试。"),
    ("老师把书借给了学生。", "学生从老师那里借到了书。", "学生把书借给了老师。"),
    ("博物馆周一闭馆。", "博物馆星期一不开门。", "博物馆周一开门。"),
    ("这种药可能引起头痛。", "吃这种药也许会头痛。", "这种药可以治头痛。"),
    ("比赛因为大雨推迟到周六。", "下大雨，比赛改到了星期六。", "比赛因为大雨取消了。"),
]
FLOOR = 7


def test_a_faithful_text_is_above_a_misleading_one(reader: ChineseReader) -> None:
    split = [texts(*triple) for triple in TRIPLES]
    good = reader.read([(source, faithful) for source, faithful, _ in split])
    bad = reader.read([(source, wrong) for source, _, wrong in split])
    assert sum(a.output_entailed[0] > b.output_entailed[0] for a, b in zip(good, bad, strict=True)) >= FLOOR
