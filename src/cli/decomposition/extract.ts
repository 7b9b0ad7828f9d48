import { resolve } from 'node:path';
import type { Vocabulary } from '../../decomposition/golden-rules.ts';
import {
  encodeError,
  encodeExtraction,
  encodeExtractionLine,
  extractionNext,
  sayExtracted,
  sayExtracting,
  sayNothing,
  sayNotWritten,
  sayStopped,
} from '../../decomposition/views/extraction-words.ts';
import { AssayError } from '../../errors.ts';
import {
  type ExtractedText,
  type ExtractTextsRequest,
  extractTexts,
  type TextExtraction,
} from '../../operations/decomposition/extract-texts.ts';
import type { Texts } from '../../operations/decomposition/extraction.ts';
import type { Progress } from '../../operations/ports.ts';
import { escapeJson } from '../../report/unsafe-text.ts';
import { type Arguments, defineCommand, type Options, type Terminal } from '../command.ts';
import { openPorts } from '../open-ports.ts';
import { readSettings } from '../settings.ts';
import { type Stopping, stopOnSignal } from '../stop-on-signal.ts';
import { waitForDrain } from '../wait-for-drain.ts';
import { EXTRACTOR_OPTIONS, namedExtractor, REPEAT_OPTION } from './extractor-options.ts';

const OPTIONS = {
  batch: {
    type: 'path',
    value: 'FILE',
    doc: 'Lines {"id": …, "text": …} instead of files; - is standard input',
  },
  golden: { type: 'path', value: 'DIR', doc: 'The texts of the golden cases of a folder' },
  out: { type: 'path', value: 'DIR', doc: 'Write <name>.json there, with --repeat <name>.<n>.json' },
  ...REPEAT_OPTION,
  ...EXTRACTOR_OPTIONS,
} as const satisfies Options;

type ExtractArguments = Arguments<typeof OPTIONS>;

export const command = defineCommand({
  name: 'decomposition extract',
  summary: 'Extract concepts and relationships from texts, with a model, a program or offline',
  positionals: { usage: '[FILE…]', max: Number.POSITIVE_INFINITY },
  options: OPTIONS,
  examples: [
    'assay decomposition extract README.md',
    `echo '{"id": 1, "text": "Rain causes floods."}' | assay decomposition extract --batch -`,
    'assay decomposition extract --golden golden --out outputs',
    'assay decomposition extract --golden golden --out o --extractor llm --model openai/gpt-5-mini',
    'assay decomposition extract a.txt b.txt --out o --extractor command --command "python my.py"',
  ],
  notes: [
    'One text is printed as JSON; several as one line of JSON each, in the order of the input, a failed',
    'one as {"id": …, "error": {"code", "message", "line"}} in its place.',
    'Exit codes: 0 every text was extracted, 2 some failed or have no concept, 3 none was or the command',
    'could not run.',
  ],
  run: async (args, terminal) => {
    const request = await extractRequest(args, terminal);
    const stopping = stopWithReader();
    const place = placeResults(args, terminal, request);
    const { signal } = stopping;
    const { store, now, newId, identity, reportStorageFailure } = openPorts({ values: {} }, terminal);
    const ports = { store, now, newId, identity, reportStorageFailure, signal, progress: place.progress };
    try {
      const extraction = await extractTexts(request, ports);
      place.begin(extraction);
      for await (const result of extraction.results) await place.result(result);
    } catch (error) {
      if (!signal.aborted) throw error;
      return place.stopped();
    } finally {
      stopping.end();
      terminal.progress('');
    }
    return place.end();
  },
});

async function extractRequest(args: ExtractArguments, terminal: Terminal): Promise<ExtractTextsRequest> {
  const { golden } = (await readSettings({ values: {} }, terminal)).config.decomposition;
  const texts = textsOf(args, terminal, golden);
  const { out, repeat } = args.values;
  if (out !== undefined && texts.from === 'batch')
    throw new AssayError('USAGE', '--batch prints lines; --out is for files and --golden');
  return {
    texts,
    repeat,
    extractor: { ...namedExtractor(args, terminal), predicates: golden.predicates },
    ...(out !== undefined && { out: resolve(terminal.cwd, out) }),
    stdin: process.stdin,
  };
}

