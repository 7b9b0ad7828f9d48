/** How the HTML report is laid out; its colours, type and space are the tokens'. */
import { TOKENS } from './tokens.ts';

export const STYLE = `
${TOKENS}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--bg); color: var(--ink); font: var(--t-m)/1.45 var(--font); font-variant-numeric: tabular-nums; overflow-wrap: break-word; }
header, main, footer { max-width: 1240px; margin: 0 auto; padding: 0 var(--s5); }
header { padding-top: var(--s6); }
footer { padding-bottom: 48px; }
h1 { margin: 0; font-size: var(--t-s); line-height: 1.35; font-weight: 500; color: var(--ink-soft); }
h2, figcaption { margin: 0 0 var(--s2); font-size: var(--t-m); line-height: 1.35; font-weight: 600; }
p, ul { margin: 0; }
.answer { margin: var(--s1) 0 0; max-width: 62em; font-size: var(--t-l); line-height: 1.45; text-wrap: pretty; }
.pill { display: inline-block; padding: 1px 9px; border-radius: 10px; font-size: var(--t-xs); line-height: 18px; font-weight: 600; white-space: nowrap; }
.answer .pill { margin-right: 4px; white-space: normal; padding: 2px 11px; border-radius: 13px; font-size: var(--t-m); line-height: 22px; vertical-align: 1px; }
.mark { display: inline-block; min-width: 1.15em; font-style: normal; }
.tone-excellent { color: var(--tone-excellent); } .pill.tone-excellent { background: var(--soft-excellent); }
.tone-good { color: var(--tone-good); } .pill.tone-good { background: var(--soft-good); }
.tone-caution { color: var(--tone-caution); } .pill.tone-caution { background: var(--soft-caution); }
.tone-bad { color: var(--tone-bad); } .pill.tone-bad { background: var(--soft-bad); }
.tone-quiet { color: var(--tone-quiet); } .pill.tone-quiet { background: var(--soft-quiet); }
abbr { text-decoration: none; cursor: help; }

.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 200px), 1fr)); gap: var(--s4); margin: var(--s5) 0 0; }
.tile, section, figure { margin: 0; padding: var(--s4); min-width: 0; background: var(--panel); border: 1px solid var(--line); border-radius: var(--radius); }
.tile dt { font-size: var(--t-s); font-weight: 600; color: var(--ink-soft); }
.tile dd { margin: 0; }
.tile .figure { display: flex; align-items: center; justify-content: space-between; flex-wrap: wrap; gap: 0 var(--s2); margin: 4px 0 2px; font-size: var(--t-num); font-weight: 600; line-height: 1.15; letter-spacing: -0.02em; }
.tile .figure a { color: inherit; text-decoration: underline dotted 1px; text-underline-offset: 0.18em; }
.tile .figure a:hover { text-decoration-style: solid; }
[id]:target { scroll-margin-top: var(--s4); outline: 2px solid var(--accent, currentColor); outline-offset: 2px; }
.tile .aside { color: var(--ink-soft); font-size: var(--t-s); }
.tile .span { display: block; margin: 8px 0; width: 100%; }
.tile .pill { letter-spacing: 0; }
.strip { display: flex; gap: 1px; height: 10px; margin: 8px 0 6px; border-radius: 5px; overflow: hidden; }
.strip i { display: block; min-width: 2px; }
.fill-excellent { background: var(--mark-excellent); } .fill-good { background: var(--mark-good); } .fill-caution { background: var(--mark-caution); } .fill-bad { background: var(--mark-bad); } .fill-quiet { background: var(--line-strong); }

main > section, main > figure, main > .charts, footer > section { margin-top: var(--s4); }
.head { display: flex; align-items: baseline; justify-content: space-between; gap: var(--s3); flex-wrap: wrap; margin-bottom: var(--s2); }
.head h2 { margin: 0; }
.find { flex: 0 1 200px; min-width: 120px; padding: 3px 8px; border: 1px solid var(--line-strong); border-radius: 6px; background: var(--panel); color: var(--ink); font: inherit; font-size: var(--t-s); }
.find::placeholder { color: var(--ink-faint); opacity: 1; }
.scroll { overflow: auto; background: linear-gradient(to right, var(--panel) 30%, transparent) left / 40px 100% no-repeat local, linear-gradient(to left, var(--panel) 30%, transparent) right / 40px 100% no-repeat local, linear-gradient(to right, var(--shade), transparent) left / 10px 100% no-repeat scroll, linear-gradient(to left, var(--shade), transparent) right / 10px 100% no-repeat scroll; }
.scroll.tall { max-height: min(78vh, 760px); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
table { border-collapse: separate; border-spacing: 0; width: 100%; font-size: var(--t-s); line-height: 1.4; }
/* The heading above says the same to the eye. */
caption { position: absolute; width: 1px; height: 1px; padding: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
th, td { padding: 6px 14px 6px 0; text-align: left; vertical-align: baseline; border-bottom: 1px solid var(--line); overflow-wrap: normal; word-break: keep-all; hyphens: manual; }
tr:last-child > th, tr:last-child > td { border-bottom: 0; }
th:last-child, td:last-child { padding-right: 2px; }
thead th, thead td { border-bottom: 1px solid var(--line-strong); }
thead th { position: sticky; top: 0; z-index: 1; padding-top: 2px; background: var(--panel); color: var(--ink-faint); font-size: var(--t-xs); font-weight: 500; white-space: nowrap; vertical-align: bottom; }
thead tr:last-child > th { border-bottom: 1px solid var(--line-strong); }
thead button { all: unset; min-height: 24px; cursor: pointer; white-space: nowrap; }
thead button:hover { color: var(--ink); }
thead button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
thead button::after, thead .num button::before { content: "\\2195" / ""; display: inline-block; width: 1.1em; text-align: center; opacity: 0; }
thead .num button::after { content: none; }
thead button:hover::after, thead button:focus-visible::after, thead .num button:hover::before { opacity: 0.7; }
thead [aria-sort=ascending] button::after, thead .num[aria-sort=ascending] button::before { content: "\\2191" / ""; opacity: 1; }
thead [aria-sort=descending] button::after, thead .num[aria-sort=descending] button::before { content: "\\2193" / ""; opacity: 1; }
thead .num[aria-sort] button::after { content: none; }
tbody th { font-weight: 500; }
tbody .group > * { font-weight: 600; }
tbody .below > th { padding-left: 18px; font-weight: 400; }
tbody tr:hover > * { background: var(--sunken); }
.num { text-align: right; white-space: nowrap; }
.rest { display: inline-block; text-align: left; }
.keep { white-space: nowrap; }
.words { min-width: 11.5rem; }
.span { position: relative; display: inline-block; width: 64px; height: 8px; border-radius: 4px; background: var(--sunken); box-shadow: inset 0 0 0 1px var(--line); vertical-align: middle; overflow: hidden; }
.span i { position: absolute; inset: 0 auto 0 0; background: var(--accent); opacity: 0.75; }
.span.range { overflow: visible; }
.span.range i { border-radius: 4px; opacity: 0.4; }
.span.range b { position: absolute; top: -2px; width: 4px; height: 12px; margin-left: -2px; border-radius: 2px; background: var(--accent); }
.span.range u { position: absolute; top: -3px; width: 0; height: 14px; border-left: 2px dotted var(--ink-faint); }
td .span, th .span { margin-left: 10px; }
td .span.range { width: 128px; }
.js tr.beyond { display: none; }
.js .open tr.beyond, .js .found tr.beyond { display: table-row; }
tr[hidden] { display: none !important; }
.more { margin-top: var(--s2); padding: 0; min-height: 24px; border: 0; background: none; color: var(--accent); font: inherit; font-size: var(--t-s); cursor: pointer; }
p.more { color: var(--ink-soft); cursor: auto; }
.empty { padding: var(--s2) 0; color: var(--ink-soft); font-size: var(--t-s); }

details > .scroll { margin-top: var(--s2); }
summary { display: inline-block; min-height: 24px; line-height: 24px; color: var(--ink-soft); font-size: var(--t-s); cursor: pointer; list-style: none; }
summary::before { content: "\\25b8" / ""; display: inline-block; width: 1.1em; }
details[open] > summary::before { content: "\\25be" / ""; }
summary::-webkit-details-marker { display: none; }
section > details > summary { color: var(--ink); font-size: var(--t-m); font-weight: 600; }
figure > details { margin-top: var(--s2); }

.chart-svg { display: block; height: auto; max-width: 100%; overflow: visible; font-family: var(--font); }
.chart-svg text { white-space: pre; }
.drawing-narrow { display: none; }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 420px), 1fr)); gap: var(--s4); }

section ul, footer ul { padding-left: 18px; }
li + li { margin-top: 4px; }
li.marked { list-style: none; margin-left: -18px; padding-left: 1.4em; text-indent: -1.4em; }
li.marked .mark { width: 1.4em; text-indent: 0; }
footer section { padding: 0; background: none; border: 0; }
.notes { color: var(--ink-soft); font-size: var(--t-s); }
.notes h2 { color: var(--ink); }
code { padding: 2px 6px; background: var(--sunken); border-radius: 4px; font: 12.5px/1.5 var(--mono); -webkit-box-decoration-break: clone; box-decoration-break: clone; overflow-wrap: anywhere; }

@media (max-width: 680px) {
  header { padding-top: var(--s4); }
  header, main, footer { padding-left: var(--s3); padding-right: var(--s3); }
  .tiles { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: var(--s2); margin-top: var(--s4); }
  .tile, section, figure { padding: var(--s3); }
  .tile .figure { font-size: var(--t-xl); }
  .answer { font-size: 16px; }
  main > section, main > figure, main > .charts { margin-top: var(--s3); }
  th, td { padding-right: 12px; }
  tbody th, tbody th.keep { position: sticky; left: 0; background: var(--panel); max-width: 44vw; white-space: normal; }
  .words { min-width: 11.5rem; }
  .drawing-wide { display: none; }
  .drawing-narrow { display: block; }
}
@media print {
  body { font-size: 10pt; background: none; }
  header, main, footer { max-width: none; padding: 0; }
  .tile, section, figure { border-color: var(--line-strong); }
  .find, button.more { display: none; }
  .scroll, .scroll.tall { overflow: visible; max-height: none; background: none; }
  thead th, tbody th { position: static; }
  figure, tr, .tile, .answer { break-inside: avoid; }
  h2, figcaption { break-after: avoid; }
  table, thead th, td .pill { font-size: 7pt; }
  thead th, thead button { white-space: normal; }
  thead button::after, thead .num button::before { display: none; }
  td .pill { padding: 0 4px; }
  td .span.range { width: 64px; }
  th, td { padding-right: 6px; }
  .words { min-width: 4.6rem; }
  .tile .figure a { text-decoration: none; }
  [id]:target { outline: 0; }
  /* A table of fifty columns has no place on paper. */
  details.wide > div { display: none; }
  details.wide > summary::after { content: " \\2013 in the file, too wide for paper"; font-weight: 400; }
  * { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  details::details-content { content-visibility: visible; block-size: auto; }
}
`;
