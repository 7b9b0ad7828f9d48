/**
 * The look of the HTML report. Every colour is a name with a value for light and one for dark, each text colour at
 * least 4.5:1 on its paper, each mark at least 3:1. Blue, teal, amber and vermilion stay apart for colour-blind eyes.
 */
const LIGHT = `
  --paper: #ffffff; --panel: #f6f7f8; --ink: #1a1f24; --ink-soft: #57616a; --grid: #e3e6e9; --line: #d3d8dc;
  --tone-excellent: #1257a8; --tone-good: #00695f; --tone-caution: #875100; --tone-bad: #b23509; --tone-quiet: #5d6770;
  --mark-excellent: #1f6fc4; --mark-good: #00897b; --mark-caution: #c07a00; --mark-bad: #d6481a; --mark-quiet: #77818a;
  --series-1: #1a64b4; --series-2: #8f5b00; --series-3: #00766a; --series-4: #bf3f12; --series-5: #7a4fa3; --series-6: #5d6770;
  --heat: #1f6fc4; --shade: rgb(20 30 40 / 0.16);`;

const DARK = `
  --paper: #14181c; --panel: #1b2026; --ink: #e6e9ec; --ink-soft: #a4adb6; --grid: #2a3138; --line: #3a434b;
  --tone-excellent: #7ab7ff; --tone-good: #4cc9b4; --tone-caution: #efb54a; --tone-bad: #ff916a; --tone-quiet: #9ca6af;
  --mark-excellent: #5aa2f5; --mark-good: #35b8a3; --mark-caution: #e0a32e; --mark-bad: #f9784d; --mark-quiet: #87919a;
  --series-1: #6fb0ff; --series-2: #e3ac45; --series-3: #45c4af; --series-4: #ff8a60; --series-5: #c3a0ea; --series-6: #a4adb6;
  --heat: #4f9bea; --shade: rgb(0 0 0 / 0.6);`;

export const STYLE = `
:root { color-scheme: light dark;${LIGHT} }
@media (prefers-color-scheme: dark) { :root {${DARK} } }
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
header, main, footer { max-width: 860px; margin: 0 auto; padding: 0 20px; }
header { padding-top: 36px; }
footer { padding-bottom: 48px; }
h1 { margin: 0 0 14px; font-size: 22px; line-height: 1.25; font-weight: 650; letter-spacing: -0.01em; }
h2 { margin: 0 0 10px; font-size: 15px; line-height: 1.35; font-weight: 650; }
p, ul { margin: 0; }
.answer { margin: 0; padding: 12px 16px; background: var(--panel); border-left: 4px solid var(--edge, var(--line)); border-radius: 0 6px 6px 0; font-size: 16px; }
.answer.tone-edge-excellent { --edge: var(--mark-excellent); }
.answer.tone-edge-good { --edge: var(--mark-good); }
.answer.tone-edge-caution { --edge: var(--mark-caution); }
.answer.tone-edge-bad { --edge: var(--mark-bad); }
.answer.tone-edge-quiet { --edge: var(--mark-quiet); }
.answer strong { margin-right: 4px; font-weight: 650; white-space: nowrap; }
section, .charts { margin-top: 34px; }
.tone-excellent { color: var(--tone-excellent); }
.tone-good { color: var(--tone-good); }
.tone-caution { color: var(--tone-caution); }
.tone-bad { color: var(--tone-bad); }
.tone-quiet { color: var(--tone-quiet); }
.mark { display: inline-block; width: 1.25em; font-style: normal; }
abbr { text-decoration: none; cursor: help; }

.scroll { overflow-x: auto; margin: 0 -10px; background: linear-gradient(to right, var(--paper) 30%, transparent) left / 40px 100% no-repeat local, linear-gradient(to left, var(--paper) 30%, transparent) right / 40px 100% no-repeat local, linear-gradient(to right, var(--shade), transparent) left / 12px 100% no-repeat scroll, linear-gradient(to left, var(--shade), transparent) right / 12px 100% no-repeat scroll; }
.scroll:focus-visible, summary:focus-visible { outline: 2px solid var(--mark-excellent); outline-offset: 2px; border-radius: 4px; }
table { border-collapse: collapse; width: 100%; font-size: 14px; line-height: 1.4; }
/* The heading above says the same to the eye. */
caption { position: absolute; width: 1px; height: 1px; padding: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
th, td { padding: 5px 10px; text-align: left; vertical-align: baseline; border-bottom: 1px solid var(--grid); }
thead th { padding-bottom: 4px; color: var(--ink-soft); font-size: 12.5px; font-weight: 500; border-bottom-color: var(--line); vertical-align: bottom; }
tbody th { font-weight: 500; min-width: 9.5rem; }
tbody tr:hover { background: var(--panel); }
.num { text-align: right; white-space: nowrap; }
.rest { display: inline-block; text-align: left; }
.keep { white-space: nowrap; }
.words { min-width: 13rem; }

details { margin-top: 8px; }
summary { display: inline-block; padding: 2px 0; color: var(--ink-soft); font-size: 13.5px; cursor: pointer; }
summary::before { content: "\\25b8"; display: inline-block; width: 1.1em; }
details[open] > summary::before { content: "\\25be"; }
summary::-webkit-details-marker { display: none; }
section > details > summary { color: var(--ink); font-size: 15px; font-weight: 650; }
details > .scroll { margin-top: 8px; }

figure { margin: 34px 0 0; }
figcaption { margin-bottom: 8px; font-weight: 650; line-height: 1.35; }
.chart-svg { display: block; height: auto; max-width: 100%; overflow: visible; }
.chart-svg text { white-space: pre; }
.drawing-narrow { display: none; }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 360px), 1fr)); gap: 28px 32px; }
.charts figure { margin: 0; min-width: 0; }

section ul, footer ul { padding-left: 18px; }
li + li { margin-top: 3px; }
li.marked { list-style: none; margin-left: -18px; padding-left: 1.4em; text-indent: -1.4em; }
li.marked .mark { width: 1.4em; text-indent: 0; }
.notes { color: var(--ink-soft); font-size: 13.5px; }
.notes h2 { color: var(--ink); }
code { padding: 2px 6px; background: var(--panel); border-radius: 4px; font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; -webkit-box-decoration-break: clone; box-decoration-break: clone; }
.more { padding-top: 6px; color: var(--ink-soft); font-size: 13.5px; }

@media (max-width: 680px) {
  header { padding-top: 22px; }
  header, main, footer { padding-left: 16px; padding-right: 16px; }
  table { font-size: 13px; }
  th, td { padding: 5px 7px; }
  .scroll { margin: 0 -7px; }
  tbody th { min-width: 7.5rem; }
  .drawing-wide { display: none; }
  .drawing-narrow { display: block; }
}
@media print {
  :root { color-scheme: light;${LIGHT} }
  body { font-size: 10.5pt; }
  header, main, footer { max-width: none; padding: 0; }
  .scroll { overflow: visible; margin: 0; }
  figure, tr, .answer { break-inside: avoid; }
  h2, caption, figcaption { break-after: avoid; }
  details::details-content { content-visibility: visible; block-size: auto; }
}
`;
