import { type Action, carry, type Given } from '../../report/action.ts';
import { formatAmount } from '../../report/number.ts';
import { plain } from '../../report/unsafe-text.ts';
import { type TableBlock, tableOf, type View } from '../../report/view.ts';
import type { GoldenDraft } from '../golden/draft-case.ts';
import { caseNotes } from '../prompts/changelog.ts';
import type { LedgerDecision, Rollback } from '../prompts/ledger.ts';
import { DECISION_WORDS, type Promotion } from '../prompts/promotion.ts';
import type { PromptSurvey, StartedVersion } from '../prompts/prompt-folder.ts';
import { type PromptDiff, unified } from '../prompts/text-diff.ts';

export function promptsTable({ prompts }: PromptSurvey): TableBlock {
  return tableOf('Prompts', prompts, [
    { key: 'prompt', unit: 'name', of: ({ name }) => name },
    { key: 'state' },
    { key: 'file' },
    { key: 'since', title: 'decided (UTC)', unit: 'time' },
    { key: 'who', title: 'by' },
  ]);
}

/** Promoted, held, rejected and rolled back versions, newest first. */
export function decisionsView(decisions: readonly LedgerDecision[]): View {
  const table = tableOf('Decisions about prompts', decisions, [
    { key: 'prompt', unit: 'name' },
    { key: 'action', title: 'decision' },
    { key: 'from', title: 'before', unit: 'name', priority: 3 },
    { key: 'who', priority: 2 },
    { key: 'at', title: 'when (UTC)', unit: 'time', priority: 1 },
    { key: 'reasons', title: 'why', of: ({ reasons }) => reasons.join('; ') },
  ]);
  return {
    title: 'Decisions about prompts',
    answer: `${formatAmount(decisions.length, 'decision')}, newest first.`,
    blocks: decisions.length === 0 ? [] : [table],
    notes: [],
    next: [],
  };
}

export function promptsView(survey: PromptSurvey, given?: Given): View {
  const { folder, prompts, tampered } = survey;
  return {
    title: `Prompts in ${folder}`,
    answer: surveyAnswer(survey),
    blocks: prompts.length === 0 ? [] : [promptsTable(survey)],
    notes: tampered.map(
      ({ name, file }) =>
        `${name} was ${file} after it was decided on; restore it from version control, and make a new version for new words.`,
    ),
    next: surveyNext(survey, given),
  };
}

function surveyAnswer({ prompts, tampered, fault }: PromptSurvey): string {
  if (fault !== undefined) return `✗ The ledger is broken: ${fault}. What follows rests on the lines before.`;
  if (tampered.length > 0) {
    return `✗ ${tampered.map(({ name, file }) => `${name} was ${file}`).join(', ')} since the ledger recorded it.`;
  }
  const force = prompts.filter(({ state }) => state === 'in force').map(({ name }) => name);
  return `${formatAmount(prompts.length, 'version')}; in force: ${force.length === 0 ? 'none yet' : force.join(', ')}.`;
}

/** The first prompt with two versions is probably the one in progress. */
function surveyNext({ prompts, isShipped, fault }: PromptSurvey, given?: Given): Action[] {
  const there = prompts.filter(({ file }) => file !== 'deleted');
  const newest = there.findLast(({ stem }, i) => there[i - 1]?.stem === stem);
  const stem = newest?.stem ?? there[0]?.stem;
  return [
    ...(stem === undefined || isShipped || fault !== undefined ? [] : promptStep('new', [stem], given)),
    ...(newest === undefined ? [] : promptStep('diff', [newest.name], given)),
  ];
}

/** None without typed options. */
function promptStep(what: string, positionals: readonly string[], given: Given | undefined): Action[] {
  if (given === undefined) return [];
  return [{ operation: `decomposition prompt ${what}`, positionals, options: carry(given, ['prompts']) }];
}

export function startedView({ name, path, from }: StartedVersion, given?: Given): View {
  return {
    title: `Prompt ${name}`,
    answer: `${path} starts as a copy of ${from}.`,
    blocks: [],
    // The model is unknown here, so no complete command can be suggested.
    notes: ['Edit it, measure it with run --prompt and a model, and decide with prompt promote.'],
    next: [...promptStep('diff', [from, name], given), ...promptStep('list', [], given)],
  };
}

export function rollbackView({ from, to }: Rollback, given?: Given): View {
  return {
    title: `Prompt ${to}`,
    answer: `${to} is in force again, ${from} is not. Both files stay.`,
    blocks: [],
    notes: [],
    next: promptStep('list', [], given),
  };
}

export function promptDiffText({ before, after, added, removed, lines }: PromptDiff): string {
  if (added + removed === 0) return `${before} and ${after} are the same.\n`;
  const text = unified(lines, `${before}.md`, `${after}.md`).split('\n').map(plain).join('\n');
  return `${before} → ${after}: ${added} lines added, ${removed} removed.\n\n${text}`;
}

const VERDICTS = { promote: 'passed', hold: 'inconclusive', reject: 'blocked' } as const;

