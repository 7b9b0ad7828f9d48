/** The page is followed to the letter, as somebody would who has texts and the answers of another tool. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bareEnv } from '../bare-env.ts';
import { LAUNCHER } from '../launcher.ts';

const TEXTS: Readonly<Record<string, string>> = {
  'tidal-marsh': 'eutrophication-of-lakes',
  bullwhip: 'bullwhip-effect',
  consensus: 'distributed-consensus',
  'court-review': 'judicial-review',
  vaccines: 'vaccination-programmes',
};

type Golden = {
  id: string;
  draft?: string;
  sourceText: string;
  expectedConcepts: { label: string }[];
  expectedRelationships: { source: string; target: string; predicate: string }[];
};

let folder: string;
const at = (name: string) => join(folder, name);
const golden = (): Golden[] =>
  readdirSync(at('golden')).map((name) => JSON.parse(readFileSync(at(`golden/${name}`), 'utf8')) as Golden);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-page-'));
  mkdirSync(at('texts'));
  for (const [name, id] of Object.entries(TEXTS)) {
    const { sourceText } = JSON.parse(readFileSync(`golden/${id}.gold.json`, 'utf8')) as Golden;
    writeFileSync(at(`texts/${name}.txt`), sourceText);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What a tool of somebody's own answered: the first `share` of what is right. */
function promptfooResults(share: number): object {
  const rows = golden().map(({ sourceText, expectedConcepts, expectedRelationships }, testIdx) => {
    const entities = expectedConcepts.slice(0, Math.ceil(expectedConcepts.length * share));
    const named = new Set(entities.map(({ label }) => label));
    const answer = {
      entities: entities.map(({ label }) => ({ name: label })),
      relations: expectedRelationships
        .filter(({ source, target }) => named.has(source) && named.has(target))
        .map(({ source, target, predicate }) => ({
          head: source,
          tail: target,
          type: predicate === 'CAUSES' ? 'leads to' : predicate.toLowerCase(),
        })),
    };
    return {
      testIdx,
      promptIdx: 0,
      provider: { id: 'openai:gpt-5-mini' },
      prompt: { label: 'extract' },
      vars: { text: sourceText },
      response: { output: `\`\`\`json\n${JSON.stringify(answer)}\n\`\`\`` },
      latencyMs: 800,
      cost: 0.001,
    };
  });
  return { evalId: 'e', results: { version: 3, results: rows } };
}

function graphDocuments(): object[] {
  return golden().map(({ id, expectedConcepts, expectedRelationships }) => ({
    nodes: expectedConcepts.map(({ label }) => ({ id: label, type: 'Concept', properties: {} })),
    relationships: expectedRelationships.map(({ source, target, predicate }) => ({
      source: { id: source, type: 'Concept' },
      target: { id: target, type: 'Concept' },
      type: predicate,
    })),
    source: { metadata: { source: `texts/${id}.txt` }, page_content: '' },
  }));
}

/** What a person does between two commands. */
const BETWEEN: readonly (readonly [before: RegExp, work: () => void])[] = [
  [
    /decomposition lint/,
    () => {
      for (const { draft, ...corrected } of golden()) {
        expect(draft).toBeTypeOf('string');
        // What nobody edited would be no truth: the last relationship is taken out.
        const expectedRelationships = corrected.expectedRelationships.slice(0, -1);
        const edited = { ...corrected, expectedRelationships };
        writeFileSync(at(`golden/${corrected.id}.gold.json`), JSON.stringify(edited, null, 2));
      }
    },
  ],
  [/--outputs results.json/, () => writeFileSync(at('results.json'), JSON.stringify(promptfooResults(0.95)))],
  [/graphs.json/, () => writeFileSync(at('graphs.json'), JSON.stringify(graphDocuments()))],
  [/worse.json/, () => writeFileSync(at('worse.json'), JSON.stringify(promptfooResults(0.5)))],
];

it('works as it is written', { timeout: 300_000 }, () => {
  const page = readFileSync('docs/own-outputs.md', 'utf8');
  const blocks = [...page.matchAll(/```(\w+)\n([\s\S]*?)```/g)].map(([, kind = '', text = '']) => ({
    kind,
    text,
  }));
  const files = blocks.filter(({ kind }) => kind !== 'sh');
  const done = new Set<RegExp>();
  let ran = 0;
  for (const { kind, text } of blocks) {
    // A file is written before the first command that follows or names it.
    for (const file of files) {
      const [, name = ''] = /^(?:\/\/|#) (\S+)\n/.exec(file.text) ?? [];
      expect(name).not.toBe('');
      if (file.text === text || text.includes(name)) writeFileSync(at(name), file.text.replace(/^.*\n/, ''));
    }
    if (kind !== 'sh') continue;
    for (const line of text.trim().split('\n')) {
      for (const [before, work] of BETWEEN) {
        if (done.has(before) || !before.test(line)) continue;
        done.add(before);
        work();
      }
      const [, words = '', exit = '0'] = /^assay (.*?)(?: # exit (\d))?$/.exec(line) ?? [];
      const { status, stdout, stderr } = spawnSync(process.execPath, [LAUNCHER, ...words.split(' ')], {
        cwd: folder,
        encoding: 'utf8',
        env: bareEnv(folder),
      });
      expect(`${line}: ${status}`, `${stdout}\n${stderr}`).toBe(`${line}: ${exit}`);
      ran += 1;
    }
  }
  expect(ran).toBe(12);
  expect(readdirSync(at('.github/workflows'))).toEqual(['assay.yml']);
});
