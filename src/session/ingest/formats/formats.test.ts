import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FORMATS } from './formats.ts';

const HERE = 'src/session/ingest/formats';

/** Places where a word is not the agent: what else it means there. */
const MEANS_SOMETHING_ELSE: readonly (readonly [place: string, why: string])[] = [
  ['src/session/ingest/formats/chat.ts', 'the API of models'],
  ['src/cli/', 'help shows people the folders of their agents'],
  ['src/session/pricing/', 'names of models and of who sells them'],
  ['src/secrets.ts', 'how HTML spells a sign'],
  ['src/decomposition/match/normalise.ts', 'a letter of the Greek alphabet'],
  ['src/session/profiles/baselines.ts', 'says which sessions its figures were taken from'],
  ['src/session/fold/corrections.ts', 'a person who says to go on'],
  ['src/settings/session.ts', 'OTLP as the protocol that scores are sent by'],
  ['src/operations/session/delivery-targets.ts', 'the same'],
  ['src/archives/', 'the archives that several instruments read'],
  ['src/decomposition/golden/import-items.ts', 'files of other tools that hold texts'],
  ['src/decomposition/ingest/outputs/', 'files of other tools that hold outputs'],
  ['src/workflow/ingest/formats/', 'files of other tools that hold reviews'],
  ['src/session/ingest/files/file-kind.ts', 'says what is to be exported instead'],
  ['src/operations/session/score-targets.ts', 'Langfuse as a service that keeps scores'],
  ['src/session/views/sent-scores.ts', 'the same'],
  ['src/trusted-folders.ts', 'the same'],
  ['src/api/schema/session-lists.ts', 'the same'],
  ['src/session/live/telemetry.ts', 'OTLP as the protocol that is received'],
  ['src/session/live/sent-streams.ts', 'the same'],
  ['src/operations/session/session-intake.ts', 'the same'],
  ['src/operations/production/span-request.ts', 'the same'],
  ['src/server/resources/', 'the same'],
  ['src/operations/hooks/hooked-agents.ts', 'agents that call hooks, each in its own way'],
];

const names = FORMATS.map(({ name }) => name);
/** A small format is one file, a larger one a folder. */
const modulesOf = (name: string) => globSync([`${HERE}/${name}.ts`, `${HERE}/${name}/*.ts`]);

/** Names that are words of everyday code: only as the name itself, in quotes, do they mean the agent. */
const EVERYDAY_WORDS: ReadonlySet<string> = new Set(
  'cursor cline continue amp crush droid goose grok'.split(' '),
);

/** `claude-code` is also Claude Code, isClaudeCode and claude_code; the first words of a title are a name as well. */
function wordsFor(name: string): RegExp {
  if (EVERYDAY_WORDS.has(name)) return new RegExp(`['"]${name}['"]`);
  const title = FORMATS.find((format) => format.name === name)?.title.split(
    / (?:CLI|coding|results|events)/,
  )[0];
  const spelled = [name, title ?? name].map((one) => one.replaceAll(/[- ]/g, '[-_ ]?')).join('|');
  // A name of two letters is part of many words.
  return name.length > 2 ? new RegExp(spelled, 'i') : new RegExp(`(?<![A-Za-z])(?:${spelled})(?![A-Za-z])`);
}

/** `.claude`, where an agent keeps what is its own, is its name as well; what many programs share is not. */
const SHARED_FOLDERS: ReadonlySet<string> = new Set(['.config', '.local']);
const ownFolders = FORMATS.flatMap(({ places }) => places?.('/home', {}) ?? [])
  .flatMap(({ place }) => /^\/home\/(\.[\w-]+)/.exec(place)?.[1] ?? [])
  .filter((folder) => !SHARED_FOLDERS.has(folder))
  .map((folder) => new RegExp(`(?<!\\w)\\\\?\\${folder}\\b`));

const agents = [...names.filter((name) => name !== 'neutral').map(wordsFor), ...ownFolders];

/** Lines that name an agent, in sources outside of its modules and the list. */
const naming = globSync('src/**/*.ts')
  .filter((path) => !/\.test\.ts$|\/testing\//.test(path) && path !== `${HERE}/formats.ts`)
  .filter(
    (path) => !names.some((name) => path.startsWith(`${HERE}/${name}/`) || path === `${HERE}/${name}.ts`),
  )
  .flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .map((line, index) => ({ path, line: `${path}:${index + 1}: ${line.trim()}` }))
      .filter(({ line }) => agents.some((words) => words.test(line.slice(line.indexOf(': '))))),
  );

describe('the formats', () => {
  it('are named nowhere but in their modules and in the list', () => {
    const unexplained = naming.filter(
      ({ path }) => !MEANS_SOMETHING_ELSE.some(([place]) => path.startsWith(place)),
    );
    expect(unexplained.map(({ line }) => line)).toEqual([]);
  });

  it('are found where the words mean the agent, so that the search above cannot miss everything', () => {
    for (const name of names) {
      const modules = modulesOf(name);
      const isNamed = modules.some((path) => wordsFor(name).test(readFileSync(path, 'utf8')));
      expect([name, modules.length === 0 || isNamed]).toEqual([name, true]);
    }
    expect(wordsFor('claude-code').test('isClaudeCode(a)')).toBe(true);
    expect(wordsFor('claude-code').test("source === 'claude-code'")).toBe(true);
    expect(wordsFor('claude-code').test('/** Claude Code: by path */')).toBe(true);
  });
});
