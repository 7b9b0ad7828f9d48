import type { CaseEvidence, MatchLevel } from '../../decomposition/evidence.ts';
import { type PredicateMap, type Vocabulary, withOwnPredicates } from '../../decomposition/golden-rules.ts';
import { type Collected, collectCases, examineTrials } from '../../decomposition/ingest/collect-cases.ts';
import { type GoldenCase, readGoldenSet } from '../../decomposition/ingest/golden-case.ts';
import { openOutputs, type Trial } from '../../decomposition/ingest/outputs/open-outputs.ts';
import type { OutputMap } from '../../decomposition/ingest/outputs/output-map.ts';
import { goldenVersions } from '../../decomposition/integrity.ts';
import {
  loadSemanticModel,
  requireSemanticModel,
  type SemanticModel,
} from '../../decomposition/match/semantic/load.ts';
import { parsePromptName } from '../../decomposition/prompts/prompt-folder.ts';
import type { RunFacts, SuiteReading } from '../../decomposition/suite-run.ts';
import { AssayError } from '../../errors.ts';
import type { Examined } from '../../measure/measure.ts';
import type { JobInput } from '../../pipeline.ts';
import type { Ports } from '../ports.ts';
import { extractCases } from './extract-texts.ts';
import { type Extraction, type ExtractorRequest, openExtraction, subjectOf } from './extraction.ts';

export type OutputSource =
  /** `prompt`: the prompt that produced them, if the outputs do not name it. */
  | {
      readonly kind: 'recorded';
      /** A folder with a file for each case, or a file with all of them. */
      readonly folder: string;
      readonly prompt?: string;
      /** How to read outputs in a custom shape. */
      readonly map?: OutputMap;
    }
  | { readonly kind: 'extractor'; readonly extractor: ExtractorRequest; readonly repeat: number };

export type SuiteRequest = SemanticRequest & {
  readonly golden: string;
  readonly source: OutputSource;
  readonly predicateMap?: PredicateMap;
  readonly vocabulary?: Vocabulary;
};

export type SuiteInput = JobInput<CaseEvidence> &
  Collected & {
    readonly truthHash: string;
    readonly subject: string;
    readonly facts: RunFacts;
    readonly reading: SuiteReading;
  };

export async function readSuite(request: SuiteRequest, ports: Ports): Promise<SuiteInput> {
  const { golden: folder, source, matchLevel, vocabulary } = request;
  const golden = readGoldenSet(folder, vocabulary);
  const opened = await openSource(source, golden.cases, ports);
  const semantic = await openSemanticLevel(request);
  const predicateMap = withOwnPredicates(request.predicateMap, vocabulary?.predicates);
  const examined: Examined<CaseEvidence>[] = [];
  const failedCalls: string[] = [];
  for await (const one of opened.trials()) {
    failedCalls.push(
      ...one.trials.flatMap((trial) => ('error' in trial && trial.failedCall ? [trial.error] : [])),
    );
    examined.push(await examineTrials(one.golden, one.trials, { semantic, predicateMap }));
  }
  const collected = collectCases(examined, matchLevel, semantic !== undefined);
  const { extraction } = opened;
  const { subject, ...names } =
    source.kind === 'recorded' ? recordedNames(examined, source) : extractedNames(extraction as Extraction);
  const integrity = [...golden.faults, ...opened.missing()];
  const calls = extraction?.extractor.counts?.();
  return {
    ...collected,
    subject,
    truthHash: golden.hash,
    facts: { ...names, matchLevel, content: collected.content },
    reading: {
      golden: folder,
      doubts: golden.doubts,
      ...(golden.drafts.length > 0 && { drafts: golden.drafts }),
      goldenVersions: goldenVersions(golden.cases),
      ...(integrity.length > 0 && { integrity }),
      ...(failedCalls.length > 0 && { failedCalls }),
      unmatched: opened.notes(),
      semantic: semantic !== undefined ? 'measured' : request.semantic ? 'not installed' : 'off',
      usage: collected.usage,
      calls,
    },
  };
}

