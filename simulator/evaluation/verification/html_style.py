"""The style of the HTML report: light and dark, wide and narrow, no font or picture from elsewhere."""

STYLE = (
    """
:root{color-scheme:light dark;--paper:#fbfbfa;--card:#fff;--ink:#1f2328;--soft:#59636e;--edge:#d9dde2;--accent:#2f6fb0;
--good:#1a7f37;--bad:#b42318;--warn:#8a5a00;--look:#0b6a8a;--tint:47,111,176}
@media(prefers-color-scheme:dark){:root{--paper:#14171a;--card:#1c2024;--ink:#e8eaed;--soft:#a3abb5;--edge:#353b42;
--accent:#6ea8dc;--good:#5fce7f;--bad:#ff8f85;--warn:#e6b450;--look:#6cc7e4;--tint:110,168,220}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:68rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h1{margin:0;font-size:1.7rem}h2{margin:2.5rem 0 .8rem;font-size:1.25rem}h3{margin:1.5rem 0 .5rem;font-size:1rem}
h4{margin:0 0 .3rem;font-size:.95rem;font-weight:400}p{margin:.2rem 0}
code{font:.88em ui-monospace,monospace;overflow-wrap:anywhere}
.fine{color:var(--soft);font-size:.8rem;overflow-wrap:anywhere}
header,article,figure{background:var(--card);border:1px solid var(--edge);border-radius:8px;padding:1rem 1.2rem}
header{border-top:4px solid var(--good)}header.failed{border-top-color:var(--bad)}
dl{display:flex;flex-wrap:wrap;gap:1rem 2.2rem;margin:1rem 0}dt{color:var(--soft);font-size:.8rem}
dd{margin:0;font-size:1.35rem;font-weight:600}
article{margin:.6rem 0;border-left:4px solid var(--edge)}
article.blocking{border-left-color:var(--bad)}article.warning{border-left-color:var(--warn)}
article.review{border-left-color:var(--look)}
.blocking .badge{color:var(--bad)}.warning .badge{color:var(--warn)}.review .badge{color:var(--look)}
.badge{font-weight:600}.advice::before{content:"→ "}
details{margin-top:.5rem}summary{cursor:pointer;color:var(--soft)}ol{margin:.4rem 0;padding-left:2rem}
li.here{font-weight:600;color:var(--bad)}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.88rem}
th,td{text-align:left;padding:.35rem .7rem;border-bottom:1px solid var(--edge);vertical-align:top}
thead th{color:var(--soft);font-weight:400}tbody th{font-weight:600}
tr.failed td:nth-child(2){color:var(--bad)}tr.passed td:nth-child(2){color:var(--good)}
td.rate{text-align:right}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,28rem),1fr));gap:1rem}
figure{margin:0}figcaption{font-weight:600;margin-bottom:.5rem}svg{width:100%;height:auto}
svg text{font:13px system-ui,sans-serif;fill:var(--ink)}svg .value{fill:var(--soft)}
.bar,.dot{fill:var(--accent)}.line{fill:none;stroke:var(--accent);stroke-width:2}
.axis,.grid{stroke:var(--edge)}
"""
    + "".join(f".r{tenth}{{background:rgba(var(--tint),{tenth * 0.05:.2f})}}" for tenth in range(1, 11))
    + "\n"
)
