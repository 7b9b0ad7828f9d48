import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEntry } from '../../decomposition/prompts/changelog.ts';
import { unmeasuredRows } from '../../decomposition/prompts/impact.ts';
import { appendLedger, inForce, readWholeLedger } from '../../decomposition/prompts/ledger.ts';
import { nextVersion, type StartedVersion, versionToCopy } from '../../decomposition/prompts/next-version.ts';
import {
  dateOf,
  editChangelog,
  folderToWrite,
  namedStem,
  versionOf,
} from '../../decomposition/prompts/prompt-folder.ts';
import {
  listPrompts,
  type PromptName,
  parsePromptName,
  readPrompt,
} from '../../decomposition/prompts/read-prompt.ts';
import { AssayError } from '../../errors.ts';
import type { Ports } from '../ports.ts';

export type StartPromptVersionRequest = {
  /** The folder of the prompts. */
  readonly prompts: string;
  /** A prompt, or the version to start from. */
  readonly name: string | undefined;
  /** v1.1 → v2.0 instead of v1.2. */
  readonly major: boolean;
  /** What is to change, for the CHANGELOG. */
  readonly changes: readonly string[];
};

/** Starts the next version of a prompt from the one in force, with its CHANGELOG entry. */
export async function startPromptVersion(
  request: StartPromptVersionRequest,
  ports: Ports,
): Promise<StartedVersion> {
  const folder = folderToWrite(request.prompts);
  const { stem, version } = namedStem(request.name);
  const ledger = readWholeLedger(folder);
  const prompts = listPrompts(folder);
  const base = versionToCopy(prompts, stem, version?.name ?? inForce(ledger, stem)[0]?.prompt);
  if (version !== undefined && base.name !== version.name) {
    throw new AssayError('FILE_NOT_FOUND', `${join(folder, `${version.name}.md`)} does not exist`);
  }
  const name = nextVersion(prompts, base, request.major);
  const path = join(folder, `${name}.md`);
  create(path, readPrompt(folder, base.name).text);
  const at = ports.now().toISOString();
  const next = { stem, version: versionOf(parsePromptName(name) as PromptName), date: dateOf(at) };
  const impact = { before: versionOf(base), rows: unmeasuredRows() };
  await editChangelog(folder, (log) => startEntry(log, next, request.changes, impact));
  await appendLedger(folder, {
    at,
    who: ports.identity(),
    action: 'created',
    prompt: name,
    sha256: readPrompt(folder, name).hash,
    from: base.name,
    reasons: [...request.changes],
  });
  return { name, path, from: base.name };
}

/** Never over a file that is there. */
function create(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx' });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AssayError('OUTPUT_FAILED', `${path} cannot be written: ${why}`, { cause });
  }
}