export type CaseTrials = { readonly golden: GoldenCase; readonly trials: readonly Trial[] };

export type OpenedSource = {
  readonly trials: () => Iterable<CaseTrials> | AsyncIterable<CaseTrials>;
  /** Notes that belong to no case; complete once all trials are read. */
  readonly notes: () => readonly string[];
  readonly missing: () => readonly string[];
  readonly extraction?: Extraction;
};

/** Missing inputs are reported here, before the language model is loaded and before any call or cost. */
export async function openSource(
  source: OutputSource,
  cases: readonly GoldenCase[],
  ports: Ports,
  folders: readonly string[] = source.kind === 'recorded' ? [source.folder] : [],
): Promise<OpenedSource> {
  if (source.kind === 'extractor') {
    const extraction = await openExtraction(source.extractor);
    return {
      extraction,
      trials: () => extractCases(cases, extraction, source.repeat, ports),
      notes: () => [],
      missing: () => [],
    };
  }
  const all = folders.map((path) => openOutputs(path, source.map));
  return {
    trials: () =>
      Iterator.from(cases).map((golden) => ({ golden, trials: all.flatMap((one) => one.trialsOf(golden)) })),
    notes: () => all.flatMap((one) => one.notes()),
    missing: () => all.flatMap((one) => one.missing()),
  };
}

type Names = Omit<RunFacts, 'matchLevel'> & { readonly subject: string };

function recordedNames(
  examined: readonly Examined<CaseEvidence>[],
  { folder, prompt: named }: Extract<OutputSource, { kind: 'recorded' }>,
): Names {
  const answered = examined
    .flatMap((one) => ('evidence' in one ? one.evidence.trials : []))
    .filter(({ failed }) => failed === undefined);
  const recorded = onlyOf(answered.map(({ promptVersion }) => promptVersion));
  const model = onlyOf(answered.map((one) => one.model));
  if (named !== undefined && recorded !== undefined && contradicts(named, recorded)) {
    throw new AssayError(
      'INPUT_INVALID',
      `the outputs in ${folder} name the prompt ${recorded}, not ${named}`,
    );
  }
  const prompt = named ?? recorded;
  const names = [model, prompt].filter((name) => name !== undefined);
  return {
    // Without the folder, so that outputs of one extractor in a new folder each week form one series.
    subject: `recorded ${names.length === 0 ? 'outputs' : names.join(' ')}`,
    extractor: 'recorded',
    prompt,
    promptHash: onlyOf(answered.map(({ promptSha256 }) => promptSha256)),
    model,
  };
}

function extractedNames(extraction: Extraction): Names {
  const { kind, prompt, promptHash, model } = extraction;
  return { subject: subjectOf(extraction), extractor: kind, prompt, promptHash, model };
}

function onlyOf<T>(values: readonly T[]): T | undefined {
  const [only, ...others] = new Set(values);
  return others.length === 0 ? only : undefined;
}

/** Users record `v1.1` or the whole name; free text cannot contradict. */
function contradicts(named: string, recorded: string): boolean {
  const version = /(?<!\d)(\d+\.\d+)$/;
  const [ours, theirs] = [version.exec(named)?.[1], version.exec(recorded)?.[1]];
  if (parsePromptName(named) && parsePromptName(recorded)) return named !== recorded;
  return ours !== undefined && theirs !== undefined && ours !== theirs;
}

export type SemanticRequest = {
  /** The loosest match that counts. */
  readonly matchLevel: MatchLevel;
  /** `false`: skip semantic matching. */
  readonly semantic: boolean;
};

/** The offline model, if installed and requested. Throws if the result requires it and it is missing. */
export async function openSemanticLevel({
  matchLevel,
  semantic,
}: SemanticRequest): Promise<SemanticModel | undefined> {
  if (!semantic && matchLevel === 'semantic') {
    throw new AssayError('USAGE', 'the match level is semantic, so semantic matching cannot be disabled');
  }
  if (!semantic) return undefined;
  return matchLevel === 'semantic' ? requireSemanticModel() : loadSemanticModel();
}
