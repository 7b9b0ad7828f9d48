import { versionBefore } from '../../decomposition/prompts/next-version.ts';
import { listPrompts, readPrompt } from '../../decomposition/prompts/read-prompt.ts';
import { diffLines, unified } from '../../decomposition/prompts/text-diff.ts';
import { AssayError } from '../../errors.ts';
import { escapeJson, plain } from '../../report/unsafe-text.ts';
import type { Command } from '../command.ts';
import { folderToRead, namedVersion, PROMPTS_OPTION } from './prompt-folder.ts';

export const command: Command = {
  name: 'decomposition prompt diff',
  summary: 'What changed between two versions of a prompt',
  positionals: { usage: '[BEFORE] AFTER', max: 2 },
  options: {
    prompts: PROMPTS_OPTION,
    format: { type: 'string', choices: ['table', 'json'], default: 'table', doc: 'How to print it' },
  },
  examples: [
    'assay decomposition prompt diff decompose-concepts-v1.1',
    'assay decomposition prompt diff decompose-concepts-v1.0 decompose-concepts-v2.0',
  ],
  run: async (args, terminal) => {
    const folder = folderToRead(args, terminal);
    const after = namedVersion(args, args.positionals.length === 2 ? 1 : 0).name;
    const before =
      args.positionals.length === 2 ? namedVersion(args, 0).name : versionBefore(listPrompts(folder), after);
    if (before === undefined) throw new AssayError('USAGE', `there is no version before ${after}; name two`);
    const lines = diffLines(readPrompt(folder, before).text, readPrompt(folder, after).text);
    const count = (kind: string) => lines.filter((line) => line.kind === kind).length;
    const [added, removed] = [count('added'), count('removed')];
    if (args.values.format === 'json') {
      const changed = lines.filter(({ kind }) => kind !== 'same');
      terminal.print(
        `${escapeJson(JSON.stringify({ before, after, added, removed, lines: changed }, null, 2))}\n`,
      );
      return 0;
    }
    const text = unified(lines, `${before}.md`, `${after}.md`).split('\n').map(plain).join('\n');
    terminal.print(
      added + removed === 0
        ? `${before} and ${after} are the same.\n`
        : `${before} → ${after}: ${added} lines added, ${removed} removed.\n\n${text}`,
    );
    return 0;
  },
};
