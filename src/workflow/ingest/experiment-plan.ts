import { existsSync, readdirSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { z } from 'zod';
import { AssayError } from '../../errors.ts';
import { fileError } from '../../files.ts';
import { name, properties, repeats, text } from './fields.ts';
import { SUFFIXES } from './read-file.ts';
import { InvalidInput, strict } from './validate.ts';

const path = name.meta({ description: 'Relative to the folder of this file' });

/** An experiment as a file. Without `runs` they are those below the folder `runs`. */
export const experimentSchema = strict({
  name: name.optional(),
  description: text.optional(),
  tasks: z
    .array(
      strict({
        task: name,
        truth: path,
        version: name.optional().meta({ description: 'Refuses a ground truth of another version' }),
        documents: path.optional().meta({ description: 'Folder of the reviewed documents' }),
      }),
    )
    .min(1),
  runs: z
    .array(
      strict({
        workflow: name,
        task: name,
        files: z.array(path).min(1).meta({ description: 'Files, or folders with everything below them' }),
      }),
    )
    .optional(),
  mapping: path.optional().meta({ description: 'Severities and categories of other tools' }),
  properties,
  $schema: z.string().optional(),
});

type Plan = z.output<typeof experimentSchema>;
export type TaskPlan = Plan['tasks'][number];
export type RunPlan = NonNullable<Plan['runs']>[number];
export type ExperimentPlan = Omit<Plan, 'runs'> & { readonly runs: readonly RunPlan[] };

/** The documented layout: `truth/<task>.*`, `documents/<task>/`, `runs/<workflow>/<task>/`. */
export function planOfFolder(folder: string): ExperimentPlan {
  const truths = entriesOf(join(folder, 'truth'), 'file').filter((name) => SUFFIXES.includes(extname(name)));
  const tasks = truths.map((file) => {
    const task = basename(file, extname(file));
    const documents = join('documents', task);
    return { task, truth: join('truth', file), ...(existsSync(join(folder, documents)) && { documents }) };
  });
  const faults = repeats(tasks.map(({ task }) => task)).map(({ index, first }) => ({
    file: join(folder, tasks[index]?.truth ?? ''),
    place: 'task',
    message: `${join(folder, tasks[first]?.truth ?? '')} is a ground truth of task "${tasks[index]?.task}" as well`,
  }));
  if (faults.length > 0) {
    throw new InvalidInput(faults, {
      remedy: 'Keep one of them, or name the one to use in experiment.yaml.',
    });
  }
  const runs = entriesOf(join(folder, 'runs'), 'folder').flatMap((workflow) =>
    entriesOf(join(folder, 'runs', workflow), 'folder').map((task) => ({
      workflow,
      task,
      files: [join('runs', workflow, task)],
    })),
  );
  return { tasks, runs };
}

function entriesOf(folder: string, kind: 'file' | 'folder'): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(
        (entry) => !entry.name.startsWith('.') && (kind === 'file' ? entry.isFile() : entry.isDirectory()),
      )
      .map((entry) => entry.name)
      .sort();
  } catch (cause) {
    const error = fileError(folder, cause);
    throw new AssayError(error.code, error.message, {
      cause,
      remedy: 'An experiment is a folder with truth/ and runs/<workflow>/<task>/, or a file experiment.yaml.',
    });
  }
}
