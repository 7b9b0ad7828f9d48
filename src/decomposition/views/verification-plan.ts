/** How to find out whether a fix works: the steps in order, with the folders and models of this run. */
import { type Action, carry, commandLine, type Given } from '../../report/action.ts';
import type { Investigated, InvestigatedSource, Investigation } from '../investigate/investigation.ts';
import { parsePromptName } from '../prompts/read-prompt.ts';
import { EXTRACTING } from './next-steps.ts';

export type PlanStep = { readonly what: string; readonly action: Action };

/** What belongs to where outputs come from, and is the same before and after the change. */
const CARRIED = ['match-level', 'no-semantic', 'config', ...EXTRACTING] as const;

type Change = {
  readonly prompt: string | undefined;
  /** What the name of the folder with the outputs gets at its end. */
  readonly suffix?: string;
  /** Name all folders; only an investigation takes more than one. */
  readonly all?: boolean;
};

/** A step about the same golden cases and the same source of outputs. */
function stepOn(
  operation: string,
  positionals: readonly string[],
  source: InvestigatedSource,
  given: Given,
  change: Change,
): Action {
  return {
    operation: `decomposition ${operation}`,
    positionals,
    options: {
      ...carry(given, ['golden']),
      ...sourceOptions(source, given, change),
      ...carry(given, CARRIED),
    },
  };
}

export function verificationPlan(one: Investigation, source: InvestigatedSource, given: Given): PlanStep[] {
  const known = one.prompt === undefined ? undefined : parsePromptName(one.prompt);
  const next = known && `${known.stem}-v${known.major}.${known.minor + 1}`;
  const after = { prompt: next ?? one.prompt, suffix: '-next' };
  const again =
    source.kind === 'recorded'
      ? `Extract every case again into ${folderOf(source, '-next')}; then see`
      : 'See';
  const golden = typeof given.golden === 'string' ? given.golden : 'golden';
  return [
    {
      what: 'Keep the result of today',
      action: stepOn('baseline', [], source, given, { prompt: one.prompt }),
    },
    ...(one.findings.suspicions.length > 0
      ? [
          {
            what: 'If the golden case is corrected, check it, and keep the result again before anything else changes',
            action: { operation: 'decomposition lint', positionals: [golden] },
          },
        ]
      : []),
    ...(known
      ? [
          {
            what: `Make the change in a new version of the prompt (${next})`,
            action: {
              operation: 'decomposition prompt new',
              positionals: [known.name],
              options: carry(given, ['prompts']),
            },
          },
        ]
      : []),
    {
      what: `${again} that nothing else got worse`,
      action: stepOn('compare', [], source, given, after),
    },
    {
      what: 'See that this case is explained',
      action: stepOn('investigate', [one.id], source, given, after),
    },
  ];
}

/** The same plan as it is typed. */
export function planCommands(
  one: Investigation,
  source: InvestigatedSource,
  given: Given,
): { readonly what: string; readonly command: string }[] {
  return verificationPlan(one, source, given).map(({ what, action }) => ({
    what,
    command: commandLine(action),
  }));
}

/** The worst case alone, or all of them as a page; where nothing is wrong, the run itself. */
export function investigationNext({ cases, source }: Investigated, given: Given): Action[] {
  const [worst, second] = cases;
  const change = { prompt: typeof given.prompt === 'string' ? given.prompt : undefined };
  if (worst === undefined) return [stepOn('run', [], source, given, change)];
  const closer = (positionals: readonly string[], options: Action['options'] = {}) => {
    const action = stepOn('investigate', positionals, source, given, { ...change, all: true });
    return { ...action, options: { ...options, ...action.options } };
  };
  if (second === undefined) return [closer([worst.id], { format: 'markdown', out: `${worst.id}.md` })];
  return [closer([worst.id]), closer([], { format: 'html', out: 'investigation.html' })];
}

function folderOf({ folders }: Extract<InvestigatedSource, { kind: 'recorded' }>, suffix: string): string {
  return `${(folders[0] ?? '').replace(/(?<!\/)\/+$/, '')}${suffix}`;
}

function sourceOptions(
  source: InvestigatedSource,
  given: Given,
  { prompt, suffix = '', all = false }: Change,
): Action['options'] {
  if (source.kind === 'recorded') {
    const outputs = all ? source.folders.join(',') : folderOf(source, suffix);
    return { outputs, prompt: given.prompt === undefined ? undefined : prompt };
  }
  return { prompt, repeat: source.repeat > 1 ? source.repeat : undefined };
}
