import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { SessionFacts } from '../../../evidence.ts';
import { readAll } from '../../read-all.ts';
import { tempFolder } from '../../testing/temp-folder.ts';
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

function summaryOf({ sessionId, runs }: SessionFacts) {
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

async function factsIn(files: readonly string[]): Promise<readonly SessionFacts[]> {
  const { sessions } = await readAll(files);
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
  it('count everything once', async () => {
    const whole = await factsIn(files());
    expect(whole).toHaveLength(13);
    const one = { turns: 2, replies: 4, calls: 2, failed: 1, input: 520 };
    expect(whole.map(summaryOf)).toMatchObject(whole.map(() => one));
  });

  it('point to lines of both files', async () => {
    const [first] = await factsIn(files());
    // They are of the file that began first.
    const early = talks.length * 3;
    expect(first?.files).toEqual([{ path: expect.stringMatching(/late\.jsonl$/), after: early }]);
    expect(first?.runs[0]?.firstLine).toBeLessThanOrEqual(early);
    expect(first?.runs[0]?.finalReplyLine).toBeGreaterThan(early);
  });
});

describe('spans and logs of agents over several files that hold both', () => {
  const logs = readFileSync('test/fixtures/session/otlp-logs/claude-code.jsonl', 'utf8').trim().split('\n');
  const lineOf = (span: Span) => JSON.stringify(documentOf([span]));
  const spans = TALK.map(lineOf);
  /** What the agent that logs exports of the same work as spans, too. */
  const itsOwn = TALK.map(lineOf).map((line) =>
    line
      .replaceAll('"library"', '"claude-code"')
      .replaceAll('"talk"', '"told twice"')
      .replaceAll('aaaa', 'dddd'),
  );
  const file = (name: string, ...lines: readonly string[]) => write(name, `${lines.join('\n')}\n`);
  const all = async (...files: readonly string[]) => {
    const { sessions } = await readAll(files);
    return sessions
      .map(({ facts }) => ({ source: facts.source, ...summaryOf(facts), runs: facts.runs.length }))
      .sort((a, b) => (a.sessionId < b.sessionId ? -1 : 1));
  };

  it('are the sessions that one file with all of it has, however it is shared out', async () => {
    expect(logs.length).toBeGreaterThan(1);
    const whole = await all(file('whole.jsonl', ...logs, ...spans));
    expect(whole.map(({ source }) => source)).toEqual(['otlp-logs', 'otlp']);
    const [early, late] = [logs.slice(0, 1), logs.slice(1)];
    expect(
      await all(file('a.jsonl', ...early, ...spans.slice(0, 3)), file('b.jsonl', ...late, ...spans.slice(3))),
    ).toEqual(whole);
    expect(
      await all(
        file('c.jsonl', ...spans.slice(0, 3)),
        file('d.jsonl', ...early, ...spans.slice(3, 5)),
        file('e.jsonl', ...late),
        file('f.jsonl', ...spans.slice(5)),
      ),
    ).toEqual(whole);
  });

  it('leave out the spans of an agent whose logs are in another of the files', async () => {
    const whole = await all(file('one.jsonl', ...logs, ...itsOwn, ...spans));
    expect(whole.map(({ sessionId }) => sessionId)).toEqual(['cc-log-1', 'talk']);
    expect(
      await all(
        file('g.jsonl', ...logs.slice(0, 1), ...spans.slice(0, 3), ...itsOwn.slice(3)),
        file('h.jsonl', ...logs.slice(1), ...spans.slice(3), ...itsOwn.slice(0, 3)),
      ),
    ).toEqual(whole);
  });
});
