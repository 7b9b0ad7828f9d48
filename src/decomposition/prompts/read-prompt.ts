import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AssayError } from '../../errors.ts';
import { listNames, readText } from '../../files.ts';

/** A prompt as a file holds it. `hash` tells two texts under one name apart. */
export type Prompt = {
  /** e.g. `decompose-concepts-v1.1`. */
  readonly name: string;
  /** e.g. `v1.1`. */
  readonly version: string;
  readonly text: string;
  readonly hash: string;
};

/** The parts of a name such as `decompose-concepts-v1.1`. */
export type PromptName = {
  readonly name: string;
  readonly stem: string;
  readonly major: number;
  readonly minor: number;
};

const NAME = /^([a-z0-9]+(?:-[a-z0-9]+)*)-v(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})$/;

/** No prompt that a person wrote is longer. */
const MAX_BYTES = 1024 * 1024;

/** The prompts that come with the package. */
export const SHIPPED_PROMPTS = fileURLToPath(new URL('../../../prompts', import.meta.url));

export function parsePromptName(name: string): PromptName | undefined {
  const [, stem, major, minor] = NAME.exec(name) ?? [];
  return stem === undefined ? undefined : { name, stem, major: Number(major), minor: Number(minor) };
}

export function readPrompt(folder: string, name: string): Prompt {
  const parsed = parsePromptName(name);
  if (parsed === undefined) {
    throw new AssayError('INPUT_INVALID', `"${name}" is not the name of a prompt`, {
      remedy: 'Prompts are named <words>-v<major>.<minor>, e.g. decompose-concepts-v1.1.',
    });
  }
  const path = join(folder, `${name}.md`);
  const text = readText(path, MAX_BYTES);
  if (text.trim() === '') throw new AssayError('INPUT_INVALID', `${path} is empty`);
  return {
    name,
    version: `v${parsed.major}.${parsed.minor}`,
    text,
    hash: createHash('sha256').update(text).digest('hex'),
  };
}

/** The prompts of a folder by stem, each from oldest to newest. Other files are not prompts. */
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

/** The folder that was named; otherwise `prompts/` if there is one, and those of the package if not. */
export function promptFolder(named: string | undefined, cwd: string): string {
  if (named !== undefined) return named;
  const own = join(cwd, 'prompts');
  return existsSync(own) ? own : SHIPPED_PROMPTS;
}
