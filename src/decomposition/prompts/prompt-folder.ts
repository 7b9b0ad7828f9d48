import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AssayError } from '../../errors.ts';
import { listNames, readText } from '../../files.ts';
import { replaceFile, underLock } from '../../locked-file.ts';
import { CHANGELOG_FILE } from './changelog.ts';
import { inForce, type Ledger, type LedgerEntry, recordedHash } from './ledger.ts';

/** Requires an existing folder that is not the one of the package. */
export function folderToWrite(folder: string): string {
  if (existsSync(folder)) return folder;
  throw new AssayError('FILE_NOT_FOUND', `there is no folder ${folder}`, {
    remedy: [
      { say: 'Make it and write <words>-v1.0.md into it' },
      { say: 'name another one', options: { prompts: true } },
    ],
  });
}

export function namedVersion(name: string | undefined): PromptName {
  const parsed = name === undefined ? undefined : parsePromptName(withoutSuffix(name));
  if (parsed !== undefined) return parsed;
  throw new AssayError(
    'USAGE',
    name === undefined ? 'which prompt?' : `"${name}" is not the name of a prompt`,
    {
      remedy: [
        {
          say: 'Prompts are named <words>-v<major>.<minor>, e.g. decompose-concepts-v1.1. See which there are',
          step: { operation: 'decomposition prompt list' },
        },
      ],
    },
  );
}

/** `decompose-concepts-v1.1` or only `decompose-concepts`. */
export function namedStem(given: string | undefined): {
  readonly stem: string;
  readonly version?: PromptName;
} {
  const name = withoutSuffix(given ?? '');
  const version = parsePromptName(name);
  if (version !== undefined) return { stem: version.stem, version };
  if (/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) return { stem: name };
  throw new AssayError('USAGE', name === '' ? 'which prompt?' : `"${name}" is not the name of a prompt`, {
    remedy: 'Names are lower-case words joined by hyphens, e.g. decompose-concepts.',
  });
}

function withoutSuffix(name: string): string {
  return name.replace(/\.md$/, '');
}

export async function editChangelog(folder: string, edit: (text: string) => string): Promise<void> {
  const path = join(folder, CHANGELOG_FILE);
  await underLock(path, () => replaceFile(path, edit(existsSync(path) ? readText(path) : '')));
}

export function versionOf({ major, minor }: PromptName): string {
  return `v${major}.${minor}`;
}

export function dateOf(at: string): string {
  return at.slice(0, 10);
}

/** A prompt with the content of its file. `hash` distinguishes two texts with one name. */
export type Prompt = {
  /** e.g. `decompose-concepts-v1.1`. */
  readonly name: string;
  /** e.g. `v1.1`. */
  readonly version: string;
  readonly text: string;
  readonly hash: string;
};

export type PromptName = {
  readonly name: string;
  readonly stem: string;
  readonly major: number;
  readonly minor: number;
};

const NAME = /^([a-z0-9]+(?:-[a-z0-9]+)*)-v(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})$/;

/** Longer than any real prompt. */
const MAX_BYTES = 1024 * 1024;

export const SHIPPED_PROMPTS = fileURLToPath(new URL('../../../prompts', import.meta.url));

export function parsePromptName(name: string): PromptName | undefined {
  const [, stem, major, minor] = NAME.exec(name) ?? [];
  return stem === undefined ? undefined : { name, stem, major: Number(major), minor: Number(minor) };
}

export function promptPath(folder: string, name: string): string {
  return join(folder, `${name}.md`);
}

export function readPrompt(folder: string, name: string): Prompt {
  const parsed = parsePromptName(name);
  if (parsed === undefined) {
    throw new AssayError('INPUT_INVALID', `"${name}" is not the name of a prompt`, {
      remedy: 'Prompts are named <words>-v<major>.<minor>, e.g. decompose-concepts-v1.1.',
    });
  }
  const path = promptPath(folder, name);
  const text = readText(path, MAX_BYTES);
  if (text.trim() === '') throw new AssayError('INPUT_INVALID', `${path} is empty`);
  return {
    name,
    version: `v${parsed.major}.${parsed.minor}`,
    text,
    hash: createHash('sha256').update(text).digest('hex'),
  };
}

