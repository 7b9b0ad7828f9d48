import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderMarkdown } from './markdown.ts';
import { NEXT, VERDICT } from './testing/fixture.ts';
import { anyVerdict } from './testing/fixture-arbitrary.ts';
import { verdictView } from './verdict-view.ts';
import type { View } from './view.ts';

test('a blocked run fits a pull-request comment', () => {
  expect(renderMarkdown(verdictView(VERDICT, NEXT))).toMatchInlineSnapshot(`
    "## extraction · extractor-b, prompt v6

    **✗ Blocked:** Concept recall fell by 8.0 points since the baseline; it needs an approval.

    **Also worth a look**

    - ▲ warning: Invented concepts fell by 2.1 points since the baseline; find out why and write it down
    - ▲ warning: Relation recall was measured in the baseline and is not any more; approved by mira on 2026-11-12: relations leave the golden set this month

    **Metrics**

    | metric | value | zone | change | 95% interval | n | pooled |
    | :-- | --: | :-- | --: | :-- | --: | --: |
    | Concept recall | 72.4% | ▲ below target | −8.0 points | \\[68.1, 76.2\\] | 11 | 73.1% |
    | Concept precision | 91.5% | ● excellent | +4.0 points | \\[87.4, 94.9\\] | 11 |  |
    | Relation recall | – | – unmeasured | – | – | – | – |
    | Invented concepts | 6.3% | ✓ pass | +2.1 points | \\[3.1, 11.8\\] | 11 |  |
    | Quote accuracy | &gt;99.9% | no target | – | \\[98.2, 100.0\\] | 1,520 |  |
    | Overall | 0.65 | ▲ below target | −0.4 points | \\[0.60, 0.70\\] | 11 |  |
    | Cost | \\$0.47 | no target | −\\$0.05 | – | 11 |  |

    **Since baseline run-2026-11-07 of 2026-11-07 09:12 UTC**

    | metric | before | now | zone | change | judged | by case | 95% interval |
    | :-- | --: | --: | :-- | --: | :-- | :-- | :-- |
    | Concept recall | 80.4% | 72.4% | ▲ below target | −8.0 points | regression | worse | \\[−11.2, −3.9\\] |
    | Relation recall | 61.0% | – | – unmeasured | – | lost | – | – |
    | Invented concepts | 4.2% | 6.3% | ✓ pass | +2.1 points | small regression | noise | \\[−0.9, +5.1\\] |
    | Concept precision | 87.5% | 91.5% | ● excellent | +4.0 points | improved | – | – |
    | Cost | \\$0.52 | \\$0.47 | no target | −\\$0.05 | improved | – | – |

    **Unchanged**

    - Overall 0.65 (▲ below target)

    **Cases that need attention**

    | case | zone | why |
    | :-- | :-- | :-- |
    | &lt;script&gt;alert(1)&lt;/script&gt; | ✗ fail | Concept recall 58.0%, Invented concepts 24.0%, invented: "warranty" \\| \\\`term\\\` |
    | memo-18 | ✗ fail | Concept recall 59.0%, Concept precision 72.0%, Invented concepts 15.0% |
    | contract-supply-chain-annex-with-a-very-long-name-2023 | ✗ fail | Concept recall 41.0%, Invented concepts 12.0%, missed: penalty clause |
    | scan-0042 | ✗ error | the output is not JSON: unexpected end of input at line 1, column 18 |
    | ␛\\[2J␛\\[31mred alert␇ | ▲ below target | Concept recall 66.0%, reads a table as prose |
    | 契約書-賃貸-2024-日本語 | ▲ below target | Concept recall 71.0% |
    | line one␊line two &lt;U+202E&gt;gnp.exe | ▲ below target | Concept recall 74.0%, ask @​octocat about #​12 |

    **Concept recall got worse 3 runs in a row**

    - Concept recall ▅▇█▇██▇▆▁ 79.0% → 72.4%

    <details><summary>All cases (12)</summary>

    | case | zone | Concept recall | Concept precision | Relation recall | Invented concepts | Cost | notes | error |
    | :-- | :-- | --: | --: | --: | --: | --: | :-- | :-- |
    | contract-lease-2024 | ✓ pass | ✓ 82.0% | ● 95.0% | – | ✓ 4.0% | \\$0.41 |  |  |
    | contract-supply-chain-annex-with-a-very-long-name-2023 | ✗ fail | ✗ 41.0% | ✓ 88.0% | – | ▲ 12.0% | \\$0.62 | missed: penalty clause |  |
    | minutes-board-03 | ● excellent | ● 93.0% | ● 97.0% | – | ● 1.0% | \\$0.22 |  |  |
    | ␛\\[2J␛\\[31mred alert␇ | ▲ below target | ▲ 66.0% | ✓ 81.0% | – | ✓ 9.0% | \\$0.0031 | reads a table as prose |  |
    | 契約書-賃貸-2024-日本語 | ▲ below target | ▲ 71.0% | ● 90.0% | – | ✓ 5.0% | \\$0.55 |  |  |
    | &lt;script&gt;alert(1)&lt;/script&gt; | ✗ fail | ✗ 58.0% | ✓ 79.0% | – | ✗ 24.0% | \\$1.27 | invented: "warranty" \\| \\\`term\\\` |  |
    | =HYPERLINK("https:​//example.org","open") | ✓ pass | ✓ 80.0% | ● 92.0% | – | ✓ 3.0% | \\$0.38 |  |  |
    | line one␊line two &lt;U+202E&gt;gnp.exe | ▲ below target | ▲ 74.0% | ● 91.0% | – | ✓ 6.0% | \\$0.33 | ask @​octocat about #​12 |  |
    | scan-0042 | – unmeasured | – | – | – | – | – |  | the output is not JSON: unexpected end of input at line 1, column 18 |
    | été-👩‍👩‍👧-notes | ✓ pass | ✓ 77.0% | ● 93.0% | – | ✓ 4.0% | \\$0.29 |  |  |
    | memo-17 | ● excellent | ● 100.0% | ● 100.0% | – | ● 0.0% | \\$0.11 |  |  |
    | memo-18 | ✗ fail | ✗ 59.0% | ▲ 72.0% | – | ▲ 15.0% | \\$0.44 |  |  |

    </details>

    **Notes**

    - These cases are contracts and minutes; nothing is known about other texts.
    - Relation recall is unmeasured: no case has relations in its golden answer.
    - Quote accuracy: 3 skipped (quote without a place: 3).
    - 12 cases measured, 3 skipped (golden answer is a draft: 2, output could not be read: 1).
    - Run run-2026-11-14 at 2026-11-14 09:30 UTC, scorer 0.1.0, truth 7ef1c0de.

    **Next**

    - \`assay explain contract-supply-chain-annex-with-a-very-long-name-2023\`
    - \`assay approve concept-recall --reason seen\`
    "
  `);
});

