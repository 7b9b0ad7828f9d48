import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderTerminal } from './terminal.ts';
import { EMPTY_VERDICT, NEXT, VERDICT } from './testing/fixture.ts';
import { anyVerdict, CONTROL } from './testing/fixture-arbitrary.ts';
import { widthOf } from './text.ts';
import { verdictView } from './verdict-view.ts';
import type { TableBlock, View } from './view.ts';

const plainly = { width: 80, colour: false };

function documentWith(table: Partial<TableBlock>): View {
  const block: TableBlock = { kind: 'table', title: 'Rows', columns: [], rows: [], ...table };
  return { title: '', answer: 'Here.', blocks: [block], notes: [], next: [] };
}

describe('at 80 columns', () => {
  test('a blocked run reads from the answer to the next step', () => {
    expect(renderTerminal(verdictView(VERDICT, NEXT), plainly)).toMatchInlineSnapshot(`
      "extraction · extractor-b, prompt v6

      ✗ Blocked: Concept recall fell by 8.0 points since the baseline; it needs an
      approval.

      Also worth a look
        ▲ warning: Invented concepts fell by 2.1 points since the baseline; find out
          why and write it down
        ▲ warning: Relation recall was measured in the baseline and is not any more;
          approved by mira on 2026-11-12: relations leave the golden set this month

      Since baseline run-2026-11-07 of 2026-11-07 09:12 UTC
        metric           before    now  zone                  change  judged
        Concept recall    80.4%  72.4%  ▲ below target   −8.0 points  regression
        Relation recall   61.0%   –     – unmeasured      –           lost
        Invented …cepts    4.2%   6.3%  ✓ pass           +2.1 points  small regression
        Concept p…ision   87.5%  91.5%  ● excellent      +4.0 points  improved
        Cost              $0.52  $0.47  no target       −$0.05        improved
        not shown at this width: by case, 95% interval

      Unchanged
        Overall 0.65 (▲ below target)

      Cases that need attention
        case                            zone            why
        <script>alert(1)</script>       ✗ fail          Concept recall 58.0%, Invente…
        memo-18                         ✗ fail          Concept recall 59.0%, Concept…
        contract-supply-ch…g-name-2023  ✗ fail          Concept recall 41.0%, Invente…
        scan-0042                       ✗ error         the output is not JSON: unexp…
        ␛[2J␛[31mred alert␇             ▲ below target  Concept recall 66.0%, reads a…
        契約書-賃貸-2024-日本語         ▲ below target  Concept recall 71.0%
        line one␊line two …02E>gnp.exe  ▲ below target  Concept recall 74.0%, ask @oc…

      Concept recall got worse 3 runs in a row
        Concept recall  ▅▇█▇██▇▆▁  79.0% → 72.4%

      These cases are contracts and minutes; nothing is known about other texts.
      Relation recall is unmeasured: no case has relations in its golden answer.
      Quote accuracy: 3 skipped (quote without a place: 3).
      12 cases measured, 3 skipped (golden answer is a draft: 2, output could not be
      read: 1).
      Run run-2026-11-14 at 2026-11-14 09:30 UTC, scorer 0.1.0, truth 7ef1c0de.

      Next: assay explain contract-supply-chain-annex-with-a-very-long-name-2023
            assay approve concept-recall --reason seen
      "
    `);
  });

  test('a command that is too long for a line goes on as a shell takes it, and quoted words stay whole', () => {
    const options = {
      golden: 'cases',
      outputs: 'my outputs of the last week',
      repeat: 3,
      command: 'a b c d e f',
    };
    const next = [{ operation: 'run', options }];
    expect(renderTerminal({ title: 't', answer: 'a', blocks: [], notes: [], next }, plainly)).toContain(
      "Next: assay run --golden cases --outputs 'my outputs of the last week' \\\n      --repeat 3 --command 'a b c d e f'\n",
    );
  });

  test('a word that is longer than the line is never cut: a pasted half would be another command', () => {
    const path = `/home/somebody/projects/${'a-long-name-'.repeat(8)}backend`;
    const next = [{ operation: 'things explain', positionals: ['x1', path] }];
    expect(renderTerminal({ title: 't', answer: 'a', blocks: [], notes: [], next }, plainly)).toContain(
      `Next: assay things explain x1 \\\n      ${path}\n`,
    );
  });

  test('a run without anything says so', () => {
    expect(
      renderTerminal(verdictView(EMPTY_VERDICT, [{ operation: 'init' }]), plainly),
    ).toMatchInlineSnapshot(`
      "extraction · nothing

      ▲ Inconclusive: nothing was measured.

      0 cases measured.
      Run run-0 at 2026-11-01 00:00 UTC, scorer 0.1.0.

      Next: assay init
      "
    `);
  });
});