export function promotionView(promotion: Promotion, given?: Given): View {
  const { prompt, decision, metrics, cases, before, earlier } = promotion;
  const changed = metrics.filter((metric) => metric.change !== undefined);
  const notes = caseNotes(cases);
  const held = decision.outcome === 'hold';
  return {
    title: `Promotion of ${prompt}`,
    verdict: VERDICTS[decision.outcome],
    answer: `${DECISION_WORDS[decision.outcome].toLowerCase()}: ${decision.reasons.join('; ')}.`,
    blocks: [
      changed.length > 0
        ? { kind: 'changes', title: `Since ${before}`, metrics: changed }
        : { kind: 'metrics', title: 'Metrics', metrics },
      ...(notes.length > 0 ? [{ kind: 'list', title: 'Cases that moved', items: notes } as const] : []),
    ],
    notes: [
      ...(held && decision.approvable ? ['--reason "why" lets it through.'] : []),
      ...(held && promotion.otherModel
        ? ['--across-models compares them all the same; a better model is no better prompt.']
        : []),
      ...(held && before !== undefined && changed.length === 0
        ? [
            `--previous result.json names a result of ${before}, as run --prompt ${before} --format json --out result.json writes it.`,
          ]
        : []),
      'The decision is in the ledger and in CHANGELOG.md.',
    ],
    next: [
      ...promptStep('list', [], given),
      ...(earlier === undefined ? [] : promptStep('diff', [earlier, prompt], given)),
    ],
  };
}

export function draftView({ path, folder, golden, findings, domainGiven }: GoldenDraft): View {
  const parts = [
    formatAmount(golden.expectedConcepts.length, 'concept'),
    formatAmount(golden.expectedRelationships.length, 'relationship'),
    formatAmount(golden.forbiddenConcepts.length, 'canary', 'canaries'),
    formatAmount(golden.forbiddenRelationships.length, 'forbidden relationship'),
  ];
  return {
    title: `Draft of ${golden.id}`,
    answer: `${path} is a draft with ${parts.join(', ')}. Correct it, then delete its "draft" line: no gate passes on a draft.`,
    blocks:
      findings.length === 0
        ? []
        : [
            {
              kind: 'list',
              title: 'What lint still asks for',
              items: findings.map(({ place, message, rule }) => `${place} ${message} [${rule}]`),
            },
          ],
    notes: [
      'Concepts and relationships are what the local extractor found, and pairs of one sentence; it misses half of the relationships and gets some wrong. Canaries are put together from words of the text.',
      ...(domainGiven ? [] : [`Its domain is set to ${golden.domain}; change it if it is another.`]),
    ],
    next: [
      { operation: 'decomposition lint', positionals: folder === 'golden' ? [] : [folder] },
      { operation: 'decomposition run', options: { golden: folder === 'golden' ? undefined : folder } },
    ],
  };
}

type Raised = {
  readonly at: string;
  readonly severity: string;
  readonly rule: string;
  readonly message: string;
};

type Tracked = Raised & { readonly state: string; readonly event?: { readonly at: string } };

type Step =
  | { readonly kind: 'fault'; readonly at: string; readonly fault: keyof typeof FAULTS }
  | { readonly kind: 'fired' | 'resolved'; readonly at: string; readonly alert: Raised };

const FAULTS = {
  none: 'the service works correctly',
  slow: 'the service becomes slow',
  inventing: 'the service begins to invent concepts',
} as const;

export function sayStep(step: Step): string {
  const time = step.at.slice(11, 16);
  switch (step.kind) {
    case 'fault':
      return `${time}  ${FAULTS[step.fault]}`;
    case 'fired':
      return `${time}  ✗ ${step.alert.severity}: ${step.alert.message}`;
    case 'resolved':
      return `${time}  ✓ over: ${step.alert.rule}`;
  }
}

export function rehearsalView(
  {
    requests,
    alerts,
  }: {
    readonly requests: number;
    readonly alerts: readonly Tracked[];
  },
  store: string | undefined,
): View {
  const over = alerts.filter(({ state }) => state === 'resolved').length;
  return {
    title: 'A service in production, watched for an hour',
    answer: `${formatAmount(requests, 'request')}: ${formatAmount(alerts.length, 'alert')} fired, ${over} of them over by the end.`,
    blocks: [
      tableOf('Alerts', alerts, [
        { key: 'fired', of: ({ at }) => at.slice(11, 16) },
        {
          key: 'over',
          of: ({ state, event }) => (state === 'resolved' ? (event?.at.slice(11, 16) ?? '') : 'not yet'),
        },
        { key: 'severity' },
        { key: 'rule', unit: 'name', min: 24 },
        { key: 'message', title: 'what' },
      ]),
    ],
    notes: store === undefined ? [] : [`What came of it stays in ${store}, until you delete it.`],
    next:
      store === undefined
        ? [{ operation: 'example', positionals: ['production'] }]
        : ['production rate', 'brief', 'serve'].map((operation) => ({ operation, options: { store } })),
  };
}
