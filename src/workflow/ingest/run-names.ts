import { basename, extname } from 'node:path';
import type { ImportOptions } from './formats/importer.ts';
import { InvalidInput } from './validate.ts';

export type Names = {
  readonly workflow: string;
  readonly task: string;
  readonly run: string;
  readonly notes: readonly string[];
};

/** What a file of another tool says about itself. */
export type NamesSaid = { readonly workflow?: string | undefined; readonly task?: string | undefined };

/**
 * What a run of another tool is called: what was asked for, else the name of the file, which may be
 * `workflow--task--run.json` or only the run, else what the file says.
 */
export function namesFor(path: string, said: NamesSaid, options: ImportOptions): Names {
  const base = basename(path, extname(path));
  const parts = base.split('--');
  const inName = parts.length === 3 && parts.every((part) => part !== '') ? parts : undefined;
  const notes: string[] = [];
  const choose = (
    what: 'workflow' | 'task' | 'run',
    choices: readonly (readonly [string | undefined, string])[],
  ) => {
    const found = choices.find(([value]) => value !== undefined && value !== '');
    if (found === undefined) {
      throw new InvalidInput([{ file: path, place: what, message: `nothing says which ${what} this is` }], {
        remedy: `Give --${what}, or name the file workflow--task--run${extname(path)}.`,
      });
    }
    const [value, from] = found;
    if (from !== 'option') notes.push(`${what} "${value}" comes from ${from}`);
    return value as string;
  };
  return {
    workflow: choose('workflow', [
      [options.workflow, 'option'],
      [inName?.[0], 'the name of the file'],
      [said.workflow, 'the tool that the file names'],
      [options.unnamed, 'nowhere: the file does not say'],
    ]),
    task: choose('task', [
      [options.task, 'option'],
      [inName?.[1], 'the name of the file'],
      [said.task, 'what the file is about'],
      [options.unnamed, 'nowhere: the file does not say'],
    ]),
    run: choose('run', [
      [options.run, 'option'],
      [inName?.[2] ?? base, 'the name of the file'],
    ]),
    notes,
  };
}
