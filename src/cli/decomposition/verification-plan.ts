/** How to find out whether a fix works: the commands to type, in order, with the folders and models of this run. */
import { parsePromptName } from '../../decomposition/prompts/read-prompt.ts';
import type { Arguments } from '../command.ts';
import { shellWord } from '../shell-word.ts';
import type { Source } from './investigate-input.ts';

export type Step = { readonly what: string; readonly command: string };

export type PlanFor = {
  readonly caseId: string;
  /** The name of the prompt, where one is known. */
  readonly prompt: string | undefined;
  readonly goldenSuspected: boolean;
};

/** What belongs to where outputs come from, and is the same before and after the change. */
const CARRIED = [
  'extractor',
  'command',
  'model',
  'prompts',
  'base-url',
  'temperature',
  'max-cost',
  'match-level',
  'config',
] as const;

type Change = {
  readonly prompt: string | undefined;
  /** What the name of the folder with the outputs gets at its end. */
  readonly suffix?: string;
  /** Name all folders; only an investigation takes more than one. */
  readonly all?: boolean;
};

/** A command about the same golden cases and the same source of outputs. */
export function commandLine(
  args: Arguments,
  source: Source,
  words: readonly string[],
  change: Change,
): string {
  const golden = args.values.golden === 'golden' ? [] : ['--golden', String(args.values.golden)];
  return say([...words, ...golden, ...sourceWords(source, change), ...carriedOf(args, CARRIED)]);
}

function carriedOf({ values }: Arguments, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const value = values[name];
    return typeof value === 'string' ? [`--${name}`, value] : [];
  });
}

function say(words: readonly string[]): string {
  return ['assay decomposition', ...words.map(shellWord)].join(' ');
}

export function verificationPlan(args: Arguments, source: Source, plan: PlanFor): Step[] {
  const known = plan.prompt === undefined ? undefined : parsePromptName(plan.prompt);
  const next = known && `${known.stem}-v${known.major}.${known.minor + 1}`;
  const after = { prompt: next, suffix: '-next' };
  const again =
    source.kind === 'recorded'
      ? `Extract every case again into ${folderOf(source, '-next')}; then see`
      : 'See';
  return [
    {
      what: 'Keep the result of today',
      command: commandLine(args, source, ['baseline'], { prompt: plan.prompt }),
    },
    ...(plan.goldenSuspected
      ? [
          {
            what: 'If the golden case is corrected, check it, and keep the result again before anything else changes',
            command: say(['lint', String(args.values.golden)]),
          },
        ]
      : []),
    ...(known
      ? [
          {
            what: `Make the change in a new version of the prompt (${next})`,
            command: say(['prompt', 'new', known.name, ...carriedOf(args, ['prompts'])]),
          },
        ]
      : []),
    { what: `${again} that nothing else got worse`, command: commandLine(args, source, ['compare'], after) },
    {
      what: 'See that this case is explained',
      command: commandLine(args, source, ['investigate', plan.caseId], after),
    },
  ];
}

function folderOf({ folders }: Extract<Source, { kind: 'recorded' }>, suffix: string): string {
  return `${(folders[0] ?? '').replace(/\/+$/, '')}${suffix}`;
}

function sourceWords(source: Source, { prompt, suffix = '', all = false }: Change): string[] {
  if (source.kind === 'recorded') {
    return ['--outputs', all ? source.folders.join(',') : folderOf(source, suffix)];
  }
  return [
    ...(prompt === undefined ? [] : ['--prompt', prompt]),
    ...(source.repeat > 1 ? ['--repeat', String(source.repeat)] : []),
  ];
}
