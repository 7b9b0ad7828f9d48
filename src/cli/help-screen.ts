import { COMMANDS, DEFAULT_COMMAND } from './commands.ts';
import { PAGE, row, wrap } from './help-rows.ts';

type Instrument = {
  readonly title: string;
  /** What people use most, in the order of use, each in a few words. */
  readonly commands: Readonly<Record<string, string>>;
};

const INSTRUMENTS: readonly Instrument[] = [
  {
    title: 'Sessions: a score Q for each (all commands: assay sessions --help)',
    commands: {
      'sessions list': 'one line each: what was asked, Q, cost, why',
      'sessions explain': 'why one scored as it did, and the lines behind it',
      'sessions roi': 'quality per dollar by model, project or day',
      'sessions outcomes': 'what became of the work: merged, kept, gone',
      'sessions flags': 'those too low to ignore; --gate for CI',
    },
  },
  {
    title: 'Decomposition: texts into concepts and relationships, against golden cases',
    commands: {
      'decomposition extract': 'with a model, a program or offline',
      'decomposition run': 'measure all cases, and gate on it',
      'decomposition investigate': 'why a case fails, and what to try',
      'decomposition compare': 'what changed since the baseline',
      'decomposition lint': 'check the golden cases',
    },
  },
  {
    title: 'Workflow: how well a review finds known errors, over repeated runs',
    commands: {
      'workflow score': 'what it finds, how well, how steadily',
      'workflow compare': 'better, or noise?',
      'workflow report': 'a whole experiment on a page',
      'workflow heatmap': 'which kinds of error it is blind to',
      'workflow blind start': 'an evaluation that nobody can steer',
    },
  },
];

/** One screen of 80 by 24. */
export function assayHelp(width = PAGE): string {
  const page = Math.min(PAGE, width);
  const alone = COMMANDS.map(({ name }) => name).filter(
    (name) => !name.includes(' ') && name !== DEFAULT_COMMAND,
  );
  return [
    ...wrap('assay [COMMAND] [OPTIONS]: know how good the work of your LLMs is', page),
    ...INSTRUMENTS.flatMap(({ title, commands }, i) => [
      ...(i === 0 ? [] : ['']),
      ...wrap(title, page),
      ...Object.entries(commands).map(([name, says]) => row(name, says, page)),
    ]),
    ...wrap(`Also: ${alone.join(', ')}`, page),
    ...wrap('Exit codes: 0 passed, 1 blocked by a gate, 2 inconclusive, 3 could not run', page),
    '',
  ].join('\n');
}
