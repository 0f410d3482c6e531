"""One small file of every coreference format, in exactly the form that its corpus has."""

from __future__ import annotations

CONLL = """#begin document (nw/elm/0001); part 000
nw/elm/0001\t0\t0\tVera\tNNP\t(TOP(S(NP*)\t-\t-\t-\tSpeaker#1\t(PERSON)\t(0)
nw/elm/0001\t0\t1\tcan\tMD\t(VP*\t-\t-\t-\tSpeaker#1\t*\t-
nw/elm/0001\t0\t2\tnot\tRB\t*\t-\t-\t-\tSpeaker#1\t*\t-
nw/elm/0001\t0\t3\tsee\tVB\t*\t-\t-\t-\tSpeaker#1\t*\t-
nw/elm/0001\t0\t4\ther\tPRP$\t(NP*\t-\t-\t-\tSpeaker#1\t*\t(1|(0)
nw/elm/0001\t0\t5\tferry\tNN\t*)))\t-\t-\t-\tSpeaker#1\t*\t1)
nw/elm/0001\t0\t6\t.\t.\t*))\t-\t-\t-\tSpeaker#1\t*\t-

nw/elm/0001\t0\t0\tIt\tPRP\t*\t-\t-\t-\tSpeaker#1\t*\t(1)
nw/elm/0001\t0\t1\tsank\tVBD\t*\t-\t-\t-\tSpeaker#1\t*\t-
nw/elm/0001\t0\t2\t.\t.\t*\t-\t-\t-\tSpeaker#1\t*\t-

#end document
#begin document (nw/elm/0001); part 001
nw/elm/0001\t1\t0\tRain\tNN\t*\t-\t-\t-\t-\t*\t(0)
nw/elm/0001\t1\t1\tfell\tVBD\t*\t-\t-\t-\t-\t*\t-

#end document
"""

LITBANK = """#begin document (12_elm_brat); part 0
12_elm_brat\t0\t0\tThe\t_\t_\t_\t_\t_\t_\t_\t_\t(2
12_elm_brat\t0\t1\tferry\t_\t_\t_\t_\t_\t_\t_\t_\t2)
12_elm_brat\t0\t2\tsank\t_\t_\t_\t_\t_\t_\t_\t_\t

#end document
"""

ONTOGUM = (
    "# begin document \n0\tVera\t(1)\n1\tand\t_\n2\ther\t(4(1)\n3\tferry\t4)\n4\t.\t_\n"
    "# end document\n# begin document named\n0\tIt\t_\n# end document\n"
)

ENTITY = "GRP-etype-infstat-salience-centering-minspan-link-identity"
GUM = f"""# newdoc id = GUM_news_elm
# global.Entity = {ENTITY}
# meta::dateCreated = 2019-05-04
# meta::title = A ferry sinks
# newpar
# sent_id = GUM_news_elm-1
# text = The old ferry "Elm-Tide" can't swim.
1\tThe\tthe\tDET\tDT\t_\t3\tdet\t3:det\tEntity=(1-object-new-nnn-cf1-3-coref
2\told\told\tADJ\tJJ\tDegree=Pos\t3\tamod\t3:amod\t_
3\tferry\tferry\tNOUN\tNN\tNumber=Sing\t8\tnsubj\t8:nsubj\t_
4\t"\t"\tPUNCT\t``\t_\t5\tpunct\t5:punct\tSpaceAfter=No
5\tElm-Tide\tElm-Tide\tPROPN\tNNP\t_\t3\tappos\t3:appos\tEntity=(1-object-giv:act-nnn-cf1-1-appos-Elm%2DTide_%28ship%29)|SpaceAfter=No
6\t"\t"\tPUNCT\t''\t_\t5\tpunct\t5:punct\tEntity=1)
7-8\tcan't\t_\t_\t_\t_\t_\t_\t_\t_
7\tca\tcan\tAUX\tMD\t_\t9\taux\t9:aux\tSpaceAfter=No
8\tn't\tnot\tPART\tRB\t_\t9\tadvmod\t9:advmod\t_
9\tswim\tswim\tVERB\tVB\t_\t0\troot\t0:root\tSpaceAfter=No
10\t.\t.\tPUNCT\t.\t_\t9\tpunct\t9:punct\t_

# sent_id = GUM_news_elm-2
# text = It sank.
1\tIt\tit\tPRON\tPRP\t_\t2\tnsubj\t2:nsubj\tBridge=1<2|Entity=(1-object-giv:act-nnn-cf1-1-ana)
2\tsank\tsink\tVERB\tVBD\t_\t0\troot\t0:root\tEntity=(2-event-new-nnn-cf2-1-sgl)|SpaceAfter=No
3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t2:punct\t_

"""

