/** The ingest of a run: golden cases and recorded outputs, or an extractor that runs now, become evidence. */
import type { CaseEvidence, MatchLevel } from '../../decomposition/evidence.ts';
import { type PredicateMap, type Vocabulary, withOwnPredicates } from '../../decomposition/golden-rules.ts';
import {
  type CaseCollector,
  type Collected,
  examineEach,
  examineTrials,
  openCollector,
} from '../../decomposition/ingest/collect-cases.ts';
import { type GoldenCase, type GoldenSet, readGoldenSet } from '../../decomposition/ingest/golden-case.ts';
import { openOutputs, type RecordedOutputs } from '../../decomposition/ingest/outputs/open-outputs.ts';
import type { OutputMap } from '../../decomposition/ingest/outputs/output-map.ts';
import {
  loadSemanticModel,
  requireSemanticModel,
  type SemanticModel,
} from '../../decomposition/match/semantic/load.ts';
import { parsePromptName } from '../../decomposition/prompts/prompt-folder.ts';
import type { RunFacts, SuiteReading } from '../../decomposition/suite-run.ts';
import { AssayError } from '../../errors.ts';
import type { JobInput } from '../../pipeline.ts';
import type { Ports } from '../ports.ts';
import { extractCases } from './extract-texts.ts';
import { type Extraction, type ExtractorRequest, openExtraction, subjectOf } from './extraction.ts';

/** Where outputs come from: recorded ones, or an extractor. */
export type OutputSource =
  /** `prompt`: the one they were made with, where they do not say so themselves. */
  | {
      readonly kind: 'recorded';
      /** A folder with a file for each case, or a file with all of them. */
      readonly folder: string;
      readonly prompt?: string;
      /** How outputs in a shape of one's own are read. */
      readonly map?: OutputMap;
    }
  | { readonly kind: 'extractor'; readonly extractor: ExtractorRequest; readonly repeat: number };

export type SuiteRequest = SemanticRequest & {
  /** The folder of the golden cases. */
  readonly golden: string;
  readonly source: OutputSource;
  /** Predicates of the extractor's own, and what they mean. */
  readonly predicateMap?: PredicateMap;
  /** Domains and predicates of the golden cases; the documented ones unless told. */
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
  const { golden: folder, source, matchLevel } = request;
  const { vocabulary } = request;
  const golden = readGoldenSet(folder, vocabulary);
  const outputs = source.kind === 'recorded' ? openOutputs(source.folder, source.map) : undefined;
  // What is missing is said before a model is loaded.
  const extraction = source.kind === 'extractor' ? await openExtraction(source.extractor) : undefined;
  const semantic = await openSemanticLevel(request);
  const predicateMap = withOwnPredicates(request.predicateMap, vocabulary?.predicates);
  const examining: Examining = { semantic, predicateMap };
  const collect = openCollector(matchLevel, semantic !== undefined);
  const named =
    source.kind === 'recorded'
      ? await readRecorded(golden, source, outputs as RecordedOutputs, examining, collect)
      : await extractNow(golden.cases, extraction as Extraction, source.repeat, examining, collect, ports);
  const collected = collect.collected();
  const { subject, extractor, prompt, promptHash, model, strangers, calls } = named;
  return {
    ...collected,
    subject,
    truthHash: golden.hash,
    facts: {
      extractor,
      matchLevel,
      content: collected.content,
      prompt,
      promptHash,
      model,
    },
    reading: {
      golden: folder,
      doubts: golden.doubts,
      ...(golden.drafts.length > 0 && { drafts: golden.drafts }),
      strangers,
      semantic: semantic !== undefined ? 'measured' : request.semantic ? 'not installed' : 'off',
      usage: collected.usage,
      ...(calls && { calls }),
    },
  };
}

type Examining = {
  readonly semantic: SemanticModel | undefined;
  readonly predicateMap: PredicateMap | undefined;
};

