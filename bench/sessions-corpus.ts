/** Builds corpora for `bench/sessions.ts`: the shared Claude Code transcripts, multiplied under fresh ids. */
import { mkdirSync, openSync, readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export const SHARED = join(import.meta.dirname, '../../shared/data/session/claude-code/sessions');

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

/** Files below `<folder>/projects`, as Claude Code lays them out. Returns how many bytes there are. */
export function buildCorpus(folder: string, atLeastBytes: number): { bytes: number; files: number } {
  const place = join(folder, 'projects', '-bench');
  mkdirSync(place, { recursive: true });
  const all = transcripts();
  let bytes = 0;
  let files = 0;
  for (let copy = 0; bytes < atLeastBytes; copy++) {
    for (const { name, text } of all) {
      const content = Buffer.from(renumbered(text, copy));
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
}

/** Some ten thousand bytes to append: the first lines of a transcript, under ids of their own. */
export function someLines(copy: number): string {
  const { text = '' } = transcripts().find((one) => one.text.length > 100_000) ?? {};
  return `${renumbered(text.slice(0, text.lastIndexOf('\n', 10_000)), 0xf000 + copy)}\n`;
}
