import { existsSync } from 'node:fs';
import { decompositionMetrics } from '../../decomposition/catalog.ts';
import { readGoldenSet } from '../../decomposition/ingest/golden-case.ts';
import { gatePolicy, REGRESSION_POLICY } from '../../decomposition/policy.ts';
import { recordImpact } from '../../decomposition/prompts/changelog.ts';
import { caseNotes, impactRows } from '../../decomposition/prompts/impact.ts';
import {
  appendLedger,
  inForce,
  type Ledger,
  measuredIn,
  readWholeLedger,
  recordedHash,
} from '../../decomposition/prompts/ledger.ts';
import { versionBefore } from '../../decomposition/prompts/next-version.ts';
import { type Decision, decide } from '../../decomposition/prompts/promotion.ts';
import {
  listPrompts,
  type Prompt,
  type PromptName,
  parsePromptName,
  readPrompt,
} from '../../decomposition/prompts/read-prompt.ts';
import { compactResult, type Result, readResult, resultOf, sideOf } from '../../decomposition/result-file.ts';
import { AssayError } from '../../errors.ts';
import { type CaseChange, caseChanges } from '../../judge/case-changes.ts';
import { type Comparison, compareWithBaseline } from '../../judge/compare.ts';
import { type JudgedMetric, judgeMetrics } from '../../judge/verdict.ts';
import type { Document } from '../../report/document.ts';
import type { Arguments, Command, Terminal } from '../command.ts';
import { whoIsThere } from '../git-identity.ts';
import { printDocument } from '../print-report.ts';
import { readSettings, type Settings } from '../settings.ts';
import { measureRun } from './measure-run.ts';
import { emit } from './print-run.ts';
import {
  dateOf,
  editChangelog,
  folderToWrite,
  namedVersion,
  PROMPTS_OPTION,
  versionOf,
} from './prompt-folder.ts';
import { RUN_OPTIONS, textOf } from './run-options.ts';

const { format: _, ...MEASURING } = RUN_OPTIONS;

export const command: Command = {
  name: 'decomposition prompt promote',
  summary: 'Decide whether a version of a prompt comes into force: promote, hold or reject',
  positionals: { usage: 'NAME', max: 1 },
  options: {
    run: { type: 'string', value: 'FILE', doc: 'Its result, as run --format json --out FILE wrote it' },
    previous: {
      type: 'string',
      value: 'FILE',
      doc: 'The result of the version in force (default: the ledger)',
    },
    approve: { type: 'string', value: 'REASON', doc: 'Promote although a metric fell by one to five points' },
    format: {
      type: 'string',
      choices: ['table', 'json', 'markdown', 'html'],
      default: 'table',
      doc: 'How to print the decision',
    },
    ...MEASURING,
    prompts: PROMPTS_OPTION,
  },
  examples: [
    'assay decomposition prompt promote decompose-concepts-v1.1 --run v1.1.json --previous v1.0.json',
    'assay decomposition prompt promote decompose-concepts-v1.1 --outputs outputs',
  ],
  notes: ['Exit codes: 0 promoted, 1 rejected, 2 held, 3 could not run. The decision is kept in every case.'],
  run: async (args, terminal) => {
    const folder = folderToWrite(args, terminal);
    const { name } = namedVersion(args, 0);
    const prompt = readPrompt(folder, name);
    const ledger = readWholeLedger(folder);
    checkPrompt(prompt, ledger);
    const settings = await readSettings(args, terminal);
    const candidate = await candidateFrom(args, terminal, prompt);
    const previous = previousOf(args, ledger, folder, name);
    const judged = judgePromotion(candidate, previous, settings, otherGolden(candidate, args));
    const decision = withApproval(judged.decision, args);
    const at = new Date().toISOString();
    await keep(folder, prompt, { ...judged, decision }, candidate, { at, who: whoIsThere(terminal.cwd) });
    const to: Terminal = { ...terminal, print: (text) => emit(args, terminal, text) };
    const data = {
      prompt: name,
      decision: decision.outcome,
      reasons: decision.reasons,
      before: judged.before ?? null,
      impact: impactRows(judged.metrics),
    };
    await printDocument(args, to, data, () => promotionDocument(name, { ...judged, decision }));
    return { promote: 0, reject: 1, hold: 2 }[decision.outcome];
  },
};

