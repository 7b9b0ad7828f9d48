import { noteOn } from '../../decomposition/prompts/changelog.ts';
import {
  appendLedger,
  inForce,
  type Ledger,
  readWholeLedger,
  recordedHash,
  versionBehind,
} from '../../decomposition/prompts/ledger.ts';
import { type PromptName, parsePromptName, readPrompt } from '../../decomposition/prompts/read-prompt.ts';
import { AssayError } from '../../errors.ts';
import type { Command } from '../command.ts';
import { whoIsThere } from '../git-identity.ts';
import {
  dateOf,
  editChangelog,
  folderToWrite,
  namedStem,
  PROMPTS_OPTION,
  versionOf,
} from './prompt-folder.ts';
import { textOf } from './run-options.ts';

export const command: Command = {
  name: 'decomposition prompt rollback',
  summary: 'Put a version of a prompt back in force that was in force before; nothing is deleted',
  positionals: { usage: 'NAME', max: 1 },
  options: {
    reason: { type: 'string', value: 'TEXT', doc: 'Why, for the ledger and the CHANGELOG' },
    prompts: PROMPTS_OPTION,
  },
  examples: [
    'assay decomposition prompt rollback decompose-concepts --reason "recall fell in production"',
    'assay decomposition prompt rollback decompose-concepts-v1.0',
  ],
  run: async (args, terminal) => {
    const folder = folderToWrite(args, terminal);
    const { stem, version } = namedStem(args);
    const ledger = readWholeLedger(folder);
    const { current, target } = choose(ledger, stem, version?.name);
    const { hash } = readPrompt(folder, target);
    if (hash !== recordedHash(ledger, target)) {
      throw new AssayError('INPUT_INVALID', `${target}.md is not what was promoted: its text was changed`, {
        remedy: 'Restore it from version control, then roll back.',
      });
    }
    const at = new Date().toISOString();
    const reason = textOf(args, 'reason')?.trim() || 'no reason given';
    const who = whoIsThere(terminal.cwd);
    await appendLedger(folder, {
      at,
      who,
      action: 'rolled back',
      prompt: target,
      sha256: hash,
      from: current,
      reasons: [reason],
    });
    const [from, to] = [current, target].map((name) => parsePromptName(name) as PromptName);
    if (from !== undefined && to !== undefined) {
      await editChangelog(folder, (log) =>
        noteOn(log, { stem, version: versionOf(from) }, [
          `Rolled back to ${versionOf(to)} on ${dateOf(at)} by ${who}: ${reason}`,
        ]),
      );
    }
    terminal.print(
      `${target} is in force again, ${current} is not. Both files stay.\n\nNext: assay decomposition prompt list\n`,
    );
    return 0;
  },
};

/** The version in force, and the one to go back to: the one named, else the one behind it. */
function choose(
  ledger: Ledger,
  stem: string,
  named: string | undefined,
): { readonly current: string; readonly target: string } {
  const promoted = inForce(ledger, stem);
  const current = promoted[0]?.prompt;
  if (current === undefined) throw new AssayError('USAGE', `no version of ${stem} was ever promoted`);
  if (named === current) throw new AssayError('USAGE', `${named} is in force already`);
  const target =
    named === undefined
      ? versionBehind(ledger, stem)
      : promoted.find(({ prompt }) => prompt === named)?.prompt;
  if (target !== undefined) return { current, target };
  const why =
    named === undefined
      ? `there was no version of ${stem} in force before ${current}`
      : `${named} was never promoted`;
  throw new AssayError('USAGE', why, { remedy: 'assay decomposition prompt list shows what was.' });
}
