import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FORMATS } from './formats.ts';

const HERE = 'src/session/ingest/formats';

/** Places where a word is not the agent: what else it means there. */
const MEANS_SOMETHING_ELSE: readonly (readonly [place: string, why: string])[] = [
  ['src/cli/', 'help shows people the folders of their agents'],
  ['src/session/pricing/', 'names of models and of who sells them'],
  ['src/secrets.ts', 'how HTML spells a sign'],
  ['src/decomposition/match/normalise.ts', 'a letter of the Greek alphabet'],
  ['src/session/profiles/baselines.ts', 'says which sessions its figures were taken from'],
  ['src/session/fold/corrections.ts', 'a person who says to go on'],
  ['src/settings/session.ts', 'OTLP as the protocol that scores are sent by'],
  ['src/operations/session/delivery-targets.ts', 'the same'],
  ['src/archives/', 'the archives that several instruments read'],
  ['src/decomposition/ingest/outputs/', 'files of other tools that hold outputs'],
  ['src/workflow/ingest/formats/', 'files of other tools that hold reviews'],
  ['src/session/ingest/files/looks-like.ts', 'says what is to be exported instead'],
  ['src/operations/session/langfuse-scores.ts', 'Langfuse as a service that keeps scores'],
  ['src/session/views/sent-scores.ts', 'the same'],
  ['src/session/results.ts', 'the same'],
  ['src/api/schema/session-lists.ts', 'the same'],
  ['src/session/live/telemetry.ts', 'OTLP as the protocol that is received'],
  ['src/operations/session/live-intake.ts', 'the same'],
  ['src/operations/session/fleet-intake.ts', 'the same'],
  ['src/operations/session/replica-rows.ts', 'the same'],
  ['src/operations/production/span-request.ts', 'the same'],
  ['src/server/resources/', 'the same'],
  ['src/operations/hooks/hooked-agents.ts', 'agents that call hooks, each in its own way'],
];

const folders = readdirSync(HERE, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'testing')
  .map(({ name }) => name)
  .sort();

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

const agents = [...folders.filter((name) => name !== 'neutral').map(wordsFor), ...ownFolders];

/** Lines that name an agent, in sources outside of its folder and the list. */
const naming = globSync('src/**/*.ts')
  .filter((path) => !/\.test\.ts$|\/testing\//.test(path) && path !== `${HERE}/formats.ts`)
  .filter((path) => !folders.some((folder) => path.startsWith(`${HERE}/${folder}/`)))
  .flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .map((line, index) => ({ path, line: `${path}:${index + 1}: ${line.trim()}` }))
      .filter(({ line }) => agents.some((words) => words.test(line.slice(line.indexOf(': '))))),
  );

describe('the formats', () => {
  it('are the folders beside the list, each under its own name, with both halves of the contract', () => {
    expect(FORMATS.map(({ name }) => name).sort()).toEqual(folders);
    for (const folder of folders)
      for (const file of ['format.ts', 'adapter.ts'])
        expect(existsSync(`${HERE}/${folder}/${file}`), `${folder}/${file}`).toBe(true);
  });

  it('are named nowhere but in their folders and in the list', () => {
    const unexplained = naming.filter(
      ({ path }) => !MEANS_SOMETHING_ELSE.some(([place]) => path.startsWith(place)),
    );
    expect(unexplained.map(({ line }) => line)).toEqual([]);
  });

  it('know nothing of the folder of another agent; one agent may have several', () => {
    const agentOf = (folder: string) => /^[a-z]+/.exec(folder)?.[0];
    const foreign = folders.flatMap((folder) =>
      globSync(`${HERE}/${folder}/*.ts`)
        .filter((path) => !path.endsWith('.test.ts'))
        .flatMap((path) =>
          [...readFileSync(path, 'utf8').matchAll(/from '\.\.\/([a-z0-9-]+)\//g)]
            .filter(([, other = '']) => folders.includes(other) && agentOf(other) !== agentOf(folder))
            .map(([, other]) => `${path} imports ${other}`),
        ),
    );
    expect(foreign).toEqual([]);
  });

  it('have no exception that nothing needs any more', () => {
    const needless = MEANS_SOMETHING_ELSE.filter(
      ([place]) => !naming.some(({ path }) => path.startsWith(place)),
    );
    expect(needless).toEqual([]);
  });

  it('are found where the words mean the agent, so that the search above cannot miss everything', () => {
    for (const folder of folders) {
      const text = globSync(`${HERE}/${folder}/*.ts`).map((path) => readFileSync(path, 'utf8'));
      expect(
        text.some((one) => wordsFor(folder).test(one)),
        folder,
      ).toBe(true);
    }
    expect(wordsFor('claude-code').test('isClaudeCode(a)')).toBe(true);
    expect(wordsFor('claude-code').test("source === 'claude-code'")).toBe(true);
    expect(wordsFor('claude-code').test('/** Claude Code: by path */')).toBe(true);
  });
});