function checkPrompt(prompt: Prompt, ledger: Ledger): void {
  const stem = (parsePromptName(prompt.name) as PromptName).stem;
  if (inForce(ledger, stem)[0]?.prompt === prompt.name) {
    throw new AssayError('USAGE', `${prompt.name} is in force already`);
  }
  const recorded = recordedHash(ledger, prompt.name);
  if (recorded !== undefined && recorded !== prompt.hash) {
    throw new AssayError('INPUT_INVALID', `${prompt.name}.md was changed after it was decided on`, {
      remedy: 'Restore it from version control, and make a new version for new words.',
    });
  }
}

/** A result that was written down, or one that is measured now. */
async function candidateFrom(args: Arguments, terminal: Terminal, { name, hash }: Prompt): Promise<Result> {
  const file = textOf(args, 'run');
  const stray = ['outputs', 'extractor', 'model', 'command'].find((one) => args.values[one] !== undefined);
  if (file !== undefined && stray !== undefined) {
    throw new AssayError('USAGE', `--run names a result, so there is nothing for --${stray} to do`);
  }
  const result =
    file === undefined
      ? resultOf((await measureRun(withPrompt(args, name), terminal, { next: [] })).json())
      : readResult(file);
  if (result.run.prompt !== name) {
    throw new AssayError(
      'INPUT_INVALID',
      `${file ?? 'the run'} measured ${result.run.prompt ?? 'no prompt'}, not ${name}`,
      {
        remedy: `Measure it: assay decomposition run --prompt ${name} --format json --out FILE`,
      },
    );
  }
  const sent = result.run.prompt_sha256 ?? hash;
  if (sent !== hash) {
    throw new AssayError('INPUT_INVALID', `${name}.md has changed since ${file ?? 'it'} was measured`, {
      remedy: 'Measure it again.',
    });
  }
  return result;
}

function withPrompt(args: Arguments, prompt: string): Arguments {
  return { ...args, values: { ...args.values, prompt } };
}

type Previous = { readonly name: string; readonly result?: Result };

/** The version in force; where none is, the version before by number. */
function previousOf(args: Arguments, ledger: Ledger, folder: string, name: string): Previous | undefined {
  const stem = (parsePromptName(name) as PromptName).stem;
  const before = inForce(ledger, stem)[0]?.prompt ?? versionBefore(listPrompts(folder), name);
  const file = textOf(args, 'previous');
  const result = file === undefined ? before && measuredIn(ledger, before) : readResult(file);
  const known = (file === undefined ? undefined : (result as Result).run.prompt) ?? before;
  if (known === undefined || known === null) return undefined;
  return { name: known, ...(result && { result }) };
}

/** A version is measured against all golden cases as they are now, not against a part of them or older ones. */
function otherGolden({ suite }: Result, args: Arguments): string[] {
  const folder = textOf(args, 'golden') ?? 'golden';
  if (!existsSync(folder) || readGoldenSet(folder).hash === suite.golden_hash) return [];
  return [`it was measured against other golden cases than those in ${folder}`];
}

type Judged = {
  readonly decision: Decision;
  readonly metrics: readonly JudgedMetric[];
  readonly cases: readonly CaseChange[];
  readonly before?: string;
};

