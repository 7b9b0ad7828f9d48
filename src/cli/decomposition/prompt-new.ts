import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEntry } from '../../decomposition/prompts/changelog.ts';
import { unmeasuredRows } from '../../decomposition/prompts/impact.ts';
import { appendLedger, inForce, readWholeLedger } from '../../decomposition/prompts/ledger.ts';
import { nextVersion, versionToCopy } from '../../decomposition/prompts/next-version.ts';
import {
  listPrompts,
  type PromptName,
  parsePromptName,
  readPrompt,
} from '../../decomposition/prompts/read-prompt.ts';
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
  name: 'decomposition prompt new',
  summary: 'Start the next version of a prompt from the one in force, with its CHANGELOG entry',
  positionals: { usage: 'NAME', max: 1 },
  options: {
    major: { type: 'boolean', doc: 'v1.1 → v2.0 instead of v1.2' },
    changes: { type: 'string', value: 'TEXT', doc: 'What is to change, for the CHANGELOG; several with ;' },
    prompts: PROMPTS_OPTION,
  },
  examples: [
    'assay decomposition prompt new decompose-concepts --changes "a few-shot example; shorter rules"',
    'assay decomposition prompt new decompose-concepts-v1.0 --major',
  ],
  run: async (args, terminal) => {
    const folder = folderToWrite(args, terminal);
    const { stem, version } = namedStem(args);
    const ledger = readWholeLedger(folder);
    const prompts = listPrompts(folder);
    const base = versionToCopy(prompts, stem, version?.name ?? inForce(ledger, stem)[0]?.prompt);
    if (version !== undefined && base.name !== version.name) {
      throw new AssayError('FILE_NOT_FOUND', `${join(folder, `${version.name}.md`)} does not exist`);
    }
    const name = nextVersion(prompts, base, args.values.major === true);
    const { text } = readPrompt(folder, base.name);
    const path = join(folder, `${name}.md`);
    create(path, text);
    const at = new Date().toISOString();
    const next = parsePromptName(name) as PromptName;
    await editChangelog(folder, (log) =>
      startEntry(
        log,
        { stem, version: versionOf(next), date: dateOf(at) },
        changesOf(textOf(args, 'changes')),
        {
          before: versionOf(base),
          rows: unmeasuredRows(),
        },
      ),
    );
    await appendLedger(folder, {
      at,
      who: whoIsThere(terminal.cwd),
      action: 'created',
      prompt: name,
      sha256: readPrompt(folder, name).hash,
      from: base.name,
      reasons: changesOf(textOf(args, 'changes')),
    });
    terminal.print(
      [
        `${path} starts as a copy of ${base.name}.`,
        '',
        `Next: edit it, then assay decomposition run --prompt ${name} --format json --out ${name}.json`,
        `      assay decomposition prompt promote ${name} --run ${name}.json`,
        '',
      ].join('\n'),
    );
    return 0;
  },
};

/** Never over a file that is there. */
function create(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx' });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AssayError('OUTPUT_FAILED', `${path} cannot be written: ${why}`, { cause });
  }
}

function changesOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(';')
    .map((change) => change.trim())
    .filter((change) => change !== '');
}
