import { existsSync } from 'node:fs';
import type { z } from 'zod';
import { type decompositionResult, decompositionRun } from '../../api/schema/decomposition.ts';
import { measurement } from '../../api/schema/parts.ts';
import { encode } from '../../api/wire.ts';
import type { Vocabulary } from '../../decomposition/golden-rules.ts';
import { readGoldenSet } from '../../decomposition/ingest/golden-case.ts';
import { changedWithoutVersion } from '../../decomposition/integrity.ts';
import { impactRows } from '../../decomposition/prompts/changelog.ts';
import { inForce, type Ledger, measuredIn, readWholeLedger } from '../../decomposition/prompts/ledger.ts';
import {
  type Decision,
  decide,
  type Promotion,
  recordPromotion,
} from '../../decomposition/prompts/promotion.ts';
import {
  chainHash,
  folderToWrite,
  listPrompts,
  namedVersion,
  type Prompt,
  parsePromptName,
  readChain,
  readUnchanged,
  stepsOf,
  versionBefore,
  withStep,
} from '../../decomposition/prompts/prompt-folder.ts';
import { type Result, readResult, resultOf, sideOf, tampering } from '../../decomposition/result-file.ts';
import { gatePolicy, regressionPolicy, standardMetrics, standardName } from '../../decomposition/standard.ts';
import { AssayError } from '../../errors.ts';
import { caseChanges } from '../../judge/case-changes.ts';
import { compareWithBaseline } from '../../judge/compare.ts';
import { judgeMetrics } from '../../judge/verdict.ts';
import type { Ports } from '../ports.ts';
import { checkStandard } from './check-standard.ts';
import { type RunSuiteRequest, runSuite, type Thresholds } from './run-suite.ts';

export type PromotePromptRequest = {
  readonly prompts: string;
  readonly name: string | undefined;
  /** The result file, or how to measure the prompt now. */
  readonly measured: { readonly file: string } | { readonly suite: RunSuiteRequest };
  /** The result file of the active version; default: the ledger. */
  readonly previous?: string;
  /** Why it may become active although a metric fell by one to five points, or something was hallucinated. */
  readonly reason?: string;
  /** Compare even if the previous version was measured with another model. */
  readonly acrossModels?: boolean;
  readonly golden: string;
  /** Domains and predicates of the golden cases. Default: the documented ones. */
  readonly vocabulary?: Vocabulary;
  readonly thresholds: Thresholds;
};

export async function promotePrompt(request: PromotePromptRequest, ports: Ports): Promise<Promotion> {
  const folder = folderToWrite(request.prompts);
  const { name, stem } = namedVersion(request.name);
  const ledger = readWholeLedger(folder);
  if (inForce(ledger, stem)[0]?.prompt === name) throw new AssayError('USAGE', `${name} is in force already`);
  const prompt = readUnchanged(folder, name, ledger);
  const reason = reasonOf(request);
  const candidate = await measuredCandidate(request, prompt, ports);
  checkOutputs(candidate, prompt, ledger);
  const previous = previousOf(request, ledger, folder, prompt.name);
  const judged = judgePromotion(candidate, previous, request, prompt.name);
  const earlier = versionBefore(listPrompts(folder), prompt.name);
  const promotion: Promotion = {
    ...judged,
    prompt: prompt.name,
    decision: withReason(judged.decision, reason),
    impact: impactRows(judged.metrics),
    ...(earlier !== undefined && { earlier }),
  };
  const { run, suite } = candidate;
  await recordPromotion(folder, prompt, promotion, {
    at: ports.now().toISOString(),
    who: ports.identity(),
    result: comparedParts(candidate),
    measured: `Measured by run ${run.id} (${run.subject}) over ${suite.n_cases} golden cases`,
  });
  return promotion;
}

/** One set of outputs counts for one version, even if two versions have the same text. */
function checkOutputs({ run }: Result, { name }: Prompt, ledger: Ledger): void {
  const content = run.content_sha256;
  const other = ledger.entries.findLast(
    ({ prompt }) => prompt !== name && measuredIn(ledger, prompt)?.run.content_sha256 === content,
  );
  if (content === undefined || other === undefined || other.sha256 !== run.prompt_sha256) return;
  throw new AssayError(
    'INPUT_INVALID',
    `the same outputs were already used for ${other.prompt}, which has the same text`,
    {
      remedy: `Measure ${name} separately.`,
    },
  );
}