function judgePromotion(
  candidate: Result,
  previous: Previous | undefined,
  { config }: Settings,
  otherwise: readonly string[],
): Judged {
  const { weights, overallScale } = config.decomposition;
  const declared = decompositionMetrics(weights);
  const now = sideOf(candidate);
  const then = previous?.result && sideOf(previous.result);
  const comparison: Comparison | undefined =
    then && compareWithBaseline(declared, now, then, REGRESSION_POLICY);
  const metrics = judgeMetrics(declared, now.metrics, comparison);
  const comparable = comparison !== undefined && comparison.differences.length === 0;
  const zonesBefore =
    then && Object.fromEntries(judgeMetrics(declared, then.metrics).map(({ id, zone }) => [id, zone]));
  const decision = decide({
    metrics,
    gated: gatePolicy(overallScale).gated,
    ...(previous && { zonesBefore: zonesBefore ?? {} }),
    ...(previous && then === undefined && { beforeUnmeasured: previous.name }),
    errored: candidate.cases.filter(({ error }) => error !== undefined).map(({ id }) => id),
    missing: comparable ? comparison.missingCases : [],
    differences: [...otherwise, ...(comparison?.differences ?? [])],
  });
  return {
    decision,
    metrics,
    cases: comparable && then ? caseChanges(declared, now, then, REGRESSION_POLICY) : [],
    ...(previous && { before: previous.name }),
  };
}

function withApproval(decision: Decision, args: Arguments): Decision {
  const reason = textOf(args, 'approve')?.trim();
  if (reason === '') throw new AssayError('USAGE', '--approve needs a reason');
  if (reason === undefined || decision.outcome !== 'hold' || !decision.approvable) return decision;
  return { ...decision, outcome: 'promote', reasons: [...decision.reasons, `approved: ${reason}`] };
}

const ACTIONS = { promote: 'promoted', hold: 'held', reject: 'rejected' } as const;
const WORDS = { promote: 'Promoted', hold: 'Held', reject: 'Rejected' } as const;

/** The CHANGELOG is for people and the ledger for checking; both get the decision, whatever it is. */
async function keep(
  folder: string,
  prompt: Prompt,
  { decision, metrics, cases, before }: Judged,
  result: Result,
  { at, who }: { readonly at: string; readonly who: string },
): Promise<void> {
  const parsed = parsePromptName(prompt.name) as PromptName;
  const beforeVersion = before === undefined ? undefined : parsePromptName(before);
  await appendLedger(folder, {
    at,
    who,
    action: ACTIONS[decision.outcome],
    prompt: prompt.name,
    sha256: prompt.hash,
    ...(before !== undefined && { from: before }),
    reasons: [...decision.reasons],
    result: compactResult(result),
  });
  const note = `${WORDS[decision.outcome]} on ${dateOf(at)} by ${who}: ${decision.reasons.join('; ')}`;
  const measured = `Measured by run ${result.run.id} (${result.run.subject}) over ${result.suite.n_cases} golden cases`;
  await editChangelog(folder, (log) =>
    recordImpact(
      log,
      { stem: parsed.stem, version: versionOf(parsed), date: dateOf(at) },
      {
        ...(before !== undefined && { before: beforeVersion ? versionOf(beforeVersion) : before }),
        rows: impactRows(metrics),
      },
      [...caseNotes(cases), measured, note],
    ),
  );
}

const VERDICTS = { promote: 'passed', hold: 'inconclusive', reject: 'blocked' } as const;

function promotionDocument(name: string, { decision, metrics, cases, before }: Judged): Document {
  const changed = metrics.filter((metric) => metric.change !== undefined);
  const notes = caseNotes(cases);
  return {
    title: `Promotion of ${name}`,
    verdict: VERDICTS[decision.outcome],
    answer: `${WORDS[decision.outcome].toLowerCase()}: ${decision.reasons.join('; ')}.`,
    blocks: [
      changed.length > 0
        ? { kind: 'changes', title: `Since ${before}`, metrics: changed }
        : { kind: 'metrics', title: 'Metrics', metrics },
      ...(notes.length > 0 ? [{ kind: 'list', title: 'Cases that moved', items: notes } as const] : []),
    ],
    notes: [
      ...(decision.outcome === 'hold' && decision.approvable ? ['--approve "reason" lets it through.'] : []),
      ...(decision.outcome === 'hold' && before !== undefined && changed.length === 0
        ? [
            `--previous FILE names a result of ${before}, as run --prompt ${before} --format json --out FILE writes it.`,
          ]
        : []),
      'The decision is in the ledger and in CHANGELOG.md.',
    ],
    next: ['assay decomposition prompt list', `assay decomposition prompt diff ${name}`],
  };
}
