import { resolve } from 'node:path';
import { AssayError } from '../../errors.ts';
import type { SessionFilter } from '../../operations/session/session-request.ts';
import type { TaskType } from '../../session/profiles/task-type.ts';
import type { Arguments } from '../command.ts';
import { textOf } from '../text-of.ts';
import { shareOption } from './share-option.ts';
import { beforeOption, sinceOption } from './time-options.ts';

/** Words → which of the sessions are wanted. */
export function filterOf(args: Arguments): SessionFilter {
  const [since, until] = [sinceOption(args, Date.now()), beforeOption(args, Date.now())];
  const minCoverage = shareOption(args, 'min-coverage');
  const [agent, model, project] = ['agent', 'model', 'project'].map((name) => namedIn(args, name));
  // One of the choices of the option.
  const taskType = textOf(args, 'task-type') as TaskType | undefined;
  return {
    since,
    until,
    minCoverage,
    agent,
    model,
    ...(project !== undefined && { project: /^\.{1,2}([/\\]|$)/.test(project) ? resolve(project) : project }),
    ...(taskType !== undefined && { taskType }),
  };
}

/** An empty part of a name is in every name, and what is found may be sent elsewhere. */
function namedIn(args: Arguments, name: string): string | undefined {
  const text = textOf(args, name);
  if (text === undefined || text.trim() !== '') return text;
  throw new AssayError('USAGE', `--${name} is empty`, {
    remedy: `Check for a variable that is not set. Name one, or leave --${name} out for all sessions.`,
  });
}