function textsOf(args: ExtractArguments, { cwd }: Terminal, vocabulary: Vocabulary): Texts {
  const [batch, golden] = [args.values.batch, args.values.golden];
  const asked = [args.positionals.length > 0, batch !== undefined, golden !== undefined];
  if (asked.filter(Boolean).length !== 1) {
    throw new AssayError('USAGE', 'name text files, or --batch, or --golden: one of them', {
      remedy: 'E.g. assay decomposition extract notes.txt; - is standard input.',
    });
  }
  const place = (path: string) => (path === '-' ? path : resolve(cwd, path));
  if (batch !== undefined) return { from: 'batch', path: place(batch) };
  if (golden !== undefined) return { from: 'golden', folder: place(golden), vocabulary };
  return { from: 'files', paths: args.positionals.map(place) };
}

/** Results as they come: one alone as JSON, several as lines, those in files only when one was not written. */
function placeResults(args: ExtractArguments, terminal: Terminal, { repeat, out }: ExtractTextsRequest) {
  let extraction: TextExtraction | undefined;
  const ended = { extracted: 0, failed: 0, empty: 0 };
  const counts = () => extraction?.counts();
  const exitCode = () => (ended.extracted === 0 ? 3 : ended.failed + ended.empty > 0 ? 2 : 0);
  return {
    begin: (begun: TextExtraction) => {
      extraction = begun;
    },
    progress: ({ done, total }: Progress) => terminal.progress(sayExtracting(done, total, counts())),
    result: async (result: ExtractedText) => {
      if ('output' in result) ended.extracted += 1;
      else ended.failed += 1;
      if (result.nothing !== undefined) ended.empty += 1;
      if (out !== undefined) noteFile(result, terminal);
      else if (extraction?.total === 1) printOne(result, terminal);
      else {
        terminal.print(`${escapeJson(JSON.stringify(encodeExtractionLine(result, repeat)))}\n`);
        await waitForDrain(process.stdout);
      }
    },
    stopped: () => {
      terminal.note(sayStopped(ended.extracted, counts()));
      return ended.extracted === 0 ? 3 : 2;
    },
    end: () => {
      const { extractor = '', total } = extraction ?? {};
      const next = extractionNext(args.values.golden, args.values.out);
      const end = { extractor, ...ended, counts: counts(), next };
      terminal.note(sayExtracted({ ...end, ...(total !== undefined && { total }) }));
      return exitCode();
    },
  };
}

/** The only text: its failure is that of the command. */
function printOne(result: ExtractedText, terminal: Terminal): void {
  if ('error' in result) throw result.error;
  terminal.print(`${escapeJson(JSON.stringify(encodeExtraction(result), null, 2))}\n`);
  if (result.nothing !== undefined) terminal.note(sayNothing(result.task.id, result.nothing));
}

/** Of a file only what went wrong with it needs words. */
function noteFile(result: ExtractedText, terminal: Terminal): void {
  const name = result.file ?? result.task.id;
  if ('output' in result && result.nothing === undefined) return;
  terminal.progress('');
  if ('error' in result) terminal.note(sayNotWritten(name, encodeError(result.error)));
  else if (result.nothing !== undefined) terminal.note(sayNothing(name, result.nothing));
}

/** A reader of the results that has gone ends the work as Ctrl-C does. */
function stopWithReader(): Stopping {
  const stopping = stopOnSignal();
  process.stdout.once('error', stopping.stop);
  return {
    ...stopping,
    end: () => {
      stopping.end();
      process.stdout.off('error', stopping.stop);
      // Unread input must not keep the process alive.
      process.stdin.unref?.();
      if (stopping.signal.aborted) process.stdin.destroy();
    },
  };
}