describe('tables', () => {
  test('ten rows are shown, then how many more there are', () => {
    const rows = Array.from({ length: 1520 }, (_, index) => ({ id: `case-${index}`, cost: index / 100 }));
    const columns = [
      { key: 'id', title: 'case', unit: 'name' },
      { key: 'cost', title: 'cost', unit: 'usd' },
    ] as const;
    const document = documentWith({ columns, rows, limit: 10 });
    const text = renderTerminal(document, plainly);
    expect(text).toContain('case-9 ');
    expect(text).not.toContain('case-10 ');
    expect(text).toContain('and 1,510 more (--all)');
    expect(renderTerminal(document, { ...plainly, all: true })).toContain('case-1519');
  });

  test('numbers stand at the decimal point, whatever their size', () => {
    const columns = [{ key: 'v', title: 'cost', unit: 'usd' }] as const;
    const rows = [{ v: 1234.5 }, { v: 0.47 }, { v: 0.0031 }, { v: undefined }];
    expect(renderTerminal(documentWith({ columns, rows }), plainly)).toMatchInlineSnapshot(`
      "Here.

      Rows
               cost
        $1,234.50
            $0.47
            $0.0031
             –
      "
    `);
  });

  test('a narrow window loses columns, never rows, and says which', () => {
    const text = renderTerminal(verdictView(VERDICT, NEXT), { width: 60, colour: false });
    expect(text).toMatch(/not shown at this width: [^\n]*95%/);
    expect(text).toContain('▲ warning');
  });
});

describe('safety', () => {
  test('no escape from the data reaches the terminal', () => {
    expect(renderTerminal(verdictView(VERDICT, NEXT), plainly)).not.toMatch(CONTROL);
  });

  test('without colour there is no escape at all, with colour only our own', () => {
    const coloured = renderTerminal(verdictView(VERDICT, NEXT), { width: 80, colour: true });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control sequences.
    const stripped = coloured.replaceAll(/\u001b\[(?:0|1|(?:1;)?38;5;\d+)m/g, '');
    expect(stripped).toBe(renderTerminal(verdictView(VERDICT, NEXT), plainly));
    expect(coloured).not.toBe(stripped);
  });

  test('no line is wider than the window and none ends in a blank', () => {
    fc.assert(
      fc.property(anyVerdict, fc.integer({ min: 20, max: 120 }), fc.boolean(), (verdict, width, all) => {
        for (const line of renderTerminal(verdictView(verdict), { width, colour: false, all }).split('\n')) {
          expect(widthOf(line), line).toBeLessThanOrEqual(width);
          expect(line).not.toMatch(/ $/);
        }
      }),
      { numRuns: 200 },
    );
  });
});

test('the pooled value is shown from 100 columns on', () => {
  const at = (width: number) =>
    renderTerminal(verdictView(VERDICT, NEXT), { width, colour: false, all: true });
  expect(at(99)).not.toContain('pooled');
  expect(at(100)).toMatch(/Concept recall .* 73\.1%\n/);
});
