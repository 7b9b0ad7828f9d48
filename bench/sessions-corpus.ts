/** Builds corpora for `bench/sessions.ts`: the shared Claude Code transcripts, multiplied under fresh ids. */
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const DATA = join(import.meta.dirname, '../../shared/data/session');
export const SHARED = join(DATA, 'claude-code/sessions');
const RESULTS = join(DATA, 'tau2-bench/gpt-4.1_airline_default_gpt-4.1_1trials.json');

const UUID = /[0-9a-f]{4}([0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/g;
const API_ID = /\b((?:msg|req|toolu)_01)\w{4}/g;

/** Every id of a copy gets the number of the copy in the same place, so that what belongs together stays so. */
function renumbered(text: string, copy: number): string {
  const mark = copy.toString(16).padStart(4, '0');
  return text.replace(UUID, `${mark}$1`).replace(API_ID, `$1${mark}`);
}

function transcripts(): { name: string; text: string }[] {
  return readdirSync(SHARED)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => ({ name: name.slice(-42), text: readFileSync(join(SHARED, name), 'utf8') }));
}

/** A session resumed under a new id: it begins with the lines of another one, with their ids. */
function resumed(text: string, copy: number): string {
  const half = text.indexOf('\n', text.length / 2) + 1;
  return renumbered(text.slice(0, half), copy - 1) + renumbered(text.slice(half), copy);
}

/**
 * Files below `<folder>/projects`, as Claude Code lays them out. Returns how many bytes there are. With `sharing` every
 * second session resumes another one; the files are as many and as long.
 */
export function buildCorpus(
  folder: string,
  atLeastBytes: number,
  { sharing = false } = {},
): { bytes: number; files: number } {
  const place = join(folder, 'projects', '-bench');
  mkdirSync(place, { recursive: true });
  const all = transcripts();
  let bytes = 0;
  let files = 0;
  for (let copy = 0; bytes < atLeastBytes; copy++) {
    for (const { name, text } of all) {
      const isResumed = sharing && copy % 2 === 1;
      const content = Buffer.from(isResumed ? resumed(text, copy) : renumbered(text, copy));
      writeFileSync(join(place, renumbered(name, copy)), content);
      bytes += content.length;
      files += 1;
    }
  }
  return { bytes, files };
}

/** One transcript of about this size: all of them, one after the other, as one long session. */
export function buildFile(path: string, atLeastBytes: number): void {
  const all = transcripts();
  const session = '00000000-0000-4000-8000-000000000000';
  const file = openSync(path, 'w');
  let bytes = 0;
  for (let copy = 0; bytes < atLeastBytes; copy++) {
    for (const { text } of all) {
      if (bytes >= atLeastBytes) break;
      const own = renumbered(text, copy).replace(/"sessionId":"[^"]*"/g, `"sessionId":"${session}"`);
      bytes += writeSync(file, own);
    }
  }
  closeSync(file);
}

/** The lines of a small session, in the neutral format. */
function smallSession(i: number): string[] {
  const session_id = `session-${String(i).padStart(7, '0')}`;
  const timestamp = new Date(Date.UTC(2026, 0, 1) + 60_000 * i).toISOString();
  const records = [
    { type: 'session', session_id, timestamp, agent: 'bot' },
    { type: 'user', session_id, timestamp, text: 'Please fix the failing test in src/a.ts' },
    {
      type: 'assistant',
      session_id,
      timestamp,
      model: 'claude-sonnet-4-5',
      text: 'The test passes now: the fix is in a.ts.',
      tokens: { input: 1000, output: 20 },
    },
  ];
  return records.map((record) => `${JSON.stringify(record)}\n`);
}

/** One file with this many small sessions, one after the other. */
export function buildManySessions(path: string, sessions: number): void {
  const file = openSync(path, 'w');
  for (let i = 0; i < sessions; i++) writeSync(file, smallSession(i).join(''));
  closeSync(file);
}

/** The same, but all take turns: after a first whole one, the first lines of all, then their second lines, and so on. */
export function buildInterleaved(path: string, sessions: number): void {
  const file = openSync(path, 'w');
  const first = smallSession(0);
  writeSync(file, first.join(''));
  for (const turn of first.keys())
    for (let i = 1; i < sessions; i++) writeSync(file, smallSession(i)[turn] ?? '');
  closeSync(file);
}

/** The same in files of their own. */
export function buildTinyFiles(folder: string, sessions: number): void {
  mkdirSync(folder, { recursive: true });
  for (let i = 0; i < sessions; i++) writeFileSync(join(folder, `${i}.jsonl`), smallSession(i).join(''));
}

/** A result file of tau2-bench of about this size: the runs of a shared one again and again. */
export function buildResults(path: string, atLeastBytes: number): { runs: number } {
  const { simulations, ...head } = JSON.parse(readFileSync(RESULTS, 'utf8')) as {
    simulations: { id: string }[];
  };
  const file = openSync(path, 'w');
  let bytes = writeSync(file, `${JSON.stringify(head).slice(0, -1)},"simulations":[`);
  let runs = 0;
  while (bytes < atLeastBytes) {
    for (const run of simulations) {
      const text = JSON.stringify({ ...run, id: `${run.id.slice(0, 20)}-${runs}` });
      bytes += writeSync(file, runs === 0 ? text : `,${text}`);
      runs += 1;
    }
  }
  writeSync(file, ']}');
  closeSync(file);
  return { runs };
}

/** Some ten thousand bytes to append: the first lines of a transcript, under ids of their own. */
export function someLines(copy: number): string {
  const { text = '' } = transcripts().find((one) => one.text.length > 100_000) ?? {};
  return `${renumbered(text.slice(0, text.lastIndexOf('\n', 10_000)), 0xf000 + copy)}\n`;
}
