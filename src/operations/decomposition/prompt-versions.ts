import { join } from 'node:path';
import { noteOn, startEntry, unmeasuredRows } from '../../decomposition/prompts/changelog.ts';
import {
  appendLedger,
  inForce,
  type Ledger,
  type LedgerDecision,
  type Rollback,
  readLedger,
  readWholeLedger,
  recordedHash,
  versionBehind,
} from '../../decomposition/prompts/ledger.ts';
import {
  dateOf,
  editChangelog,
  folderToWrite,
  listPrompts,
  namedStem,
  namedVersion,
  nextVersion,
  type PromptName,
  type PromptSurvey,
  parsePromptName,
  promptFolder,
  readPrompt,
  SHIPPED_PROMPTS,
  type StartedVersion,
  surveyPrompts,
  versionBefore,
  versionOf,
  versionToCopy,
} from '../../decomposition/prompts/prompt-folder.ts';
import { diffLines, type PromptDiff } from '../../decomposition/prompts/text-diff.ts';
import { AssayError } from '../../errors.ts';
import type { Ports } from '../ports.ts';
import { writeNewFile } from '../write-new-file.ts';

export type DiffPromptsRequest = PromptFolderRequest & {
  /** Default: the version before `after`. */
  readonly before?: string;
  readonly after: string | undefined;
};

export function diffPrompts({ prompts, cwd, ...named }: DiffPromptsRequest): PromptDiff {
  const folder = promptFolder(prompts, cwd);
  const after = namedVersion(named.after).name;
  const before =
    named.before === undefined ? versionBefore(listPrompts(folder), after) : namedVersion(named.before).name;
  if (before === undefined) throw new AssayError('USAGE', `there is no version before ${after}; name two`);
  const lines = diffLines(readPrompt(folder, before).text, readPrompt(folder, after).text);
  const count = (kind: string) => lines.filter((line) => line.kind === kind).length;
  return { before, after, added: count('added'), removed: count('removed'), lines };
}

export type PromptDecisions = {
  readonly folder: string;
  /** Newest first, without their measurements. */
  readonly decisions: readonly LedgerDecision[];
  /** Where the ledger is broken; later entries are not trusted and not shown. */
  readonly fault?: string;
};

export function listPromptDecisions({ prompts, cwd }: PromptFolderRequest): PromptDecisions {
  const folder = promptFolder(prompts, cwd);
  const { entries, fault } = readLedger(folder);
  const decisions = entries.map(
    ({ result: _, experiment: __, outcome: ___, previous: ____, hash: _____, ...decision }) => decision,
  );
  return { folder, decisions: decisions.toReversed(), fault };
}

export type PromptFolderRequest = {
  /** The folder of the prompts; default: that of the project, else that of the package. */
  readonly prompts?: string;
  readonly cwd: string;
};

export function listPromptVersions({ prompts: named, cwd }: PromptFolderRequest): PromptSurvey {
  const folder = promptFolder(named, cwd);
  const ledger = readLedger(folder);
  const prompts = surveyPrompts(folder, ledger);
  return {
    folder,
    isShipped: folder === SHIPPED_PROMPTS,
    prompts,
    tampered: prompts.filter(({ file }) => file === 'changed' || file === 'deleted'),
    fault: ledger.fault,
  };
}

export type StartPromptVersionRequest = {
  readonly prompts: string;
  /** A prompt, or the version to start from. */
  readonly name: string | undefined;
  /** v1.1 → v2.0 instead of v1.2. */
  readonly major: boolean;
  /** The intended changes, for the CHANGELOG. */
  readonly changes: readonly string[];
};

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
  writeNewFile(path, readPrompt(folder, base.name).text);
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

export type RollBackPromptRequest = {
  readonly prompts: string;
  /** A prompt, or the version to go back to. */
  readonly name: string | undefined;
  readonly reason: string;
};

/** Reactivates a version that was active before; nothing is deleted. */
export async function rollBackPrompt(
  { prompts, name, reason }: RollBackPromptRequest,
  ports: Ports,
): Promise<Rollback> {
  const folder = folderToWrite(prompts);
  const { stem, version } = namedStem(name);
  const ledger = readWholeLedger(folder);
  const rollback = choose(ledger, stem, version?.name);
  const { from: current, to: target } = rollback;
  const { hash } = readPrompt(folder, target);
  if (hash !== recordedHash(ledger, target)) {
    throw new AssayError('INPUT_INVALID', `${target}.md is not what was promoted: its text was changed`, {
      remedy: 'Restore it from version control, then roll back.',
    });
  }
  const at = ports.now().toISOString();
  const who = ports.identity();
  await appendLedger(folder, {
    at,
    who,
    action: 'rolled back',
    prompt: target,
    sha256: hash,
    from: current,
    reasons: [reason],
  });
  const [from, to] = [current, target].map((one) => parsePromptName(one) as PromptName);
  if (from !== undefined && to !== undefined) {
    const note = `Rolled back to ${versionOf(to)} on ${dateOf(at)} by ${who}: ${reason}`;
    await editChangelog(folder, (log) => noteOn(log, { stem, version: versionOf(from) }, [note]));
  }
  return rollback;
}

/** The active version, and the one to go back to: the named one, else the one before it. */
function choose(ledger: Ledger, stem: string, named: string | undefined): Rollback {
  const promoted = inForce(ledger, stem);
  const current = promoted[0]?.prompt;
  if (current === undefined) throw new AssayError('USAGE', `no version of ${stem} was ever promoted`);
  if (named === current) throw new AssayError('USAGE', `${named} is in force already`);
  const target =
    named === undefined
      ? versionBehind(ledger, stem)
      : promoted.find(({ prompt }) => prompt === named)?.prompt;
  if (target !== undefined) return { from: current, to: target };
  const why =
    named === undefined
      ? `there was no version of ${stem} in force before ${current}`
      : `${named} was never promoted`;
  throw new AssayError('USAGE', why, { remedy: 'Only a version that was promoted before can come back.' });
}
