import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PREDICATES } from '../golden-rules.ts';
import { answerSchema } from '../ingest/extractors/llm.ts';
import { listPrompts, readPrompt, SHIPPED_PROMPTS } from './prompt-folder.ts';

const prompts = listPrompts(SHIPPED_PROMPTS);
const changelog = readFileSync(join(SHIPPED_PROMPTS, 'CHANGELOG.md'), 'utf8');

/** White space is what a line break of the file is to a reader. */
const flat = (text: string) => text.replace(/\s+/g, ' ').trim();

describe('the prompts of the package', () => {
  it('are the documented ones', () => {
    expect(prompts.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['decompose-concepts-v1.0', 'decompose-concepts-v1.1', 'map-ontology-v1.0']),
    );
  });

  it.each(prompts.map(({ name }) => name))('%s defines every predicate and asks for every field', (name) => {
    const { text } = readPrompt(SHIPPED_PROMPTS, name);
    for (const predicate of PREDICATES) expect(text).toContain(`\`${predicate}\``);
    for (const field of ['label', 'aliases', 'sourceQuote', 'confidence', 'source', 'target', 'predicate']) {
      expect(text).toContain(`"${field}"`);
    }
  });

  it.each(prompts.map(({ name }) => name))('%s gives away no sentence of a golden case', (name) => {
    const text = flat(readPrompt(SHIPPED_PROMPTS, name).text);
    const sentences = globSync('golden/*.gold.json').flatMap((path) => {
      const { sourceText } = JSON.parse(readFileSync(path, 'utf8')) as { sourceText: string };
      return flat(sourceText).split(/(?<=[.;:?]) /);
    });
    expect(sentences.length).toBeGreaterThan(100);
    expect(sentences.filter((sentence) => sentence.length > 30 && text.includes(sentence))).toEqual([]);
  });

  it.each(prompts)(
    '$name has an entry in the changelog, with no figure that nobody measured',
    ({ name, stem }) => {
      const version = name.slice(stem.length + 1);
      const part = changelog.split(/^# /m).find((one) => one.startsWith(`${stem}\n`)) ?? '';
      expect(part).toMatch(new RegExp(`^## ${version.replace('.', '\\.')} \\(\\d{4}-\\d\\d-\\d\\d\\)$`, 'm'));
      for (const section of ['Changes', 'Metrics Impact', 'Notes']) expect(part).toContain(`### ${section}`);
      expect(changelog).not.toMatch(/\d%/);
    },
  );
});

describe('the example in decompose-concepts-v1.1', () => {
  const { text } = readPrompt(SHIPPED_PROMPTS, 'decompose-concepts-v1.1');
  const [, source = '', answer = ''] = /\nText:\n([\s\S]+?)\nAnswer:\n\n([\s\S]+?)\n\n[^ ]/.exec(text) ?? [];
  const { concepts, relationships } = answerSchema.parse(JSON.parse(answer));

  it('copies every quote from its text', () => {
    for (const { sourceQuote } of [...concepts, ...relationships])
      expect(flat(source)).toContain(sourceQuote);
  });

  it('quotes each concept by one of its names, and connects only concepts that it lists', () => {
    for (const { label, aliases, sourceQuote } of concepts) {
      const names = [label, ...aliases].map((one) => one.toLowerCase());
      expect(
        names.some((one) => sourceQuote.toLowerCase().includes(one)),
        label,
      ).toBe(true);
    }
    const labels = concepts.map(({ label }) => label);
    for (const { source: from, target } of relationships)
      expect(labels).toEqual(expect.arrayContaining([from, target]));
  });

  it('shows all five predicates, each pair once', () => {
    expect(new Set(relationships.map(({ predicate }) => predicate))).toEqual(new Set(PREDICATES));
    const pairs = relationships.map((one) => [one.source, one.target].toSorted().join(' – '));
    expect(new Set(pairs).size).toBe(pairs.length);
  });
});
