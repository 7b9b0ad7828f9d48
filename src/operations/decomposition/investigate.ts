import { existsSync } from 'node:fs';
import { type CaseEvidence, evidenceAt } from '../../decomposition/evidence.ts';
import { withOwnPredicates } from '../../decomposition/golden-rules.ts';
import { examineTrials } from '../../decomposition/ingest/collect-cases.ts';
import { type GoldenCase, readGoldenSet } from '../../decomposition/ingest/golden-case.ts';
import type { ExtractionOutput } from '../../decomposition/ingest/output.ts';
import { checklist } from '../../decomposition/investigate/checklist.ts';
import { conclusionsOn } from '../../decomposition/investigate/conclusions.ts';
import {
  findingsOn,
  type Investigated,
  type Investigation,
  isClean,
  worstFirst,
} from '../../decomposition/investigate/findings.ts';
import { gatePolicy, standardMetrics } from '../../decomposition/standard.ts';
import { AssayError } from '../../errors.ts';
import { judgeMetrics } from '../../judge/verdict.ts';
import { measureAll } from '../../measure/measure.ts';
import { didYouMean } from '../../suggest.ts';
import type { Ports } from '../ports.ts';
import { checkStandard } from './check-standard.ts';
import { openSemanticLevel, openSource, type SuiteRequest } from './read-suite.ts';
import type { Thresholds } from './run-suite.ts';

/** For recorded outputs, several folders may be given, separated by commas. */
export type InvestigateRequest = SuiteRequest & {
  /** One case; default: every case with a problem. */
  readonly caseId?: string;
  /** The prompt that produced the outputs. */
  readonly prompt?: string;
  readonly thresholds: Thresholds;
};

/** Explains why cases fail: missed, invented, confused or misquoted concepts. Changes and stores nothing. */
export async function investigate(request: InvestigateRequest, ports: Ports): Promise<Investigated> {
  checkStandard(request.thresholds);
  const { source, vocabulary } = request;
  const chosen = chooseCases(request);
  const folders = source.kind === 'recorded' ? outputFolders(source.folder) : [];
  const opened = await openSource(source, chosen, ports, folders);
  const semantic = await openSemanticLevel(request);
  const predicateMap = withOwnPredicates(request.predicateMap, vocabulary?.predicates);
  const all: Investigation[] = [];
  const errored: { id: string; error: string }[] = [];
  const leftOut: string[] = [];
  let done = 0;
  for await (const { golden, trials } of opened.trials()) {
    done += 1;
    if (source.kind === 'recorded')
      ports.progress({ what: 'investigating', done, total: chosen.length, unit: 'cases' });
    const { id } = golden;
    const faults = trials.flatMap((trial) => ('error' in trial ? [trial.error] : []));
    const outputs = trials.flatMap((trial) => ('error' in trial ? [] : [trial]));
    if (outputs.length === 0 && faults[0] !== undefined) {
      errored.push({ id, error: faults[0] });
      continue;
    }
    leftOut.push(...faults.map((fault) => `${id}: left out: ${fault}`));
    const one = await examineTrials(golden, outputs, { semantic, predicateMap });
    if ('error' in one) errored.push({ id, error: one.error });
    else all.push(investigationOf(golden, one.evidence, outputs, request));
  }
  refuseNothing(all, errored);
  return {
    date: ports.now().toISOString().slice(0, 10),
    source:
      source.kind === 'recorded'
        ? { kind: 'recorded', folders }
        : { kind: 'extractor', repeat: source.repeat },
    cases: all.filter(({ clean }) => !clean).sort(worstFirst),
    clean: all.filter(({ clean }) => clean).map(({ id }) => id),
    errored,
    leftOut,
    semantic: semantic !== undefined ? 'measured' : request.semantic ? 'not installed' : 'off',
  };
}

/** One folder, or several separated by commas. */
function outputFolders(named: string): readonly string[] {
  const folders = existsSync(named) ? [named] : named.split(',').map((folder) => folder.trim());
  if (new Set(folders).size < folders.length) {
    throw new AssayError('USAGE', 'a folder of outputs is named twice; its runs would agree with themselves');
  }
  return folders;
}

function chooseCases({ golden, caseId, vocabulary }: InvestigateRequest): readonly GoldenCase[] {
  const { cases } = readGoldenSet(golden, vocabulary);
  if (caseId === undefined) return cases;
  const chosen = cases.filter(({ id }) => id === caseId);
  if (chosen.length > 0) return chosen;
  const known = cases.map(({ id }) => id);
  throw new AssayError('USAGE', `there is no golden case "${caseId}"${didYouMean(caseId, known)}`, {
    remedy: 'A case is named by its id, which a run lists.',
  });
}

function investigationOf(
  golden: GoldenCase,
  evidence: CaseEvidence,
  outputs: readonly ExtractionOutput[],
  { thresholds, matchLevel, prompt }: InvestigateRequest,
): Investigation {
  const declared = standardMetrics(thresholds);
  const metrics = judgeMetrics(declared, measureAll(declared, [evidenceAt(evidence, matchLevel)]));
  const { gated } = gatePolicy(thresholds);
  const findings = findingsOn(golden, evidence, outputs, matchLevel);
  const versions = [...new Set(outputs.flatMap(({ promptVersion }) => promptVersion ?? []))];
  const known = prompt ?? (versions.length === 1 ? versions[0] : undefined);
  return {
    id: golden.id,
    promptVersion: sayVersions(prompt === undefined ? versions : [prompt]),
    prompt: known,
    metrics,
    gated: metrics.filter(({ id }) => gated.includes(id)),
    clean: isClean(findings),
    findings,
    conclusions: conclusionsOn(findings),
    checklist: checklist(findings),
  };
}

/** A version is a short name; other text that a model wrote there is not shown as a version. */
function sayVersions(versions: readonly string[]): string {
  const names = versions.filter((version) => /^[\w.-]{1,100}$/.test(version));
  if (versions.length === 0) return 'not recorded';
  return names.length < versions.length ? 'recorded, but not as the name of a version' : names.join(', ');
}

/** Throws if nothing could be checked, so that an empty result does not look like success. */
function refuseNothing(
  examined: readonly Investigation[],
  errored: readonly { readonly id: string; readonly error: string }[],
): void {
  if (examined.length > 0) return;
  const [first] = errored;
  if (first === undefined) throw new AssayError('INPUT_INVALID', 'there is no golden case to investigate');
  const more = errored.length - 1;
  throw new AssayError(
    'INPUT_INVALID',
    `no case could be examined; ${first.id}: ${first.error}${more > 0 ? ` (and ${more} more)` : ''}`,
  );
}
