import { existsSync } from 'node:fs';
import { encodeResult } from '../../api/encode/decomposition-result.ts';
import { encodeSuiteRun } from '../../api/encode/decomposition-run.ts';
import { decompositionMetrics } from '../../decomposition/catalog.ts';
import { readGoldenSet } from '../../decomposition/ingest/golden-case.ts';
import { gatePolicy, REGRESSION_POLICY } from '../../decomposition/policy.ts';
import { impactRows } from '../../decomposition/prompts/impact.ts';
import {
  inForce,
  type Ledger,
  measuredIn,
  readWholeLedger,
  recordedHash,
} from '../../decomposition/prompts/ledger.ts';
import { versionBefore } from '../../decomposition/prompts/next-version.ts';
import { type Decision, decide, type Promotion } from '../../decomposition/prompts/promotion.ts';
import { folderToWrite, namedVersion } from '../../decomposition/prompts/prompt-folder.ts';
import {
  listPrompts,
  type Prompt,
  type PromptName,
  parsePromptName,
  readPrompt,
} from '../../decomposition/prompts/read-prompt.ts';
import { recordPromotion } from '../../decomposition/prompts/record-promotion.ts';
import { type Result, readResult, resultOf, sideOf } from '../../decomposition/result-file.ts';
import { AssayError } from '../../errors.ts';
import { caseChanges } from '../../judge/case-changes.ts';
import { compareWithBaseline } from '../../judge/compare.ts';
import { judgeMetrics } from '../../judge/verdict.ts';
import type { Ports } from '../ports.ts';
import { type RunSuiteRequest, runSuite, type Thresholds } from './run-suite.ts';

export type PromotePromptRequest = {
  /** The folder of the prompts. */
  readonly prompts: string;
  readonly name: string | undefined;
  /** The file of its result, or how to measure it now. */
  readonly measured: { readonly file: string } | { readonly suite: RunSuiteRequest };
  /** The file of the result of the version in force; by default the ledger has it. */
  readonly previous?: string;
  /** Why it may come into force although a metric fell by one to five points. */
  readonly approve?: string;
  /** The folder of the golden cases as they are now. */
  readonly golden: string;
  readonly thresholds: Thresholds;
};

/** Decides whether a version comes into force, and keeps the decision, whatever it is. */
export async function promotePrompt(request: PromotePromptRequest, ports: Ports): Promise<Promotion> {
  const folder = folderToWrite(request.prompts);
  const prompt = readPrompt(folder, namedVersion(request.name).name);
  const ledger = readWholeLedger(folder);
  checkPrompt(prompt, ledger);
  const reason = approvalOf(request);
  const candidate = await measuredCandidate(request, prompt, ports);
  const previous = previousOf(request, ledger, folder, prompt.name);
  const judged = judgePromotion(candidate, previous, request);
  const earlier = versionBefore(listPrompts(folder), prompt.name);
  const promotion: Promotion = {
    ...judged,
    prompt: prompt.name,
    decision: withApproval(judged.decision, reason),
    impact: impactRows(judged.metrics),
    ...(earlier !== undefined && { earlier }),
  };
  const { run, suite } = candidate;
  await recordPromotion(folder, prompt, promotion, {
    at: ports.now().toISOString(),
    who: ports.identity(),
    result: encodeResult(candidate),
    measured: `Measured by run ${run.id} (${run.subject}) over ${suite.n_cases} golden cases`,
  });
  return promotion;
}

function checkPrompt(prompt: Prompt, ledger: Ledger): void {
  if (inForce(ledger, stemOf(prompt.name))[0]?.prompt === prompt.name) {
    throw new AssayError('USAGE', `${prompt.name} is in force already`);
  }
  const recorded = recordedHash(ledger, prompt.name);
  if (recorded !== undefined && recorded !== prompt.hash) {
    throw new AssayError('INPUT_INVALID', `${prompt.name}.md was changed after it was decided on`, {
      remedy: 'Restore it from version control, and make a new version for new words.',
    });
  }
}