function cell(text: string): string {
  const table = {
    kind: 'table',
    title: 't',
    columns: [{ key: 'a', title: 'a', unit: 'text' }],
    rows: [{ a: text }],
  } as const;
  const document: View = { title: '', answer: '', blocks: [table], notes: [], next: [] };
  return renderMarkdown(document).split('\n').at(-2)?.slice(2, -2) ?? '';
}

test('data cannot leave its cell, call people or link anywhere', () => {
  expect(cell('a|b')).toBe('a\\|b');
  expect(cell('`x`')).toBe('\\`x\\`');
  expect(cell('<img src=x>')).toBe('&lt;img src=x&gt;');
  expect(cell('@octocat')).toBe('@\u200boctocat');
  expect(cell('#12')).toBe('#\u200b12');
  expect(cell('[x](https://example.org)')).toBe('\\[x\\](https:\u200b//example.org)');
  expect(cell('a\nb')).toBe('a␊b');
});

test('a number is not mistaken for a list item', () => {
  expect(cell('72.4%')).toBe('72.4%');
  expect(cell('+4.0 points')).toBe('+4.0 points');
  expect(cell('1. first')).toBe('1\\. first');
  expect(cell('- item')).toBe('\\- item');
});

function longView(rows: number): View {
  const table = {
    kind: 'table',
    title: 'All cases',
    columns: [{ key: 'a', title: 'a', unit: 'text' }],
    rows: Array.from({ length: rows }, (_, index) => ({ a: `case ${index}` })),
    folded: true,
  } as const;
  return {
    title: 'long',
    answer: 'Many.',
    blocks: [table],
    notes: ['a note'],
    next: [{ operation: 'serve' }],
  };
}

test('a long report is cut at the end of a row, closes what it opened and keeps its next step', () => {
  const text = renderMarkdown(longView(5000), { maxChars: 2000 });
  expect(text.length).toBeLessThanOrEqual(2000);
  expect(text).toContain('Cut to fit');
  expect(text).toMatch(/\| case \d+ \|\n\n<\/details>/);
  expect(text).toContain('`assay serve`');
});

test('a command is kept as it is typed, backticks and all', () => {
  const document: View = {
    title: '',
    answer: '',
    blocks: [],
    notes: [],
    next: [{ operation: 'show', positionals: ['`date` | cat'] }],
  };
  expect(renderMarkdown(document)).toContain("`` assay show '`date` | cat' ``");
});

test('no report is longer than asked for, has an open tag, or lets HTML through', () => {
  fc.assert(
    fc.property(anyVerdict, fc.integer({ min: 400, max: 20_000 }), (verdict, maxChars) => {
      const text = renderMarkdown(verdictView(verdict), { maxChars });
      expect(text.length).toBeLessThanOrEqual(maxChars);
      const tags = text.replaceAll(/(`+)(?!`).*?[^`]\1(?!`)/g, '').match(/<[^>]*>/g) ?? [];
      expect(
        tags.filter((tag) => !['<details>', '</details>', '<summary>', '</summary>'].includes(tag)),
      ).toEqual([]);
      expect(tags.filter((tag) => tag === '<details>')).toHaveLength(
        tags.filter((tag) => tag === '</details>').length,
      );
    }),
  );
});

test('a link leads where it says, whatever its words are', () => {
  const to = 'https://assay.example/rate?id=a(b)';
  const linked = { title: 't', answer: 'a', notes: [], next: [] };
  const blocks = [{ kind: 'links' as const, links: [{ text: '](javascript:x) @all', to }] }];
  expect(renderMarkdown({ ...linked, blocks })).toContain(
    'Look closer: [\\](javascript:x) @\u200ball](https://assay.example/rate?id=a%28b%29)',
  );
});
