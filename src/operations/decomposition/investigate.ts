import { evidenceAt } from '../../decomposition/evidence.ts';
import { type PredicateMap, type Vocabulary, withOwnPredicates } from '../../decomposition/golden-rules.ts';
import { type GoldenCase, readGoldenSet } from '../../decomposition/ingest/golden-case.ts';
import { checklist } from '../../decomposition/investigate/checklist.ts';
import { conclusionsOn } from '../../decomposition/investigate/conclusions.ts';
import {
  findingsOn,
  type Investigated,
  type InvestigatedSource,
  type Investigation,
  isClean,
  worstFirst,
} from '../../decomposition/investigate/findings.ts';
import type { SemanticModel } from '../../decomposition/match/semantic/load.ts';
import { gatePolicy, standardMetrics } from '../../decomposition/standard.ts';
import { AssayError } from '../../errors.ts';
import { judgeMetrics } from '../../judge/verdict.ts';
import { measureAll } from '../../measure/measure.ts';
import { didYouMean } from '../../suggest.ts';
import type { Ports } from '../ports.ts';
import { checkStandard } from './check-standard.ts';
import { openExtraction } from './extraction.ts';
import { type CaseOutputs, extractCaseOutputs, outputFolders, readCaseOutputs } from './read-case.ts';
import { type OutputSource, openSemanticLevel, type SemanticRequest } from './read-suite.ts';
import type { Thresholds } from './run-suite.ts';

export type InvestigateRequest = SemanticRequest & {
  /** The folder of the golden cases. */
  readonly golden: string;
  /** One case; by default every case with something wrong. */
  readonly caseId?: string;
  /** Of recorded outputs several folders may be named, with commas between them. */
  readonly source: OutputSource;
  /** The prompt that the outputs were made with. */
  readonly prompt?: string;
  /** Predicates of the extractor's own, and what they mean. */
  readonly predicateMap?: PredicateMap;
  /** Domains and predicates of the golden cases; the documented ones unless told. */
  readonly vocabulary?: Vocabulary;
  readonly thresholds: Thresholds;
};

/** Why cases fail: what was missed, invented, confused or misquoted. It changes nothing and keeps nothing. */
export async function investigate(request: InvestigateRequest, ports: Ports): Promise<Investigated> {
  checkStandard(request.thresholds);
  const chosen = chooseCases(request);
  const { source, outputs } = await openOutputs(request, chosen, ports);
  const semantic = await openSemanticLevel(request);
  const all: Investigation[] = [];
  const errored: { id: string; error: string }[] = [];
  const leftOut: string[] = [];
  for await (const one of outputs(semantic)) {
    leftOut.push(...one.leftOut);
    if ('error' in one) errored.push({ id: one.golden.id, error: one.error });
    else all.push(investigationOf(one, request));
  }
  refuseNothing(all, errored);
  return {
    date: ports.now().toISOString().slice(0, 10),
    source,
    cases: all.filter(({ clean }) => !clean).sort(worstFirst),
    clean: all.filter(({ clean }) => clean).map(({ id }) => id),
    errored,
    leftOut,
    semantic: semantic !== undefined ? 'measured' : request.semantic ? 'not installed' : 'off',
  };
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

type Outputs = (semantic: SemanticModel | undefined) => AsyncGenerator<CaseOutputs>;

/** What is missing is said before a model of the language is loaded; nothing is read, called or spent yet. */
async function openOutputs(
  { source, vocabulary, ...request }: InvestigateRequest,
  cases: readonly GoldenCase[],
  ports: Ports,
): Promise<{ readonly source: InvestigatedSource; readonly outputs: Outputs }> {
  const predicateMap = withOwnPredicates(request.predicateMap, vocabulary?.predicates);
  if (source.kind === 'recorded') {
    const folders = outputFolders(source.folder);
    return {
      source: { kind: 'recorded', folders },
      outputs: (semantic) => readCaseOutputs(cases, folders, source.map, { semantic, predicateMap }, ports),
    };
  }
  const { repeat } = source;
  const extraction = await openExtraction(source.extractor);
  return {
    source: { kind: 'extractor', repeat },
    outputs: (semantic) => extractCaseOutputs(cases, extraction, repeat, { semantic, predicateMap }, ports),
  };
}

function investigationOf(
  { golden, evidence, outputs }: Extract<CaseOutputs, { evidence: unknown }>,
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

/** A version is a short name; what a model wrote there instead is not repeated as one. */
function sayVersions(versions: readonly string[]): string {
  const names = versions.filter((version) => /^[\w.-]{1,100}$/.test(version));
  if (versions.length === 0) return 'not recorded';
  return names.length < versions.length ? 'recorded, but not as the name of a version' : names.join(', ');
}

/** Nothing could be looked at, so nothing is said to be right. */
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