function stemOf(name: string): string {
  return parsePromptName(name)?.stem ?? name;
}

/** With a different first or second step, the cause of a change in the numbers is unknown. */
function otherSteps({ run }: Result, previous: Previous | undefined, name: string): string[] {
  const others = (chain: string | null | undefined) =>
    stepsOf(chain ?? '')
      .filter((step) => stemOf(step) !== stemOf(name))
      .join(' and ');
  const [now, then] = [others(run.prompt), others(previous?.result?.run.prompt)];
  if (previous?.result === undefined || now === then) return [];
  const say = (steps: string) => (steps === '' ? 'alone' : `with ${steps}`);
  return [`it was measured ${say(now)}, and ${previous.name} ${say(then)}`];
}

async function measuredCandidate(
  { measured, prompts }: PromotePromptRequest,
  { name, hash }: Prompt,
  ports: Ports,
): Promise<Result> {
  const file = 'file' in measured ? measured.file : undefined;
  const result =
    'file' in measured
      ? readResult(measured.file)
      : resultOf(encode(decompositionRun, await runSuite(withPrompt(measured.suite, name), ports)));
  const steps = stepsOf(result.run.prompt ?? '');
  if (!steps.includes(name)) {
    throw new AssayError(
      'INPUT_INVALID',
      `${file ?? 'the run'} measured ${result.run.prompt ?? 'no prompt'}, not ${name}`,
      { remedy: `Measure ${name}, and name the file with its result.` },
    );
  }
  const { prompt_sha256: made, model, extractor } = result.run;
  const isNameless = model === null && extractor !== 'command';
  if (made === undefined || made === null || isNameless) {
    throw new AssayError(
      'INPUT_INVALID',
      `the outputs of ${file ?? 'this run'} do not all name the ${isNameless ? 'model' : 'prompt'} that produced them`,
      {
        remedy: `Measure ${name} with a model, or record outputs that carry model and promptSha256, as extract does.`,
      },
    );
  }
  if (made !== (steps.length === 1 ? hash : chainHash(readChain(prompts, steps)))) {
    throw new AssayError(
      'INPUT_INVALID',
      `${file ?? 'the outputs'} were not made with ${name}.md as it is now`,
      {
        remedy: 'Measure it again.',
      },
    );
  }
  return result;
}

function withPrompt(request: RunSuiteRequest, prompt: string): RunSuiteRequest {
  const { source } = request;
  return {
    ...request,
    source:
      source.kind === 'recorded'
        ? { ...source, prompt }
        : { ...source, extractor: { ...source.extractor, prompt: withStep(chainOf(source), prompt) } },
  };
}

function chainOf({ extractor: { prompt } }: Extract<RunSuiteRequest['source'], { kind: 'extractor' }>) {
  return prompt === undefined ? [] : [prompt].flat();
}

type Previous = { readonly name: string; readonly result?: Result };

/** The active version, or else the previous one by number. */
function previousOf(
  { previous: file }: PromotePromptRequest,
  ledger: Ledger,
  folder: string,
  name: string,
): Previous | undefined {
  const before = inForce(ledger, stemOf(name))[0]?.prompt ?? versionBefore(listPrompts(folder), name);
  if (file !== undefined) {
    const result = readResult(file);
    const known = stepsOf(result.run.prompt ?? '').find((step) => stemOf(step) === stemOf(name)) ?? before;
    return known === undefined ? undefined : { name: known, result };
  }
  if (before === undefined) return undefined;
  const result = measuredIn(ledger, before);
  return { name: before, ...(result && { result }) };
}

/** A version must be measured against all golden cases in their current version. */
function otherGolden({ suite }: Result, { golden, vocabulary }: PromotePromptRequest): string[] {
  if (!existsSync(golden) || readGoldenSet(golden, vocabulary).hash === suite.truth_hash) return [];
  return [`it was measured against other golden cases than those in ${golden}`];
}

