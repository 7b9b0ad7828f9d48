/**
 * How often a correction that is found is one, and how often one that a reader saw is found, over real conversations.
 * The labels hold ids and lines, no text; they were given by reading before the rules that they judge were written.
 */
import { existsSync, readFileSync } from 'node:fs';
import type { Event } from '../../src/session/event.ts';
import { startFold, step } from '../../src/session/fold/fold.ts';
import type { FoldState } from '../../src/session/fold/state.ts';
import { claudeCodeAdapter } from '../../src/session/ingest/formats/claude-code/adapter.ts';
import type { Adapter } from '../../src/session/ingest/formats/format.ts';
import { geminiAdapter } from '../../src/session/ingest/formats/gemini.ts';
import { piAdapter } from '../../src/session/ingest/formats/pi.ts';
import { tau2Adapter, tauAdapter } from '../../src/session/ingest/formats/tau-bench.ts';
import { shareInterval } from '../../src/stats/intervals.ts';

export const DATA = '../shared/data/session';
const LABELS = 'test/fixtures/session/corrections';
const ADAPTERS: Readonly<Record<string, Adapter>> = {
  'claude-code': claudeCodeAdapter,
  pi: piAdapter,
  'tau-bench': tauAdapter,
  'tau2-bench': tau2Adapter,
};

/** What the person did: forbade a call, stopped the agent, said so, brought a failure back, asked the same again, or made it admit a fault. */
export type How = 'denied' | 'interrupted' | 'said' | 'failed' | 'again' | 'admitted';
type Correction = {
  /** One correction can show in several lines: the denial, the interruption and what was said after it. */
  readonly lines: readonly number[];
  readonly how: How;
  /** False: a reader could well say that it is none. */
  readonly sure?: boolean;
};
type Label = {
  readonly file: string;
  /** The session, in files that hold several. */
  readonly session?: string;
  /** Every turn was read, so that what is not a correction here is none. Otherwise only what was found had been read. */
  readonly whole: boolean;
  readonly corrections: readonly Correction[];
  /** Lines that were read and are none, in sessions that were not read whole. */
  readonly none?: readonly number[];
};

type Found = { readonly line: number; readonly right: boolean | undefined };
type Known = { readonly how: How; readonly sure: boolean; readonly found: boolean };
export type Judged = {
  readonly source: string;
  readonly cluster: string;
  readonly whole: boolean;
  readonly found: readonly Found[];
  readonly known: readonly Known[];
};

/** `labels`: sessions that were read while rules were written; `unread`: half of them, read again by somebody else, and others. */
type Reading = 'labels' | 'unread';

/** Nothing where the data are not there. */
export function judgeCorrections(reading: Reading): Judged[] {
  if (!existsSync(DATA)) return [];
  const labels = JSON.parse(readFileSync(`${LABELS}/${reading}.json`, 'utf8')) as Label[];
  const files = Map.groupBy(labels, ({ file }) => file);
  return [...files].flatMap(([file, own]) => {
    const lines = correctionsIn(file);
    return own.map((label) => judge(label, lines.get(label.session ?? '') ?? []));
  });
}

function judge(label: Label, lines: readonly number[]): Judged {
  const taken = new Set<Correction>();
  const found = lines.map((line): Found => {
    const hit = label.corrections.find((one) => one.lines.includes(line) && !taken.has(one));
    if (hit !== undefined) taken.add(hit);
    const read = label.whole || label.none?.includes(line) === true;
    return { line, right: hit !== undefined ? true : read ? false : undefined };
  });
  return {
    source: label.file.split('/')[0] ?? '',
    cluster: `${label.file} ${label.session ?? ''}`,
    whole: label.whole,
    found,
    known: label.corrections.map((one) => ({
      how: one.how,
      sure: one.sure !== false,
      found: taken.has(one),
    })),
  };
}

/** Lines of the corrections that are counted, by session; '' for files that are one session. */
function correctionsIn(file: string): Map<string, number[]> {
  const folds = new Map<string, FoldState>();
  const heard = new Map<string, number>();
  const found = new Map<string, number[]>();
  const [source = '', name = ''] = file.split('/');
  const path = `${DATA}/${source}/${source === 'claude-code' ? 'sessions/' : ''}${name}`;
  const adapter = name.endsWith('.gemini.json') ? geminiAdapter : ADAPTERS[source];
  if (adapter === undefined) throw new Error(`no format for ${file}`);
  read(path, adapter, (event, session) => {
    const id = source.startsWith('tau') ? session : '';
    const fold = folds.get(session) ?? startFold(source);
    folds.set(session, fold);
    const before = count(fold);
    step(fold, event);
    if (event.kind === 'user') heard.set(session, event.line);
    if (count(fold) === before) return;
    const lines = found.get(id) ?? [];
    // What the agent admits, by words or by mending it, was said in the message before.
    const isAdmitted = event.kind === 'reply' || (event.kind === 'result' && event.denied !== true);
    lines.push(isAdmitted ? (heard.get(session) ?? event.line) : event.line);
    found.set(id, lines);
  });
  return found;
}

const count = (fold: FoldState) => fold.runs.reduce((total, run) => total + run.corrections, 0);

function read(path: string, adapter: Adapter, take: (event: Event, session: string) => void): void {
  const state = adapter.start({ path });
  const text = readFileSync(path, 'utf8');
  const records = path.endsWith('.jsonl')
    ? text.split('\n').map((line) => (line === '' ? undefined : JSON.parse(line)))
    : (adapter.elements?.(JSON.parse(text), { path }) ?? []);
  let line = 0;
  for (const record of records) {
    line += 1;
    if (record !== undefined)
      adapter.step(state, record, line, (event, session = '') => take(event, session));
  }
}

export type Share = {
  readonly yes: number;
  readonly of: number;
  readonly low?: number;
  readonly high?: number;
};

/** The interval is over sessions: corrections of one conversation resemble each other. */
function share(values: readonly (readonly [cluster: string, yes: boolean])[]): Share {
  const yes = values.filter(([, right]) => right).length;
  const interval = shareInterval(
    values.map(([, right]) => (right ? 1 : 0)),
    { clusters: values.map(([cluster]) => cluster) },
  );
  return { yes, of: values.length, ...interval };
}

/** Of what is found, how much is a correction. Findings in turns that nobody read are left out. */
export function precisionOf(judged: readonly Judged[]): Share {
  return share(
    judged.flatMap(({ cluster, found }) =>
      found.flatMap(({ right }) => (right === undefined ? [] : [[cluster, right] as const])),
    ),
  );
}

/** Of the corrections in sessions that were read whole, how many are found. */
export function recallOf(judged: readonly Judged[], only: (one: Known) => boolean = () => true): Share {
  return share(
    judged
      .filter(({ whole }) => whole)
      .flatMap(({ cluster, known }) => known.filter(only).map(({ found }) => [cluster, found] as const)),
  );
}

/** The signal is 1, 0.5 or 0.2: in how many sessions read whole it is what the reader would give. */
export function agreementOf(judged: readonly Judged[]): Share {
  const level = (corrections: number) => Math.min(2, corrections);
  return share(
    judged
      .filter(({ whole }) => whole)
      .map(({ cluster, found, known }) => [cluster, level(found.length) === level(known.length)] as const),
  );
}
