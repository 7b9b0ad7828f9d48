import { describe, expect, it } from 'vitest';
import type { SessionFacts } from '../../../evidence.ts';
import { readAll } from '../../read-all.ts';
import { tempFolder } from '../../testing/temp-folder.ts';
import type { LoadedFormat } from '../format.ts';
import { readJointly } from '../joint-reading.ts';
import { loadFormats } from '../load-formats.ts';
import { otlpSpans } from './adapter.ts';
import { CONVENTIONS, documentOf, type Span, talkIn } from './testing/talk.ts';

const { write } = tempFolder();
const [convention] = Object.values(CONVENTIONS);
const TALK = convention === undefined ? [] : talkIn(convention);

/** The same talk again, under another name and in another trace. */
function talk(index: number): Span[] {
  const text = JSON.stringify(TALK).replaceAll('"talk"', `"talk ${index}"`);
  const spans = JSON.parse(text) as Span[];
  const trace = index.toString(16).padStart(32, 'c');
  return spans.map((span) => ({ ...span, traceId: trace }));
}

function told({ sessionId, runs }: SessionFacts) {
  const sum = (count: (run: SessionFacts['runs'][number]) => number) =>
    runs.reduce((total, run) => total + count(run), 0);
  return {
    sessionId,
    turns: sum((run) => run.turns),
    replies: sum((run) => run.replies),
    calls: sum((run) => run.tools.calls),
    failed: sum((run) => run.tools.failed),
    input: sum((run) => run.models.reduce((all, { usage }) => all + usage.input, 0)),
  };
}

async function readWith(most: number, files: readonly string[]): Promise<readonly SessionFacts[]> {
  const formats = (await loadFormats()).map(
    (format): LoadedFormat =>
      format.name === 'otlp'
        ? { ...format, weighCopies: (one) => readJointly(one, otlpSpans, most) }
        : format,
  );
  const { sessions } = await readAll(files, { formats });
  return sessions.map(({ facts }) => facts).sort((a, b) => (a.sessionId < b.sessionId ? -1 : 1));
}

describe('conversations over two files', () => {
  const talks = Array.from({ length: 12 }, (_, index) => talk(index + 10));
  const linesOf = (spans: readonly Span[]) => spans.map((span) => `${JSON.stringify(documentOf([span]))}\n`);
  const files = () => [
    write('early.jsonl', talks.flatMap((spans) => linesOf(spans.slice(0, 3))).join('')),
    write(
      'late.jsonl',
      [...talks.flatMap((spans) => linesOf(spans.slice(3))), ...linesOf(talk(99))].join(''),
    ),
  ];
  const weight = JSON.stringify(TALK).length;

  it('are the same, whether all of it is kept at once or some at a time', async () => {
    const whole = await readWith(1e9, files());
    expect(whole).toHaveLength(13);
    const one = { turns: 2, replies: 4, calls: 2, failed: 1, input: 520 };
    expect(whole.map(told)).toMatchObject(whole.map(() => one));
    expect((await readWith(3 * weight, files())).map(told)).toEqual(whole.map(told));
  });

  it('count everything once where one is more than is kept at once, file after file', async () => {
    const whole = await readWith(1e9, files());
    expect((await readWith(100, files())).map(told)).toEqual(whole.map(told));
  });

  it('point to lines of both files', async () => {
    const [first] = await readWith(1e9, files());
    // The file with more of them is the one they are of.
    const late = talks.reduce((sum, spans) => sum + spans.length - 3, TALK.length);
    expect(first?.files).toEqual([{ path: expect.stringMatching(/early\.jsonl$/), after: late }]);
    expect(first?.runs[0]?.firstLine).toBeGreaterThan(late);
    expect(first?.runs[0]?.finalReplyLine).toBeLessThanOrEqual(late);
  });
});
