/** The runs to investigate, with their outputs: evidence alone does not hold what a quote said. */
import { existsSync } from 'node:fs';
import type { CaseEvidence } from '../../decomposition/evidence.ts';
import { examineTrials } from '../../decomposition/ingest/examine.ts';
import type { ExtractionTask } from '../../decomposition/ingest/extractor.ts';
import { extractAll } from '../../decomposition/ingest/extractors/run-tasks.ts';
import type { GoldenCase } from '../../decomposition/ingest/golden-case.ts';
import { type ExtractionOutput, readOutput } from '../../decomposition/ingest/output.ts';
import { type OutputFolder, readOutputFolder } from '../../decomposition/ingest/output-files.ts';
import { namesIn } from '../../decomposition/match/prepare-case.ts';
import type { SemanticModel } from '../../decomposition/match/semantic/model.ts';
import { AssayError } from '../../errors.ts';
import type { Arguments, Terminal } from '../command.ts';
import { type Extraction, extractorFrom, numberOption } from './extractor-options.ts';
import { textOf } from './run-options.ts';

export type CaseRuns = {
  readonly golden: GoldenCase;
  /** What was left out, and why. */
  readonly notes: readonly string[];
} & (
  | { readonly evidence: CaseEvidence; readonly outputs: readonly ExtractionOutput[] }
  | { readonly error: string }
);

export type Source =
  | { readonly kind: 'recorded'; readonly folders: readonly string[] }
  | { readonly kind: 'extractor'; readonly extraction: Extraction; readonly repeat: number };

/** Where the outputs come from; nothing is read, called or spent yet. */
export async function openSource(args: Arguments, terminal: Terminal, configured: string): Promise<Source> {
  const outputs = textOf(args, 'outputs');
  if (outputs === undefined) return openExtraction(args, terminal, configured);
  const stray = ['extractor', 'model', 'command'].find((name) => args.values[name] !== undefined);
  if (stray !== undefined) {
    throw new AssayError(
      'USAGE',
      `--outputs names recorded outputs, so there is nothing for --${stray} to do`,
    );
  }
  const folders = existsSync(outputs) ? [outputs] : outputs.split(',').map((folder) => folder.trim());
  if (new Set(folders).size < folders.length) {
    throw new AssayError('USAGE', '--outputs names a folder twice; its runs would agree with themselves');
  }
  return { kind: 'recorded', folders };
}

/** As `run` chooses: a prompt needs a model, and a program needs none. */
async function openExtraction(args: Arguments, terminal: Terminal, configured: string): Promise<Source> {
  const repeat = numberOption(args, 'repeat', { min: 1, max: 1000, whole: true }) ?? 1;
  const kind = textOf(args, 'extractor') ?? (textOf(args, 'prompt') === undefined ? 'local' : 'llm');
  const { prompt, prompts, ...rest } = args.values;
  const model = textOf(args, 'model') ?? (configured === 'none' ? undefined : configured);
  const values = {
    ...rest,
    extractor: kind,
    ...(kind !== 'command' && prompt !== undefined && { prompt }),
    ...(kind !== 'command' && prompts !== undefined && { prompts }),
    ...(kind === 'llm' && model !== undefined && { model }),
  };
  return { kind: 'extractor', extraction: await extractorFrom({ ...args, values }, terminal), repeat };
}

/** Case by case, so that no more than one case's outputs are held. */
export function readRuns(
  cases: readonly GoldenCase[],
  source: Source,
  semantic: SemanticModel | undefined,
  terminal: Terminal,
): AsyncGenerator<CaseRuns> {
  return source.kind === 'recorded'
    ? readRecorded(cases, source.folders, semantic, terminal)
    : extractNow(cases, source.extraction, source.repeat, semantic, terminal);
}

async function* readRecorded(
  cases: readonly GoldenCase[],
  paths: readonly string[],
  semantic: SemanticModel | undefined,
  terminal: Terminal,
): AsyncGenerator<CaseRuns> {
  const folders = paths.map(readOutputFolder);
  for (const [done, golden] of cases.entries()) {
    terminal.progress(`investigating ${done + 1} of ${cases.length} cases`);
    const read = folders.map((folder) => outputsIn(folder, golden));
    const faults = read.flatMap((one) => ('error' in one ? [one.error] : []));
    const outputs = read.flatMap((one) => ('outputs' in one ? one.outputs : []));
    const [first] = faults;
    if (outputs.length === 0 && first !== undefined) yield { golden, notes: [], error: first };
    else {
      const notes = faults.map((fault) => `${golden.id}: left out: ${fault}`);
      yield await examined(golden, outputs, notes, semantic);
    }
  }
  terminal.progress('');
}

function outputsIn(
  folder: OutputFolder,
  golden: GoldenCase,
): { readonly outputs: readonly ExtractionOutput[] } | { readonly error: string } {
  const files = folder.filesOf(golden.id);
  if ('error' in files) return files;
  try {
    return { outputs: files.paths.map((path) => readOutput(path, namesIn(golden))) };
  } catch (error) {
    if (error instanceof AssayError) return { error: error.message };
    throw error;
  }
}

async function examined(
  golden: GoldenCase,
  outputs: readonly ExtractionOutput[],
  notes: readonly string[],
  semantic: SemanticModel | undefined,
): Promise<CaseRuns> {
  const one = await examineTrials(golden, outputs, { semantic });
  return 'error' in one
    ? { golden, notes, error: one.error }
    : { golden, notes, evidence: one.evidence, outputs };
}

async function* extractNow(
  cases: readonly GoldenCase[],
  { extractor, concurrency }: Extraction,
  repeat: number,
  semantic: SemanticModel | undefined,
  terminal: Terminal,
): AsyncGenerator<CaseRuns> {
  const total = cases.length * repeat;
  const results = extractAll(extractor, tasksOf(cases, repeat), {
    concurrency,
    onProgress: ({ done }) => terminal.progress(`${extractor.name}: ${done} of ${total} texts`),
  });
  let outputs: ExtractionOutput[] = [];
  let error: string | undefined;
  for await (const result of results) {
    const { golden, trial } = result.task;
    if ('output' in result) outputs.push(result.output);
    else error ??= result.error instanceof Error ? result.error.message : String(result.error);
    if (trial < repeat) continue;
    yield error === undefined ? await examined(golden, outputs, [], semantic) : { golden, notes: [], error };
    [outputs, error] = [[], undefined];
  }
  terminal.progress('');
}

function* tasksOf(
  cases: readonly GoldenCase[],
  repeat: number,
): Generator<ExtractionTask & { golden: GoldenCase }> {
  for (const golden of cases) {
    for (let trial = 1; trial <= repeat; trial++) {
      yield { id: golden.id, text: golden.sourceText, trial, golden };
    }
  }
}
