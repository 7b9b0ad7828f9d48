import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Sample } from './format.ts';
import { loadFormats } from './load-formats.ts';
import { SAMPLES, sampleOf } from './testing/samples.ts';

const formats = await loadFormats();

const AGENTS: Readonly<Record<string, string>> = {
  'claude-code-subagents/s-main.jsonl': 'claude-code',
  'claude-code-inline/old-1.jsonl': 'claude-code',
  'codex-rollout/rollout.jsonl': 'codex',
  'codex-legacy/rollout.jsonl': 'codex',
  'gemini-lines/session.jsonl': 'gemini',
  'gemini-document/session.json': 'gemini',
  'openclaw-main/session.jsonl': 'openclaw',
  'pi-v1-linear/session.jsonl': 'pi',
};
/** Agents whose files are among the samples. */
const NEWER = 'opencode qwen-code copilot-cli kimi cursor-transcript hermes grok droid antigravity'.split(
  ' ',
);
const all = [
  ...SAMPLES,
  ...Object.entries(AGENTS).map(([file, name]) => {
    const path = `test/fixtures/session/${file}`;
    return { name, sample: sampleOf(path, readFileSync(path, 'utf8')) };
  }),
];

/** They write the same entries: the first in the list knows its own by more, and what is left is the last one's. */
const SAME_ENTRIES = ['openclaw', 'pi'];

function detected(sample: Sample): string[] {
  const names = formats.filter((format) => format.detect(sample)).map(({ name }) => name);
  const [first] = names.filter((name) => SAME_ENTRIES.includes(name));
  return names.filter((name) => name === first || !SAME_ENTRIES.includes(name));
}

describe('detection', () => {
  it.each(all)('recognises $name and nothing else in $sample.path', ({ name, sample }) => {
    expect(detected(sample)).toEqual([name]);
  });

  it('does not look at the name of the file', () => {
    for (const { name, sample } of all) expect(detected({ ...sample, path: 'x' })).toEqual([name]);
  });

  it('recognises nothing in empty, odd or foreign records', () => {
    const odd: unknown[] = [[], {}, null, 7, 'text', [[]], [{}], { type: 'user', message: { role: 'user' } }];
    for (const record of odd)
      for (const document of [true, false])
        expect(detected({ records: [record], document, path: 'x' })).toEqual([]);
    expect(detected({ records: [], document: false, path: 'x' })).toEqual([]);
  });

  const others = globSync(
    '../shared/data/session/{claude-code/sessions,format-fixtures,pi}/**/*.{json,jsonl}',
  );
  it.skipIf(!existsSync('../shared/data/session'))('never takes a real transcript for two formats', () => {
    expect(others.length).toBeGreaterThan(80);
    const taken = others.flatMap((path) => {
      const names = detected(sampleOf(path, readFileSync(path, 'utf8')));
      return names.map((name) => [name, `${path}: ${names}`] as const);
    });
    expect(taken.filter(([, text]) => text.includes(','))).toEqual([]);
    const agents = new Set([...Object.values(AGENTS), ...NEWER]);
    expect(taken.filter(([name]) => !agents.has(name))).toEqual([]);
  });
});
