import { appendFileSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LiveTranscripts } from './live-transcripts.ts';

const LINES = 'test/fixtures/session/claude-code-turns/5f0c.jsonl';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-live-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A session in one document, which is read whole. */
const document = (turns: number) =>
  JSON.stringify({
    messages: Array.from({ length: turns }, (_, i) => ({
      role: i % 2 === 0 ? 'user' : 'assistant',
      content: `turn ${i}`,
    })),
  });

describe('a file that is read whole', () => {
  it('rests after each reading, twenty times as long as that took, unless somebody waits for it', async () => {
    const path = join(newFolder(), 'one.json');
    writeFileSync(path, document(2));
    let time = 0;
    // Each look at the clock is half a second later: a reading takes that long.
    const clock = () => (time += 500);
    const transcripts = new LiveTranscripts({ clock });
    await transcripts.begin([path]);
    writeFileSync(path, document(4));
    const { changed, later } = await transcripts.update([path]);
    expect(changed).toEqual([]);
    expect(later.get(path)).toBeGreaterThan(5000);
    time += 20_000;
    expect((await transcripts.update([path])).changed).toEqual([path]);
    writeFileSync(path, document(6));
    expect((await transcripts.update([path])).changed).toEqual([]);
    expect((await transcripts.update([path], { now: new Set([path]) })).changed).toEqual([path]);
  });

  it('keeps no growing file waiting', async () => {
    const path = join(newFolder(), 'one.jsonl');
    copyFileSync(LINES, path);
    let time = 0;
    const transcripts = new LiveTranscripts({ clock: () => (time += 500) });
    await transcripts.begin([path]);
    for (let i = 0; i < 3; i += 1) {
      appendFileSync(path, '{"type":"summary"}\n');
      expect((await transcripts.update([path])).changed).toEqual([path]);
    }
  });
});

describe('many growing files', () => {
  it('are remembered up to a number, and the others are read whole with the same result', async () => {
    const folder = newFolder();
    const paths = Array.from({ length: 6 }, (_, i) => join(folder, `${i}.jsonl`));
    for (const path of paths) copyFileSync(LINES, path);
    const few = new LiveTranscripts({ mostGoing: 2 });
    const all = new LiveTranscripts();
    for (const transcripts of [few, all]) await transcripts.begin(paths);
    for (const path of paths) {
      appendFileSync(path, '{"type":"user","uuid":"later","message":{"role":"user","content":"And?"}}\n');
      for (const transcripts of [few, all])
        expect((await transcripts.update([path], { now: new Set([path]) })).changed).toEqual([path]);
    }
    expect(await few.related(paths)).toEqual(
      (await all.related(paths)).map((file) => expect.objectContaining({ sessions: file.sessions })),
    );
  });
});
