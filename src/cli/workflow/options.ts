/** The options that the commands on reviews have in common. */
import { CHOICES } from '../../operations/workflow/choices.ts';
import type { Options } from '../command.ts';

export const LINE_TOLERANCE_OPTION: Options = {
  'line-tolerance': {
    type: 'string',
    value: 'N',
    doc: `Lines beside an error that still count in part (default: workflow.lineTolerance, ${CHOICES.lineTolerance})`,
  },
};

export const REVIEW_OPTIONS: Options = {
  truth: {
    type: 'string',
    value: 'FILE',
    doc: 'The ground truth: JSON, YAML, Markdown, or what another tool writes',
  },
  documents: { type: 'string', value: 'DIR', doc: 'The reviewed documents; quotes are looked up in them' },
  mapping: { type: 'string', value: 'FILE', doc: 'Severities and categories of other tools (JSON or YAML)' },
  ...LINE_TOLERANCE_OPTION,
};

export const OES_OPTION: Options = {
  oes: {
    type: 'string',
    value: 'PARTS',
    doc: `The parts of the overall effectiveness, e.g. wds,precision, or with weights of yours: wds=0.6,precision=0.4 (default: ${CHOICES.oesComponents.join(',')})`,
  },
};

export const ARMS_USAGE = '[EXPERIMENT | RUN…]';

export const ARMS_OPTIONS: Options = {
  experiment: { type: 'string', value: 'PATH', doc: 'An experiment; also as a plain word without --truth' },
  runs: {
    type: 'string',
    value: 'PATH',
    doc: 'With --truth: files or folders with runs; more may follow as plain words',
  },
  ...REVIEW_OPTIONS,
  workflow: {
    type: 'string',
    value: 'NAME',
    doc: 'Only this workflow; also the name of runs in formats that have none',
  },
};

/** What is missing where a ground truth or runs are. */
export const TRUTH_AND_RUNS =
  'E.g. --truth truth/relay.yaml --runs runs/; assay workflow new drafts a ground truth from a review.';