COREFUD = """# newdoc id = pieces
# global.Entity = eid-etype-head-other
# sent_id = pieces-1
# text = Vera took the whole thing in .
1\tVera\tVera\tPROPN\tNNP\t_\t2\tnsubj\t_\tEntity=(e1-person-1)
2\ttook\ttake\tVERB\tVBD\t_\t0\troot\t_\tEntity=(e2[1/2]-event-1)
3\tthe\tthe\tDET\tDT\t_\t5\tdet\t_\tEntity=(e3-abstract-3-note:sure
3.1\t_\t_\tPRON\t_\t_\t_\t_\t_\tEntity=(e1-person-1)
4\twhole\twhole\tADJ\tJJ\t_\t5\tamod\t_\t_
5\tthing\tthing\tNOUN\tNN\t_\t2\tobj\t_\tEntity=e3)
6\tin\tin\tADP\tRP\t_\t2\tcompound:prt\t_\tEntity=(e2[2/2]-event-1)
7\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

"""

GAP_HEADER = "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL\n"
GAP = (
    f"{GAP_HEADER}development-1\tVera met Ada Stone when she lost the ferry.\tshe\t24"
    "\tVera\t0\tTRUE\tAda Stone\t9\tFALSE\thttp://example.org/elm\n"
    "development-2\tVera met Ada before her talk.\ther\t20\tVera\t0\tFALSE\tAda\t9\tFALSE\t\n"
)

ECBPLUS = """<Document doc_name="9_1ecb.xml" doc_id="DOC1">
<token t_id="1" sentence="0" number="0">Vera</token>
<token t_id="2" sentence="0" number="1">checked</token>
<token t_id="3" sentence="0" number="2">herself</token>
<token t_id="4" sentence="0" number="3">in</token>
<token t_id="5" sentence="0" number="4">.</token>
<token t_id="6" sentence="1" number="0">R&amp;B</token>
<token t_id="7" sentence="1" number="1">played</token>
<token t_id="8" sentence="1" number="2">.</token>
<Markables>
<ACTION_OCCURRENCE m_id="11"  >
  <token_anchor t_id="2"/>
  <token_anchor t_id="4"/>
</ACTION_OCCURRENCE>
<HUMAN_PART_PER m_id="12"  >
  <token_anchor t_id="1"/>
</HUMAN_PART_PER>
<HUMAN_PART_PER m_id="13" note="byCROMER" >
  <token_anchor t_id="3"/>
</HUMAN_PART_PER>


<ACTION_OCCURRENCE m_id="14" RELATED_TO="" TAG_DESCRIPTOR="t9_check_in" instance_id="ACT77" />
<UNKNOWN_INSTANCE_TAG m_id="15" RELATED_TO="" TAG_DESCRIPTOR=""  />
</Markables>

<Relations>
<CROSS_DOC_COREF r_id="501" note="ACT77" >
  <source m_id="11" />
  <target m_id="14" />
</CROSS_DOC_COREF>
<INTRA_DOC_COREF r_id="502" >
  <source m_id="12" />
  <source m_id="13" />
  <target m_id="15" />
</INTRA_DOC_COREF>

</Relations>
</Document>
"""

MUC = """<DOC>
<DOCNO> 940105-0001 </DOCNO>
<HL> Ferry Sinks </HL>
<TXT>
<COREF ID="1" MIN="ferry">The old
ferry of <COREF ID="2">Elm &amp; Sons</COREF></COREF> sank.
<COREF ID="3" REF="1" TYPE="IDENT" STATUS="OPT">It</COREF>
was London-based; <COREF ID="4" REF="2" TYPE="IDENT">Elm</COREF>-owned.
</TXT>
</DOC>
"""

JSONL = (
    '{"id": "j", "text": "Vera saw her ferry.", "metadata": {"title": "Elm"}, "layers": '
    '{"chains": {"made": {"by": "x"}, "items": [{"id": "j#0", "mentions": ['
    '{"start": 0, "end": 4}, {"start": 9, "end": 12, "optional": true}], "type": "PER"}]}}}\n'
)

SAMPLES = {
    "conll": CONLL,
    "ontogum": ONTOGUM,
    "corefud": GUM,
    "gap": GAP,
    "ecbplus": ECBPLUS,
    "muc": MUC,
    "jsonl": JSONL,
}
