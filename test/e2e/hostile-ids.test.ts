/** Ids that no CSV can hold as they are: what a person says of such a session is found again. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseCsv } from '../../src/session/calibration/csv.ts';
import { commandFolder } from '../command-folder.ts';

const IDS = [
  '=1+1',
  '+a',
  '-b',
  '@c',
  "'d",
  "'=e",
  "''-f",
  ' left',
  'right ',
  '  both  ',
  '\ttab',
  'tab\t',
  'in\tside',
  'line\nend',
  'line\r\nend',
  '\nfirst',
  '\x1b[2Jclear',
  'bell\x07',
  'null\x00',
  '\x9bc1',
  '\u202eturned',
  'a\u200bb',
  '\ufeffmark',
  'quote"d',
  'com,ma',
  '＝wide',
  '__proto__',
  'x'.repeat(1500),
];

const folder = commandFolder();

function plant(): void {
  const timestamp = '2026-01-01T00:00:00.000Z';
  const lines = IDS.flatMap((session_id) => [
    { timestamp, session_id, type: 'user', text: 'Fix it' },
    { timestamp, session_id, type: 'assistant', text: 'Done.' },
  ]);
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  writeFileSync(join(folder.path, 'runs.jsonl'), text);
}

/** A sheet made of these columns of `sessions score`, with a rating for each row. */
async function rate(columns: readonly string[]): Promise<void> {
  const { status, stdout } = await folder.assay('sessions', 'score', 'runs.jsonl', '--format', 'csv');
  expect(status).toBe(0);
  const [header, ...rows] = parseCsv(stdout, 'scores');
  expect(rows).toHaveLength(IDS.length);
  const quoted = (text = '') => `"${text.replaceAll('"', '""')}"`;
  const places = columns.map((column) => header?.fields.indexOf(column) ?? -1);
  const lines = rows.map(({ fields }, i) => [...places.map((at) => quoted(fields[at])), (i % 5) + 1].join());
  const usable = lines.filter((line) => columns.includes('session_key') || line.length < 1024);
  writeFileSync(join(folder.path, 'ratings.csv'), [`${columns.join()},rating`, ...usable].join('\n'));
}

async function joined(): Promise<number> {
  const args = ['sessions', 'validate', 'runs.jsonl', '--ratings', 'ratings.csv', '--format', 'json'];
  return JSON.parse((await folder.assay(...args)).stdout).sessions;
}

it('joins every rating of a sheet with session_key', async () => {
  plant();
  await rate(['session_id', 'session_key']);
  expect(await joined()).toBe(28);
});

it('joins by what CSV made of the id where that is the only name', async () => {
  plant();
  await rate(['session_id']);
  expect(await joined()).toBe(27);
});
