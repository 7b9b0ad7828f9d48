import { streamScoredReviews, streamScoreRows } from '../../api/encode/workflow/score.ts';
import { scoreReviews } from '../../operations/workflow/score-reviews.ts';
import { scoreDocument } from '../../workflow/documents/score.ts';
import { scoreTable } from '../../workflow/documents/score-metrics.ts';
import { CONFIG_OPTION, type Command, KEEPING_OPTIONS } from '../command.ts';
import { ALL_OPTION, FORMAT_OPTION } from '../format-options.ts';
import { openPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { minimumsOption } from './metric-options.ts';
import { oesOption } from './oes-option.ts';
import { OES_OPTION, REVIEW_OPTIONS } from './options.ts';
import { filesOf, textsOf, toleranceOf, typedOf } from './review-request.ts';

export const command: Command = {
  name: 'workflow score',
  summary: 'Score the runs of a review against a ground truth: what it finds, how well, how steadily',
  positionals: { usage: '[RUN…]', max: Number.POSITIVE_INFINITY },
  options: {
    runs: {
      type: 'string',
      repeatable: true,
      value: 'PATH',
      doc: 'Files or folders with runs; more may follow as plain words',
    },
    ...REVIEW_OPTIONS,
    ...OES_OPTION,
    workflow: {
      type: 'string',
      value: 'NAME',
      doc: 'Score only this workflow; also the name of runs in formats that have none',
    },
    min: {
      type: 'string',
      list: true,
      value: 'KEY=N,…',
      doc: 'Exit with 1 when a metric is below its minimum, e.g. dr=60,precision=0.7; may be repeated',
    },
    format: FORMAT_OPTION,
    all: ALL_OPTION,
    ...KEEPING_OPTIONS,
    ...CONFIG_OPTION,
  },
  examples: [
    'assay workflow score --truth examples/workflow/truth/webhook-relay.yaml --runs examples/workflow/runs/review-1',
    'assay workflow score --truth examples/workflow/truth/webhook-relay.yaml --runs examples/workflow/runs/review-2/*/*.json --documents examples/workflow/documents',
    'assay workflow score --truth examples/workflow/truth/webhook-relay.yaml --runs examples/workflow/runs --workflow review-2 --min dr=60,precision=0.7',
  ],
  run: async (args, terminal) => {
    const request = {
      inputs: { ...filesOf(args, command.name), ...(await toleranceOf(args, terminal)) },
      ...textsOf(args, 'workflow'),
      ...(await oesOption(args, terminal)),
      minimums: await minimumsOption(args, terminal),
    };
    const ports = openPorts(args, terminal);
    try {
      const scored = await scoreReviews(request, ports);
      await printResult(args, terminal, {
        jsonl: () => streamScoreRows(scored.summary),
        csv: () => scoreTable(scored.summary),
        json: () => streamScoredReviews(scored),
        document: () => scoreDocument(scored, typedOf(args, command.options)),
      });
      return scored.verdict.gate.exitCode;
    } finally {
      await ports.close();
    }
  },
};
