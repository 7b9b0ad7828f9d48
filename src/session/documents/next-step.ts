import { type Action, carry, type Given } from '../../report/action.ts';

/** What a person asked for: paths and options, so that a next step looks at the same sessions. */
export type SessionsGiven = { readonly paths: readonly string[]; readonly options: Given };

/** The options that decide which sessions are looked at and how they are scored. */
const CARRIED_OPTIONS = [
  'since',
  'agent',
  'model',
  'task-type',
  'min-coverage',
  'outcomes',
  'task-types',
  'weights',
  'baselines',
  'prices',
  'from-store',
  'store',
  'config',
] as const;

type More = Pick<Action, 'options' | 'into'> & { readonly id?: string };

/** An operation on the same sessions. */
export function nextStep(operation: string, given: SessionsGiven, more: More = {}): Action {
  const { paths, options } = sessionsAgain(given);
  const { id, into } = more;
  const all = { ...carry(options, CARRIED_OPTIONS), ...more.options };
  return {
    operation: `sessions ${operation}`,
    positionals: [...(id === undefined ? [] : [id]), ...paths],
    options: all,
    ...(into !== undefined && { into }),
  };
}

/** Standard input cannot be read a second time; what came from it is in the store, unless that was not wanted. */
function sessionsAgain({ paths, options }: SessionsGiven): SessionsGiven {
  if (options['from-store'] === true) return { paths: [], options };
  if (!paths.includes('-') || options['no-store'] === true) return { paths, options };
  return { paths: [], options: { ...options, 'from-store': true } };
}
