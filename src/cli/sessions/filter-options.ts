import { resolve } from 'node:path';
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
  const [agent, model, project] = ['agent', 'model', 'project'].map((name) => textOf(args, name));
  // One of the choices of the option.
  const taskType = textOf(args, 'task-type') as TaskType | undefined;
  return {
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(minCoverage !== undefined && { minCoverage }),
    ...(agent !== undefined && { agent }),
    ...(model !== undefined && { model }),
    ...(project !== undefined && { project: /^\.{1,2}([/\\]|$)/.test(project) ? resolve(project) : project }),
    ...(taskType !== undefined && { taskType }),
  };
}
