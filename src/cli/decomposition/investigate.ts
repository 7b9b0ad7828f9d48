import { encode } from '../../api/wire.ts';
import {
  investigationMarkdown,
  investigationNotes,
  investigationView,
  verificationPlan,
} from '../../decomposition/views/investigation-view.ts';
import { investigate } from '../../operations/decomposition/investigate.ts';
import { ALL_OPTION, CONFIG_OPTION, DOCUMENT_FORMAT_OPTION, defineCommand } from '../command.ts';
import { withPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { readSettings } from '../settings.ts';
import { matchingOf, SOURCE_OPTIONS, STANDARD_OPTIONS, sourceOf, thresholdsOf } from './run-options.ts';

export const command = defineCommand({
  name: 'decomposition investigate',
  summary: 'Why a case fails: what was missed, invented, confused or misquoted, and what to try',
  positionals: { usage: '[CASE]', max: 1 },
  options: {
    format: DOCUMENT_FORMAT_OPTION,
    all: ALL_OPTION,
    ...SOURCE_OPTIONS,
    outputs: {
      type: 'path',
      value: 'PATH[,PATH]',
      doc: 'Recorded outputs, <case>.json or <case>.<n>.json; runs in several folders are combined',
    },
    ...STANDARD_OPTIONS,
    ...CONFIG_OPTION,
  },
  examples: [
    'assay decomposition investigate --outputs outputs',
    'assay decomposition investigate judicial-review --outputs outputs --format markdown --out investigation.md',
    'assay decomposition investigate --outputs run-1,run-2,run-3 --format html --out investigation.html',
  ],
  notes: [
    'Without CASE: every case with something wrong, the worst first. Exit codes: 0 it could investigate,',
    'whatever it found; 3 could not run. It changes and stores nothing.',
  ],
  run: async (args, terminal) => {
    const settings = await readSettings(args, terminal);
    const [caseId] = args.positionals;
    const { golden, prompt } = args.values;
    const request = {
      golden,
      caseId,
      source: sourceOf(args, terminal, settings),
      prompt,
      ...matchingOf(args, settings),
      thresholds: thresholdsOf(args, settings.config),
    };
    const found = await withPorts(args, terminal, (ports) => investigate(request, ports));
    const { given } = args;
    const room = args.values.format === 'html' ? 'page' : 'screen';
    await printResult(args, terminal, {
      document: () => investigationView(found, given, room),
      json: async () =>
        encode((await import('../../api/schema/decomposition.ts')).investigation, {
          ...found,
          cases: found.cases.map((one) => ({ ...one, plan: verificationPlan(one, found.source, given) })),
          notes: investigationNotes(found),
        }),
      markdown: () => investigationMarkdown(found, given),
    });
    return 0;
  },
});