type Named = Omit<RunFacts, 'matchLevel'> &
  Pick<SuiteReading, 'strangers' | 'calls'> & { readonly subject: string };

async function readRecorded(
  golden: GoldenSet,
  { folder, prompt: named }: Extract<OutputSource, { kind: 'recorded' }>,
  outputs: RecordedOutputs,
  examining: Examining,
  collect: CaseCollector,
): Promise<Named> {
  const [prompts, models, hashes] = [1, 2, 3].map(() => new Set<string | undefined>()) as Names;
  const strangers: string[] = [];
  const note = (text: string) => strangers.push(text);
  for await (const one of examineEach(golden, outputs, { ...examining, note })) {
    for (const trial of 'evidence' in one ? one.evidence.trials : []) {
      if (trial.failed !== undefined) continue;
      prompts.add(trial.promptVersion);
      models.add(trial.model);
      hashes.add(trial.promptSha256);
    }
    collect.add(one);
  }
  const [recorded, model, promptHash] = [onlyOf(prompts), onlyOf(models), onlyOf(hashes)];
  if (named !== undefined && recorded !== undefined && contradicts(named, recorded)) {
    throw new AssayError(
      'INPUT_INVALID',
      `the outputs in ${folder} say that they were made with ${recorded}, not with ${named}`,
    );
  }
  const prompt = named ?? recorded;
  const names = [model, prompt].filter((name) => name !== undefined);
  return {
    // Not the folder: outputs of one extractor in a new folder each week are still one series.
    subject: `recorded ${names.length === 0 ? 'outputs' : names.join(' ')}`,
    extractor: 'recorded',
    strangers,
    prompt,
    promptHash,
    model,
  };
}

type Names = [Set<string | undefined>, Set<string | undefined>, Set<string | undefined>];

/** The value that all share. */
function onlyOf(values: ReadonlySet<string | undefined>): string | undefined {
  const [only] = values;
  return values.size === 1 ? only : undefined;
}

/** People record `v1.1` or the whole name; words of their own contradict nothing. */
function contradicts(named: string, recorded: string): boolean {
  const version = /(?<!\d)(\d+\.\d+)$/;
  const [ours, theirs] = [version.exec(named)?.[1], version.exec(recorded)?.[1]];
  if (parsePromptName(named) && parsePromptName(recorded)) return named !== recorded;
  return ours !== undefined && theirs !== undefined && ours !== theirs;
}

async function extractNow(
  cases: readonly GoldenCase[],
  extraction: Extraction,
  repeat: number,
  examining: Examining,
  collect: CaseCollector,
  ports: Ports,
): Promise<Named> {
  for await (const one of extractCases(cases, extraction, repeat, ports)) {
    collect.add(await examineTrials(one.golden, one.trials, examining));
  }
  const { kind, prompt, promptHash, model, extractor } = extraction;
  const calls = extractor.counts?.();
  return {
    subject: subjectOf(extraction),
    extractor: kind,
    strangers: [],
    ...(calls && { calls }),
    ...(prompt !== undefined && { prompt }),
    ...(promptHash !== undefined && { promptHash }),
    ...(model !== undefined && { model }),
  };
}

export type SemanticRequest = {
  /** The loosest match that counts. */
  readonly matchLevel: MatchLevel;
  /** `false`: what semantic matching would add is not looked at. */
  readonly semantic: boolean;
};

/** The offline model, where it is installed and wanted; a result that must rest on it does not go without. */
export async function openSemanticLevel({
  matchLevel,
  semantic,
}: SemanticRequest): Promise<SemanticModel | undefined> {
  if (!semantic && matchLevel === 'semantic') {
    throw new AssayError('USAGE', 'the match level is semantic, so semantic matching cannot be left out');
  }
  if (!semantic) return undefined;
  return matchLevel === 'semantic' ? requireSemanticModel() : loadSemanticModel();
}