/** Throws if the text of a version changed after a decision on it. */
export function readUnchanged(folder: string, name: string, ledger: Ledger): Prompt {
  const prompt = readPrompt(folder, name);
  const recorded = recordedHash(ledger, name);
  if (recorded === undefined || recorded === prompt.hash) return prompt;
  throw new AssayError('INPUT_INVALID', `${name}.md was changed after it was decided on`, {
    remedy: 'Restore it from version control, and make a new version for new words.',
  });
}

/** Reads prompts that are used in sequence; each is a version by name, or the newest one by its stem. */
export function readChain(folder: string, names: readonly string[]): Prompt[] {
  return names.map((name) =>
    readPrompt(folder, parsePromptName(name) === undefined ? newestOr(folder, name) : name),
  );
}

/** An unknown name is returned unchanged, and rejected later. */
function newestOr(folder: string, stem: string): string {
  return listPrompts(folder).findLast((prompt) => prompt.stem === stem)?.name ?? stem;
}

const STEP = ' + ';

export function chainName(prompts: readonly Pick<Prompt, 'name'>[]): string {
  return prompts.map(({ name }) => name).join(STEP);
}

/** The names of its steps. */
export function stepsOf(chain: string): readonly string[] {
  return chain.split(STEP);
}

/** For a single prompt, its own hash. */
export function chainHash(prompts: readonly Pick<Prompt, 'hash'>[]): string {
  const [first, ...more] = prompts.map(({ hash }) => hash);
  if (first !== undefined && more.length === 0) return first;
  return createHash('sha256')
    .update([first, ...more].join('\n'))
    .digest('hex');
}

/** The chain with `name` instead of another version of the same prompt; just `name` if the chain has none. */
export function withStep(chain: readonly string[], name: string): readonly string[] {
  const stem = (one: string) => parsePromptName(one)?.stem ?? one;
  const changed = chain.map((one) => (stem(one) === stem(name) ? name : one));
  return changed.includes(name) ? changed : [name];
}

/** Name → hash of every prompt in a folder. */
export function promptHashes(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(listPrompts(folder).map(({ name }) => [name, readPrompt(folder, name).hash]));
}

export function listPrompts(folder: string): PromptName[] {
  return listNames(folder, '.md')
    .flatMap((file) => parsePromptName(file.slice(0, -'.md'.length)) ?? [])
    .sort((a, b) => (a.stem === b.stem ? a.major - b.major || a.minor - b.minor : a.stem < b.stem ? -1 : 1));
}

/** The name of the newest version, by number: v1.10 is newer than v1.9. */
export function newestPrompt(folder: string, stem: string): string {
  const newest = listPrompts(folder).findLast((prompt) => prompt.stem === stem);
  if (newest !== undefined) return newest.name;
  throw new AssayError('FILE_NOT_FOUND', `${folder} holds no prompt ${stem}-v<major>.<minor>.md`);
}

/** The named folder; otherwise `prompts/` if it exists, else that of the package. */
export function promptFolder(named: string | undefined, cwd: string): string {
  if (named !== undefined) return named;
  const own = join(cwd, 'prompts');
  return existsSync(own) ? own : SHIPPED_PROMPTS;
}

/**
 * The next version number: v1.0 → v1.1 for a minor change, v2.0 for a major one. A minor change of an older major
 * version continues its numbers; no number is used twice.
 */
