import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../testing/run-command.ts';

const TEXTS: Readonly<Record<string, string>> = {
  Gully:
    'Gully erosion is the loss of soil. Gully erosion causes crop failure, and crop failure leads to food shortages.',
  Rill: 'Fibre networks carry broadband. Broadband requires fibre networks, and video calls depend on broadband at home.',
  Sheet:
    'A pension fund pays pensions. Pension funds need contributions, and low contributions lead to funding gaps.',
  Wind: 'Wind turbines drive generators. A gearbox failure stops the wind turbine, and oil leaks cause gearbox failures.',
  Bank: 'Bee colonies pollinate orchards. Varroa mites weaken bee colonies, and weak bee colonies lead to poor harvests.',
};
const text = (name: string) => TEXTS[name] ?? '';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-import-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function imported(name: string, content: string, ...more: string[]) {
  writeFileSync(join(folder, name), content);
  const {
    status: code,
    stdout,
    stderr,
  } = await runCommand(['golden', 'import', name, '--format', 'json', ...more], { cwd: folder });
  return { code, stderr, result: stdout === '' ? undefined : JSON.parse(stdout) };
}

const caseOf = (id: string) => JSON.parse(readFileSync(join(folder, `golden/${id}.gold.json`), 'utf8'));

describe('golden import', () => {
  it('drafts cases from lines of JSON, once each, and says what it skipped', async () => {
    const lines = [
      { id: 'Gully', text: text('Gully'), topic: 'Gullies', domain: 'ecological' },
      { id: 'again', text: text('Gully') },
      { id: 'empty' },
      { id: 'Rill', text: text('Rill'), expected: { concepts: [{ label: 'video calls' }] } },
    ];
    const content = lines.map((one) => JSON.stringify(one)).join('\n');
    const { code, result } = await imported('texts.jsonl', content, '--domain', 'technical');
    expect(code).toBe(0);
    expect(result.drafted.map(({ id }: { id: string }) => id)).toEqual(['gully', 'rill']);
    expect(result.skipped).toHaveLength(2);
    expect(caseOf('gully')).toMatchObject({
      topic: 'Gullies',
      domain: 'ecological',
      draft: expect.any(String),
    });
    expect(caseOf('rill')).toMatchObject({ domain: 'technical', sourceText: text('Rill') });
    expect(caseOf('rill').expectedConcepts[0].label).toBe('video calls');
    const again = await imported('texts.jsonl', content);
    expect([again.code, again.result.drafted]).toEqual([2, []]);
  });

  it('reads CSV, tests of promptfoo and an export of Langfuse', async () => {
    await imported('texts.csv', `id,text\nsheet,"${text('Sheet')}"\n`);
    await imported(
      'promptfooconfig.yaml',
      `prompts: [p.txt]\ntests:\n  - description: Wind\n    vars:\n      document: "${text('Wind')}"\n`,
    );
    const trace = {
      id: 't1',
      name: 'decompose',
      timestamp: '2026-11-19T10:00:00Z',
      sessionId: null,
      input: { text: text('Bank') },
      output: { concepts: [{ label: 'poor harvests' }] },
    };
    const last = await imported('langfuse.json', JSON.stringify({ data: [trace] }));
    expect(last.stderr).toBe('');
    expect(readdirSync(join(folder, 'golden'))).toHaveLength(3);
    expect(caseOf('wind').sourceText).toBe(text('Wind'));
  });

  it('takes a limit, and one source', async () => {
    const content = ['Wind', 'Bank', 'Rill'].map((one) => JSON.stringify({ text: text(one) })).join('\n');
    const { result } = await imported('texts.jsonl', content, '--limit', '1');
    expect([result.drafted.length, result.left]).toEqual([1, 2]);
    expect((await imported('texts.jsonl', content, '--production')).code).toBe(3);
  });
});
