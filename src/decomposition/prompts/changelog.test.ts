import { expect, it } from 'vitest';
import { noteOn, recordImpact, startEntry } from './changelog.ts';

const v11 = { stem: 'decompose-concepts', version: 'v1.1', date: '2026-01-29' };
const v10 = { stem: 'decompose-concepts', version: 'v1.0', date: '2026-01-02' };
const none = {
  before: 'v1.0',
  rows: [{ metric: 'Recall', before: 'not measured', after: 'not measured', delta: 'not measured' }],
};
const impact = {
  before: 'v1.0',
  rows: [
    { metric: 'Recall', before: '70%', after: '74%', delta: '+4%' },
    { metric: 'Precision', before: '65%', after: '68%', delta: '+3%' },
    { metric: 'Overall', before: '75%', after: '78%', delta: '+3%' },
  ],
};

// The example of the documentation, letter by letter.
const DOCUMENTED = `## v1.1 (2026-01-29)

### Changes
- Added few-shot example for technical domains
- Clarified atomicity rule for compound concepts

### Metrics Impact
| Metric | v1.0 | v1.1 | Delta |
|--------|------|------|-------|
| Recall | 70% | 74% | +4% |
| Precision | 65% | 68% | +3% |
| Overall | 75% | 78% | +3% |

### Notes
- Significant improvement on machine-learning.gold.json
- Slight regression on climate-change-policy.gold.json (investigate)
`;

it('writes an entry in the documented format', () => {
  const changes = [
    'Added few-shot example for technical domains',
    'Clarified atomicity rule for compound concepts',
  ];
  const notes = [
    'Significant improvement on machine-learning.gold.json',
    'Slight regression on climate-change-policy.gold.json (investigate)',
  ];
  const text = recordImpact(startEntry('', v11, changes, none), v11, impact, notes);
  expect(text).toBe(`# Changelog of the prompts\n\n# decompose-concepts\n\n${DOCUMENTED}`);
});

it('starts an entry without figures: it says that nothing was measured', () => {
  const text = startEntry('', v11, [], none);
  expect(text).toContain(
    '| Recall | not measured | not measured | not measured |\n\n### Notes\n- not measured\n',
  );
  expect(text).not.toMatch(/%/);
  const first = startEntry('', v10, [], { rows: none.rows });
  expect(first).toContain('| Metric | v1.0 |\n|--------|------|\n| Recall | not measured |\n');
});

it('puts the newest version first, each prompt in its own part', () => {
  const text = [v10, v11, { ...v10, stem: 'map-ontology' }].reduce(
    (sum, version) => startEntry(sum, version, ['x'], none),
    '# Changelog\n\nHow to read this.\n',
  );
  expect(text.split('\n').filter((line) => /^##? /.test(line))).toEqual([
    '# Changelog',
    '# decompose-concepts',
    '## v1.1 (2026-01-29)',
    '## v1.0 (2026-01-02)',
    '# map-ontology',
    '## v1.0 (2026-01-02)',
  ]);
  expect(text).toContain('How to read this.');
});

it('keeps what people wrote and the other entries, and replaces only the table', () => {
  const before = startEntry(startEntry('', v10, ['first'], none), v11, ['mine'], none).replace(
    '### Changes\n- mine',
    '### Changes\n- mine\n\n```\n### Metrics Impact\n```',
  );
  const once = recordImpact(before, v11, impact, ['held']);
  const twice = recordImpact(once, v11, { ...impact, rows: impact.rows.slice(0, 1) }, ['promoted']);
  expect(twice.match(/\| Recall \| 70%/g)).toHaveLength(1);
  expect(twice).not.toContain('| Precision |');
  expect(twice).toContain('- mine\n\n```\n### Metrics Impact\n```');
  expect(twice).toContain('### Notes\n- held\n- promoted\n\n## v1.0');
  expect(twice.slice(twice.indexOf('## v1.0'))).toBe(before.slice(before.indexOf('## v1.0')));
});

it('makes a missing entry, and notes nothing on one that is not there', () => {
  expect(recordImpact('', v11, impact, ['x'])).toContain(
    '## v1.1 (2026-01-29)\n\n### Changes\n- not described',
  );
  expect(noteOn('# Changelog\n', v11, ['x'])).toBe('# Changelog\n');
});

it('keeps a note of several lines in one', () => {
  const text = noteOn(startEntry('', v11, [], none), v11, ['one\n# two\n\nthree']);
  expect(text).toContain('- one # two three\n');
});