/** Agreement with an uncorrected draft proves nothing about a prompt. */
function draftGolden({ suite: { drafts = [] } }: Result): string[] {
  return drafts.length === 0 ? [] : [`the golden cases ${drafts.join(', ')} are uncorrected drafts`];
}

/** Doubts in the result itself, and changes to it or to the result of the previous version. */
function doubts(
  candidate: Result,
  previous: Previous | undefined,
  { measured, previous: file }: PromotePromptRequest,
): string[] {
  return [
    ...(candidate.suite.integrity ?? []),
    ...('file' in measured ? tampering(candidate, measured.file) : []),
    ...(file !== undefined && previous?.result !== undefined ? tampering(previous.result, file) : []),
    ...changedWithoutVersion(previous?.result?.suite.golden_versions, candidate.suite.golden_versions),
  ];
}

/** A better result with another model does not prove a better prompt. */
function otherModel({ run }: Result, previous: Previous | undefined): string[] {
  const before = previous?.result?.run.model;
  if (previous === undefined || before === undefined || before === run.model) return [];
  return [`it was measured with ${run.model}, and ${previous.name} with ${before ?? 'an unknown model'}`];
}

function judgePromotion(
  candidate: Result,
  previous: Previous | undefined,
  request: PromotePromptRequest,
  name: string,
): Pick<Promotion, 'decision' | 'metrics' | 'cases' | 'before' | 'otherModel'> {
  const { thresholds, acrossModels = false } = request;
  checkStandard(thresholds);
  const declared = standardMetrics(thresholds);
  const policy = regressionPolicy(thresholds);
  const now = { ...sideOf(candidate), standard: standardName(thresholds) };
  const then = previous?.result && sideOf(previous.result);
  const comparison = then && compareWithBaseline(declared, now, then, policy);
  const metrics = judgeMetrics(declared, now.metrics, comparison);
  const comparable = comparison !== undefined && comparison.differences.length === 0;
  const zonesBefore =
    then && Object.fromEntries(judgeMetrics(declared, then.metrics).map(({ id, zone }) => [id, zone]));
  const models = acrossModels ? [] : otherModel(candidate, previous);
  const decision = decide({
    metrics,
    gated: gatePolicy(thresholds).gated,
    ...(previous && { zonesBefore: zonesBefore ?? {} }),
    ...(previous && then === undefined && { beforeUnmeasured: previous.name }),
    errored: candidate.cases.filter(({ error }) => error !== undefined).map(({ id }) => id),
    missing: comparable ? comparison.missingCases : [],
    differences: [
      ...otherGolden(candidate, request),
      ...draftGolden(candidate),
      ...doubts(candidate, previous, request),
      ...models,
      ...otherSteps(candidate, previous, name),
      ...(comparison?.differences ?? []),
    ],
  });
  return {
    decision,
    otherModel: models.length > 0,
    metrics,
    cases: comparable && then ? caseChanges(declared, now, then, policy) : [],
    ...(previous && { before: previous.name }),
  };
}

function reasonOf({ reason: given }: PromotePromptRequest): string | undefined {
  const reason = given?.trim();
  if (reason === '') throw new AssayError('USAGE', 'the reason is empty');
  return reason;
}

function withReason(decision: Decision, reason: string | undefined): Decision {
  if (reason === undefined || decision.outcome !== 'hold' || !decision.approvable) return decision;
  return {
    ...decision,
    outcome: 'promote',
    reasons: [...decision.reasons, `reason: ${reason}`],
  };
}

/** Only the parts that a later comparison needs. */
function comparedParts({ run, suite, cases }: Result): z.infer<typeof decompositionResult> {
  return {
    format: 'assay-run',
    version: 2,
    run: { ...run, prompt_sha256: run.prompt_sha256 ?? null },
    suite: { ...suite, metrics: mapValues(suite.metrics, (one) => encode(measurement, one)) },
    cases: cases.map(({ id, error, metrics }) => ({
      id,
      error,
      metrics: mapValues(metrics, (one) =>
        one.measured ? { value: one.value, n: one.n } : { value: null, n: 0, reason: one.reason },
      ),
    })),
  };
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
