import { FILTERED_TASK_TYPES } from '../../operations/session/session-request.ts';
import {
  ALL_OPTION,
  CONFIG_OPTION,
  FORMAT_OPTION,
  type Option,
  type Options,
  type SomeArguments,
} from '../command.ts';

/** Where the repositories are that sessions worked in. */
export const REPO_OPTION = {
  type: 'path',
  value: 'DIR',
  doc: 'Repository the sessions worked in (default: found by their folder), or RECORDED=DIR, several with commas',
} as const satisfies Option;

export const OWN_STORE_OPTION = {
  store: {
    type: 'path',
    value: 'PATH',
    doc: 'Where sessions are stored (default: assay.db in your data folder)',
  },
} as const satisfies Options;

/** What every command that scores sessions takes. */
export const SCORING_OPTIONS = {
  since: {
    type: 'time',
    value: 'TIME',
    doc: 'Only sessions that started since then: 2026-11-01, or 7d, 24h',
  },
  until: {
    type: 'time',
    end: true,
    value: 'TIME',
    doc: 'Only sessions that started before then; a date includes that whole day',
  },
  timezone: {
    type: 'timezone',
    value: 'ZONE',
    doc: 'Time zone of days, e.g. Europe/Berlin or UTC (default: that of this machine)',
  },
  agent: { type: 'text', value: 'NAME', doc: 'Only sessions of this agent or source' },
  model: { type: 'text', value: 'NAME', doc: 'Only sessions whose model name contains this' },
  project: { type: 'text', value: 'NAME', doc: 'Only sessions of this project: its folder or its name' },
  'task-type': { type: 'choice', choices: FILTERED_TASK_TYPES, doc: 'Only sessions of this task type' },
  'min-coverage': {
    type: 'number',
    min: 0,
    max: 1,
    value: '0..1',
    doc: 'Only sessions of which at least this share was measured',
  },
  outcomes: {
    type: 'path',
    value: 'FILE',
    doc: 'Outcomes of sessions: CSV or JSONL with session_id,outcome',
  },
  'task-types': {
    type: 'path',
    value: 'FILE',
    doc: 'Task types that override detection: CSV or JSONL with session_id,task_type',
  },
  costs: {
    type: 'path',
    value: 'FILE',
    doc: 'Costs that override those of Assay: CSV or JSONL with session_id,cost_usd',
  },
  intents: { type: 'path', value: 'FILE', doc: 'Task types learned by assay sessions intents train' },
  weights: { type: 'path', value: 'FILE', doc: 'Weights made by assay sessions calibrate' },
  baselines: { type: 'path', value: 'FILE', doc: 'Baselines made by assay sessions baselines fit' },
  prices: { type: 'path', value: 'FILE', doc: 'Your own prices, which override the bundled ones' },
  repo: REPO_OPTION,
  'no-git': { type: 'flag', doc: 'Do not look up outcomes in repositories' },
  'no-sync': { type: 'flag', doc: 'Use only the store, without looking for new transcripts' },
  'no-store': { type: 'flag', doc: 'Use a temporary store that is deleted at the end' },
  fresh: { type: 'flag', doc: 'Read every transcript again, even if it has not changed' },
  ...OWN_STORE_OPTION,
  ...CONFIG_OPTION,
} as const satisfies Options;

/** What such a command was given. */
export type SessionArguments = SomeArguments<typeof SCORING_OPTIONS>;

/** Of `sessions score`, and of `assay` alone, which does the same. */
export const SCORE_OPTIONS = {
  format: FORMAT_OPTION,
  all: ALL_OPTION,
  signals: { type: 'flag', doc: 'Also every signal as a column, in csv, json and jsonl' },
  ...SCORING_OPTIONS,
} as const satisfies Options;

export const PATHS = { usage: '[PATH…]', max: Number.POSITIVE_INFINITY };

/** Options of read-only commands. */
export const LOOKING_OPTIONS = {
  ...SCORING_OPTIONS,
  store: {
    type: 'path',
    value: 'PATH',
    doc: 'Use only this store (default: assay.db in your data folder)',
  },
} as const satisfies Options;