export function nextVersion(prompts: readonly PromptName[], base: PromptName, major: boolean): string {
  const family = prompts.filter(({ stem }) => stem === base.stem);
  const highest = (numbers: readonly number[]) => numbers.reduce((a, b) => Math.max(a, b), 0);
  if (major) return `${base.stem}-v${highest(family.map((one) => one.major)) + 1}.0`;
  const minors = family.filter((one) => one.major === base.major).map((one) => one.minor);
  return `${base.stem}-v${base.major}.${highest(minors) + 1}`;
}

export function versionToCopy(
  prompts: readonly PromptName[],
  stem: string,
  inForce: string | undefined,
): PromptName {
  const family = prompts.filter((one) => one.stem === stem);
  const base = family.find(({ name }) => name === inForce) ?? family.at(-1);
  if (base !== undefined) return base;
  const known = [...new Set(prompts.map((one) => one.stem))].join(', ');
  throw new AssayError('USAGE', `there is no prompt "${stem}"${known === '' ? '' : `; there is ${known}`}`, {
    remedy: `Write ${stem}-v1.0.md first; later versions are made from it.`,
  });
}

export function versionBefore(prompts: readonly PromptName[], name: string): string | undefined {
  const index = prompts.findIndex((one) => one.name === name);
  const [before, here] = [prompts[index - 1], prompts[index]];
  return before !== undefined && before.stem === here?.stem ? before.name : undefined;
}

export type StartedVersion = {
  readonly name: string;
  readonly path: string;
  readonly from: string;
};

export type SurveyedPrompt = {
  readonly name: string;
  readonly stem: string;
  readonly state: 'in force' | 'promoted before' | 'rejected' | 'held' | 'not promoted';
  /** `draft`: a version without a decision, which may still change. */
  readonly file: 'as recorded' | 'as created' | 'draft' | 'changed' | 'deleted' | 'not recorded';
  readonly since?: string;
  readonly who?: string;
};

export type PromptSurvey = {
  readonly folder: string;
  readonly isShipped: boolean;
  readonly prompts: readonly SurveyedPrompt[];
  readonly fault?: string;
  readonly tampered: readonly SurveyedPrompt[];
};

export function surveyPrompts(folder: string, ledger: Ledger): SurveyedPrompt[] {
  const listed = listPrompts(folder);
  const gone = [...new Set(ledger.entries.map(({ prompt }) => prompt))].flatMap((name) => {
    const parsed = parsePromptName(name);
    return parsed === undefined || listed.some((one) => one.name === name) ? [] : [parsed];
  });
  return [...listed, ...gone].map(({ name, stem }) => {
    const decided = ledger.entries.findLast(
      ({ prompt, action }) => prompt === name && action !== 'created' && !isOfExperiment(action),
    );
    const there = listed.some((one) => one.name === name);
    return {
      name,
      stem,
      state: stateOf(name, decided, inForce(ledger, stem)),
      file: there ? fileState(readPrompt(folder, name).hash, name, ledger) : 'deleted',
      ...(decided && { since: decided.at, who: decided.who }),
    };
  });
}

/** An experiment does not change which version is active. */
function isOfExperiment(action: LedgerEntry['action']): boolean {
  return action === 'experiment started' || action === 'experiment stopped';
}

function stateOf(
  name: string,
  decided: LedgerEntry | undefined,
  promoted: readonly LedgerEntry[],
): SurveyedPrompt['state'] {
  if (promoted[0]?.prompt === name) return 'in force';
  if (promoted.some(({ prompt }) => prompt === name)) return 'promoted before';
  return decided?.action === 'rejected' ? 'rejected' : decided?.action === 'held' ? 'held' : 'not promoted';
}

/** A version may change until a decision on it; then it must stay the same. */
function fileState(hash: string, name: string, ledger: Ledger): SurveyedPrompt['file'] {
  const recorded = recordedHash(ledger, name);
  if (recorded !== undefined) return recorded === hash ? 'as recorded' : 'changed';
  const created = ledger.entries.find(({ prompt }) => prompt === name);
  if (created === undefined) return 'not recorded';
  return created.sha256 === hash ? 'as created' : 'draft';
}
