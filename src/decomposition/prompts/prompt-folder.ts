import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AssayError } from '../../errors.ts';
import { readText } from '../../files.ts';
import { replaceFile, underLock } from '../../locked-file.ts';
import { CHANGELOG_FILE } from './changelog.ts';
import { type PromptName, parsePromptName } from './read-prompt.ts';

/** For writing: a folder that is there, never the one of the package. */
export function folderToWrite(folder: string): string {
  if (existsSync(folder)) return folder;
  throw new AssayError('FILE_NOT_FOUND', `there is no folder ${folder}`, {
    remedy: [
      { say: 'Make it and write <words>-v1.0.md into it' },
      { say: 'name another one', options: { prompts: true } },
    ],
  });
}

/** The prompt that was named, with its version. */
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

/** Changes the CHANGELOG while nobody else does. */
export async function editChangelog(folder: string, edit: (text: string) => string): Promise<void> {
  const path = join(folder, CHANGELOG_FILE);
  await underLock(path, () => replaceFile(path, edit(existsSync(path) ? readText(path) : '')));
}

export function versionOf({ major, minor }: PromptName): string {
  return `v${major}.${minor}`;
}

/** The date of a moment, as the CHANGELOG writes it. */
export function dateOf(at: string): string {
  return at.slice(0, 10);
}
