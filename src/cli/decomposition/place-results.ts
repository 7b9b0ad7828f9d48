import { encodeError, encodeExtraction, encodeExtractionLine } from '../../api/encode/extraction-line.ts';
import {
  extractionNext,
  sayExtracted,
  sayExtracting,
  sayNothing,
  sayNotWritten,
  sayStopped,
} from '../../decomposition/documents/extraction-words.ts';
import type {
  ExtractedText,
  ExtractTextsRequest,
  TextExtraction,
} from '../../operations/decomposition/extract-texts.ts';
import type { Progress } from '../../operations/ports.ts';
import { escapeJson } from '../../report/unsafe-text.ts';
import type { Arguments, Terminal } from '../command.ts';
import { textOf } from '../text-of.ts';
import { waitForDrain } from '../wait-for-drain.ts';

/** Results as they come: one alone as JSON, several as lines, those in files only when one was not written. */
export function placeResults(args: Arguments, terminal: Terminal, { repeat, out }: ExtractTextsRequest) {
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
      const next = extractionNext(textOf(args, 'golden'), textOf(args, 'out'));
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
