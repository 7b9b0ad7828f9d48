/**
 * Files whose records are parts of the same sessions, read as if they were one file: lines of the second one are counted on
 * from the end of the first. A record that stands in several of them counts once.
 */
import type { FilePart, SessionFacts } from '../../evidence.ts';
import { hashKey } from '../duplicates/entry-keys.ts';
import { nameOfFile } from '../files/name-by-file.ts';
import type { LoadedFormat } from '../formats/format.ts';
import { readFile } from './read-file.ts';
import { emptyTally } from './tally.ts';
import { Transcript } from './transcript.ts';

export async function readTogether(
  paths: readonly string[],
  format: LoadedFormat,
): Promise<{ readonly sessions: readonly SessionFacts[]; readonly parts: readonly FilePart[] }> {
  const [owner = ''] = paths;
  const whole = new Transcript({ format, path: owner, tally: emptyTally(), name: nameOfFile(owner) });
  const parts: FilePart[] = [];
  const seen = new Set<number>();
  let after = 0;
  let last = 0;
  for (const path of paths) {
    if (path !== owner) parts.push({ path, after });
    const offset = after;
    const own: number[] = [];
    const passOn: LoadedFormat = {
      ...format,
      detect: () => true,
      entryKeys: undefined,
      alongside: undefined,
      step: (_state, record, line) => {
        last = offset + line;
        const hash = hashKey(JSON.stringify(record));
        own.push(hash);
        if (!seen.has(hash)) whole.tryTake(record, last);
        return undefined;
      },
      finish: () => {},
    };
    await readFile(path, { formats: [passOn] });
    for (const hash of own) seen.add(hash);
    after = last;
  }
  return { sessions: whole.finish(Math.max(1, last)), parts };
}
