import { FILTERED_TASK_TYPES } from '../../operations/session/session-request.ts';
import { CONFIG_OPTION, type Option, type Options } from '../command.ts';
import { ALL_OPTION, FORMAT_OPTION } from '../format-options.ts';

/** Where the repositories are that sessions worked in. */
export const REPO_OPTION: Option = {
  type: 'string',
  value: 'DIR',
  doc: 'Repository the sessions worked in (default: found by their folder), or RECORDED=DIR, several with commas',
};

export const OWN_STORE_OPTION: Options = {
  store: {
    type: 'string',
    value: 'PATH',
    doc: 'Where sessions are kept (default: your data folder; in a project with a configuration, the project)',
  },
};

/** What every command that scores sessions takes. */
export const SCORING_OPTIONS: Options = {
  since: {
    type: 'string',
    value: 'TIME',
    doc: 'Only sessions that started since then: 2026-11-01, or 7d, 24h',
  },
  until: {
    type: 'string',
    value: 'TIME',
    doc: 'Only sessions that started before then; of a date, its whole day counts',
  },
  timezone: {
    type: 'string',
    value: 'ZONE',
    doc: 'Whose days count, e.g. Europe/Berlin or UTC (default: that of this machine)',
  },
  agent: { type: 'string', value: 'NAME', doc: 'Only sessions of this agent or source' },
  model: { type: 'string', value: 'NAME', doc: 'Only sessions whose model has this in its name' },
  project: { type: 'string', value: 'NAME', doc: 'Only sessions of this project: its folder or its name' },
  'task-type': { type: 'string', choices: FILTERED_TASK_TYPES, doc: 'Only sessions of this task type' },
  'min-coverage': {
    type: 'string',
    value: '0..1',
    doc: 'Only sessions of which at least this share was measured',
  },
  outcomes: {
    type: 'string',
    value: 'FILE',
    doc: 'What became of the sessions: CSV or JSONL with session_id,outcome',
  },
  'task-types': {
    type: 'string',
    value: 'FILE',
    doc: 'Task types you know better: CSV or JSONL with session_id,task_type',
  },
  intents: { type: 'string', value: 'FILE', doc: 'Kinds of work as learnt by assay sessions intents train' },
  weights: { type: 'string', value: 'FILE', doc: 'Weights made by assay sessions calibrate' },
  baselines: { type: 'string', value: 'FILE', doc: 'Baselines made by assay sessions baselines fit' },
  prices: { type: 'string', value: 'FILE', doc: 'Your own prices, before the shipped ones' },
  repo: REPO_OPTION,
  'no-git': { type: 'boolean', doc: 'Do not ask repositories what became of the work' },
  'from-store': { type: 'boolean', doc: 'Score what the store remembers instead of reading transcripts' },
  fresh: { type: 'boolean', doc: 'Read every file anew, and replace the memory of earlier runs' },
  ...OWN_STORE_OPTION,
  ...CONFIG_OPTION,
};

/** Of `sessions score`, and of `assay` alone, which does the same. */
export const SCORE_OPTIONS: Options = {
  format: FORMAT_OPTION,
  all: ALL_OPTION,
  'no-store': { type: 'boolean', doc: 'Do not keep the scores and facts' },
  ...SCORING_OPTIONS,
};

export const PATHS = { usage: '[PATH…]', max: Number.POSITIVE_INFINITY };