function stemOf(name: string): string {
  return (parsePromptName(name) as PromptName).stem;
}

/** A result that was written down, or one that is measured now. */
async function measuredCandidate(
  { measured }: PromotePromptRequest,
  { name, hash }: Prompt,
  ports: Ports,
): Promise<Result> {
  const file = 'file' in measured ? measured.file : undefined;
  const result =
    'file' in measured
      ? readResult(measured.file)
      : resultOf(encodeSuiteRun(await runSuite(withPrompt(measured.suite, name), ports)));
  if (result.run.prompt !== name) {
    throw new AssayError(
      'INPUT_INVALID',
      `${file ?? 'the run'} measured ${result.run.prompt ?? 'no prompt'}, not ${name}`,
      { remedy: `Measure ${name}, and name the file with its result.` },
    );
  }
  if ((result.run.prompt_sha256 ?? hash) !== hash) {
    throw new AssayError('INPUT_INVALID', `${name}.md has changed since ${file ?? 'it'} was measured`, {
      remedy: 'Measure it again.',
    });
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
        : { ...source, extractor: { ...source.extractor, prompt } },
  };
}

type Previous = { readonly name: string; readonly result?: Result };

/** The version in force; where none is, the version before by number. */
function previousOf(
  { previous: file }: PromotePromptRequest,
  ledger: Ledger,
  folder: string,
  name: string,
): Previous | undefined {
  const before = inForce(ledger, stemOf(name))[0]?.prompt ?? versionBefore(listPrompts(folder), name);
  if (file !== undefined) {
    const result = readResult(file);
    const known = result.run.prompt ?? before;
    return known === undefined ? undefined : { name: known, result };
  }
  if (before === undefined) return undefined;
  const result = measuredIn(ledger, before);
  return { name: before, ...(result && { result }) };
}

/** A version is measured against all golden cases as they are now, not against a part of them or older ones. */
function otherGolden({ suite }: Result, golden: string): string[] {
  if (!existsSync(golden) || readGoldenSet(golden).hash === suite.truth_hash) return [];
  return [`it was measured against other golden cases than those in ${golden}`];
}

function judgePromotion(
  candidate: Result,
  previous: Previous | undefined,
  { thresholds, golden }: PromotePromptRequest,
): Pick<Promotion, 'decision' | 'metrics' | 'cases' | 'before'> {
  const declared = decompositionMetrics(thresholds.weights);
  const now = sideOf(candidate);
  const then = previous?.result && sideOf(previous.result);
  const comparison = then && compareWithBaseline(declared, now, then, REGRESSION_POLICY);
  const metrics = judgeMetrics(declared, now.metrics, comparison);
  const comparable = comparison !== undefined && comparison.differences.length === 0;
  const zonesBefore =
    then && Object.fromEntries(judgeMetrics(declared, then.metrics).map(({ id, zone }) => [id, zone]));
  const decision = decide({
    metrics,
    gated: gatePolicy(thresholds.overallScale).gated,
    ...(previous && { zonesBefore: zonesBefore ?? {} }),
    ...(previous && then === undefined && { beforeUnmeasured: previous.name }),
    errored: candidate.cases.filter(({ error }) => error !== undefined).map(({ id }) => id),
    missing: comparable ? comparison.missingCases : [],
    differences: [...otherGolden(candidate, golden), ...(comparison?.differences ?? [])],
  });
  return {
    decision,
    metrics,
    cases: comparable && then ? caseChanges(declared, now, then, REGRESSION_POLICY) : [],
    ...(previous && { before: previous.name }),
  };
}

function approvalOf({ approve }: PromotePromptRequest): string | undefined {
  const reason = approve?.trim();
  if (reason === '') throw new AssayError('USAGE', 'an approval needs a reason');
  return reason;
}

function withApproval(decision: Decision, reason: string | undefined): Decision {
  if (reason === undefined || decision.outcome !== 'hold' || !decision.approvable) return decision;
  return { ...decision, outcome: 'promote', reasons: [...decision.reasons, `approved: ${reason}`] };
}
