import { type Action, carry, type Given } from '../../report/action.ts';

/** What a person asked for: paths and options, so that a next step looks at the same sessions. */
export type SessionsGiven = {
  readonly paths: readonly string[];
  readonly options: Given;
  /** The store has these sessions now. */
  readonly kept?: boolean;
};

/** The options that decide which sessions are looked at and how they are scored. */
const CARRIED_OPTIONS = [
  'since',
  'until',
  'timezone',
  'agent',
  'model',
  'project',
  'task-type',
  'min-coverage',
  'outcomes',
  'costs',
  'task-types',
  'intents',
  'weights',
  'baselines',
  'prices',
  'repo',
  'no-git',
  'no-sync',
  'store',
  'config',
] as const;

type More = Pick<Action, 'options' | 'into'> & { readonly id?: string };

/** An operation on the same sessions; none where they cannot be had again, or where nobody typed anything. */
export function nextStep(operation: string, given: SessionsGiven | undefined, more: More = {}): Action[] {
  const again = given && sessionsAgain(given);
  if (again === undefined) return [];
  const { paths, options } = again;
  const { id, into } = more;
  // No word of a command can hold it: what a shell makes of it is another id.
  if (id?.includes('\0')) return [];
  // Whoever did not want their sessions stored does not want it the next time; named paths are not stored anyway.
  const isStored = paths.length === 0 || operation === 'score';
  const carried = isStored ? [...CARRIED_OPTIONS, 'no-store'] : CARRIED_OPTIONS;
  return [
    {
      operation: `sessions ${operation}`,
      positionals: [...(id === undefined ? [] : [id]), ...paths],
      options: { ...carry(options, carried), ...more.options },
      ...(into !== undefined && { into }),
    },
  ];
}

/** The dashboard is over the sessions that are kept: only where these are, it shows them. */
export function serveStep(given: SessionsGiven | undefined): Action[] {
  if (given === undefined || (given.kept !== true && given.options['no-sync'] !== true)) return [];
  return [{ operation: 'serve', options: carry(given.options, ['store', 'config']) }];
}

/** Standard input cannot be read a second time; what came from it is in the store, where it was kept. */
function sessionsAgain({ paths, options, kept }: SessionsGiven): SessionsGiven | undefined {
  if (options['no-sync'] === true) return { paths: [], options };
  const { store: _, ...without } = options;
  // A store in which these were not kept does not have them.
  if (!paths.includes('-')) return { paths, options: options['no-store'] === true ? without : options };
  return kept === true ? { paths: [], options: { ...options, 'no-sync': true } } : undefined;
}
