import { noteOn } from '../../decomposition/prompts/changelog.ts';
import {
  appendLedger,
  inForce,
  type Ledger,
  type Rollback,
  readWholeLedger,
  recordedHash,
  versionBehind,
} from '../../decomposition/prompts/ledger.ts';
import {
  dateOf,
  editChangelog,
  folderToWrite,
  namedStem,
  versionOf,
} from '../../decomposition/prompts/prompt-folder.ts';
import { type PromptName, parsePromptName, readPrompt } from '../../decomposition/prompts/read-prompt.ts';
import { rollbackText } from '../../decomposition/views/decision-words.ts';
import { AssayError } from '../../errors.ts';
import type { Ports } from '../ports.ts';

export type RollBackPromptRequest = {
  /** The folder of the prompts. */
  readonly prompts: string;
  /** A prompt, or the version to go back to. */
  readonly name: string | undefined;
  readonly reason: string;
};

/** Puts a version back in force that was in force before; nothing is deleted. */
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
    const note = rollbackText({ to: versionOf(to), on: dateOf(at), who, reason });
    await editChangelog(folder, (log) => noteOn(log, { stem, version: versionOf(from) }, [note]));
  }
  return rollback;
}

/** The version in force, and the one to go back to: the one named, else the one behind it. */
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
