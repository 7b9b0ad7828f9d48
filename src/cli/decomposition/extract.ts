import { extractTexts } from '../../operations/decomposition/extract-texts.ts';
import type { Command } from '../command.ts';
import { openPorts } from '../open-ports.ts';
import { extractRequest } from './extract-request.ts';
import { EXTRACTOR_OPTIONS } from './extractor-options.ts';
import { placeResults } from './place-results.ts';
import { stopWithReader } from './stop-with-reader.ts';

export const command: Command = {
  name: 'decomposition extract',
  summary: 'Extract concepts and relationships from texts, with a model, a program or offline',
  positionals: { usage: '[FILE…]', max: Number.POSITIVE_INFINITY },
  options: {
    batch: {
      type: 'string',
      value: 'FILE',
      doc: 'Lines {"id": …, "text": …} instead of files; - is standard input',
    },
    golden: { type: 'string', value: 'DIR', doc: 'The texts of the golden cases of a folder' },
    out: { type: 'string', value: 'DIR', doc: 'Write <name>.json there, with --repeat <name>.<n>.json' },
    repeat: { type: 'string', value: 'N', default: '1', doc: 'Extract each text N times, each anew' },
    ...EXTRACTOR_OPTIONS,
  },
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
    const { store, now, newId, identity, notKept } = openPorts(args, terminal);
    const ports = { store, now, newId, identity, notKept, signal, progress: place.progress };
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
};
