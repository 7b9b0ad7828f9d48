import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/command-list.ts';
import { parseArguments } from '../../src/cli/parse-arguments.ts';
import { splitCommand } from '../../src/decomposition/ingest/extractors/command.ts';
import { madeWith, openProject, type Project } from '../decomposition-project.ts';

let project: Project;
const SAME = ['--outputs', 'my outputs', '--no-semantic'];

beforeAll(async () => {
  project = openProject(5);
  project.outputs('my outputs', { found: 9, ...madeWith('Words of v1.0.') });
  project.outputs('worse', { found: 6, canary: true, ...madeWith('Words of v1.1.') });
  writeFileSync(project.at('note.txt'), 'Rain causes floods. Floods damage roads.');
  for (const version of ['v1.0', 'v1.1'])
    project.write(`prompts/extract-${version}.md`, `Words of ${version}.`);
  await project.assay('baseline', ...SAME, '--baseline-file', 'kept.json');
  for (const [file, outputs, prompt] of [
    ['a.json', 'my outputs', 'extract-v1.0'],
    ['b.json', 'worse', 'extract-v1.1'],
  ] as const) {
    await project.assay('run', '--outputs', outputs, '--prompt', prompt, '--format', 'json', '--out', file);
  }
}, 120_000);
afterAll(() => project.close());

/** The commands that a page ends with, as they are typed. */
function nextCommands(text: string): string[] {
  const unwrapped = text.replaceAll(/ \\\n +/g, ' ');
  return [...unwrapped.matchAll(/(?<=Next: | · |^ {6}|^- `)assay [^·`\n]+?(?= ·|`|$)/gm)].map(
    ([line]) => line,
  );
}

async function parse(line: string): Promise<string> {
  const [, ...words] = splitCommand(line.split(' > ')[0] ?? '');
  const entry = COMMANDS.filter(({ name }) => words.join(' ').startsWith(name)).at(-1);
  if (entry === undefined) throw new Error(`no command: ${line}`);
  const { command } = await entry.load();
  await parseArguments(command, words.slice(entry.name.split(' ').length));
  return command.name;
}

describe('what a command prints to go on with', () => {
  it.each<[string[], string[]]>([
    [
      ['run', ...SAME],
      ['investigate', 'baseline', 'trend'],
    ],
    [
      ['baseline', ...SAME, '--baseline-file', 'my kept.json'],
      ['compare', 'run'],
    ],
    [
      ['compare', '--outputs', 'worse', '--baseline-file', 'kept.json'],
      ['investigate', 'compare'],
    ],
    [['compare', 'a.json', 'b.json'], ['compare']],
    [['trend'], ['trend', 'trend']],
    [
      ['investigate', '--outputs', 'worse'],
      ['investigate', 'investigate'],
    ],
    [['lint'], ['run']],
    [
      ['prompt', 'list'],
      ['prompt new', 'prompt diff'],
    ],
    [
      ['prompt', 'new', 'map-v1.0'],
      ['prompt diff', 'prompt list'],
    ],
  ])('%j: commands that are understood as they are printed', async (words, expected) => {
    project.write('prompts/map-v1.0.md', 'A map.');
    const lines = nextCommands((await project.assay(...words)).stdout);
    const names = await Promise.all(lines.map(parse));
    expect(names).toEqual(expected.map((name) => `decomposition ${name}`));
  });

  it('runs as printed, with the folders and files that were given', async () => {
    const printed = (await project.assay('baseline', ...SAME, '--baseline-file', 'my kept.json')).stdout;
    const compare = nextCommands(printed)[0] ?? '';
    const [, , ...words] = splitCommand(compare);
    expect(words).toEqual([
      'compare',
      '--baseline-file',
      'my kept.json',
      '--outputs',
      'my outputs',
      '--no-semantic',
    ]);
    expect((await project.assay(...words)).status).toBe(0);
  });

  it('a new version goes on without a model', async () => {
    project.write('prompts/map-v1.0.md', 'A map.');
    const commands = nextCommands((await project.assay('prompt', 'new', 'map')).stdout);
    expect(commands).toHaveLength(2);
    for (const command of commands) {
      const [, , ...words] = splitCommand(command);
      expect(await project.assay(...words), command).toMatchObject({ status: 0, stderr: '' });
    }
  });
});
