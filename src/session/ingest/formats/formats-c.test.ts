import { existsSync, globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Format, Sample } from './format.ts';
import { FORMATS_C } from './formats-c.ts';
import { changes, mutated } from './testing/mutate.ts';
import { expectWellFormed, readLines } from './testing/read-events.ts';

type Named = { readonly name: string; readonly detect: (sample: Sample) => boolean };
const FORMATS: readonly Named[] = FORMATS_C;

const FIXTURES: Readonly<Record<string, string>> = {
  'otlp-genai/document.json': 'otlp',
  'otlp-lines/lines.jsonl': 'otlp',
  'openinference-tree/trace.json': 'otlp',
  'tau-bench/tool-calling-gpt-4o-0.0_range_0-3_user-gpt-4o-llm.json': 'tau-bench',
  'tau2-bench/results.json': 'tau2-bench',
  'swe-agent-step-limit/demo__calc-7.traj': 'swe-agent',
  'mini-swe-agent/demo.traj.json': 'swe-agent',
  'openhands-events/trajectory.json': 'openhands',
  'openhands-evaluation/output.jsonl': 'openhands',
};

const NEUTRAL = /```jsonl\n([\s\S]*?)```/.exec(readFileSync('docs/formats/neutral.md', 'utf8'))?.[1] ?? '';

function sampleOf(path: string, text: string): Sample {
  const document = !/\.jsonl$/.test(path);
  const records = document ? [JSON.parse(text)] : text.trim().split('\n').map(parseLine);
  return { records: records.filter((record) => record !== undefined).slice(0, 20), document, path };
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function detected(sample: Sample): string[] {
  return FORMATS.filter((format) => format.detect(sample)).map(({ name }) => name);
}

const samples = [
  ...Object.entries(FIXTURES).map(([file, name]) => {
    const path = `test/fixtures/session/${file}`;
    return { name, sample: sampleOf(path, readFileSync(path, 'utf8')) };
  }),
  { name: 'neutral', sample: sampleOf('neutral.jsonl', NEUTRAL) },
];

describe('detection', () => {
  it.each(samples)('recognises $name and nothing else in $sample.path', ({ name, sample }) => {
    expect(detected(sample)).toEqual([name]);
  });

  it('does not look at the name of the file', () => {
    for (const { name, sample } of samples) expect(detected({ ...sample, path: 'x' })).toEqual([name]);
  });

  it('recognises nothing in empty, odd or foreign records', () => {
    const odd: unknown[] = [[], {}, null, 7, 'text', [[]], [{}], { type: 'user', message: { role: 'user' } }];
    for (const record of odd)
      for (const document of [true, false])
        expect(detected({ records: [record], document, path: 'x' })).toEqual([]);
    expect(detected({ records: [], document: false, path: 'x' })).toEqual([]);
  });

  const others = globSync(
    '../shared/data/session/{claude-code/sessions,format-fixtures,pi}/**/*.{json,jsonl}',
  );
  it.skipIf(!existsSync('../shared/data/session'))('leaves the transcripts of other agents alone', () => {
    expect(others.length).toBeGreaterThan(80);
    const taken = others.flatMap((path) => {
      const names = detected(sampleOf(path, readFileSync(path, 'utf8')));
      return names.length === 0 ? [] : [`${path}: ${names}`];
    });
    expect(taken).toEqual([]);
  });
});

describe.each(samples)('$name, damaged ($sample.path)', { timeout: 120_000 }, ({ name, sample }) => {
  const format = FORMATS_C.find((one) => one.name === name) as unknown as Format<unknown>;
  const elements = sample.document ? [...(format.elements?.(sample.records[0]) ?? [])] : sample.records;

  it('never throws and never makes a malformed event, record by record', () => {
    let count = 0;
    fc.assert(
      fc.property(fc.nat(elements.length - 1), changes, (index, todo) => {
        count += 1;
        const damaged = [
          ...elements.slice(0, index),
          mutated(elements[index], todo),
          ...elements.slice(index + 1),
        ];
        expectWellFormed(readLines(format, damaged, sample.path));
      }),
      { numRuns: 2000 },
    );
    expect(count).toBeGreaterThanOrEqual(2000);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('never throws on a damaged document, nor when it is detected', () => {
    fc.assert(
      fc.property(changes, (todo) => {
        const records = sample.records.map((record) => mutated(record, todo));
        detected({ ...sample, records });
        const parts = sample.document ? [...(format.elements?.(records[0]) ?? [])] : records;
        expectWellFormed(readLines(format, parts, sample.path));
      }),
      { numRuns: 300 },
    );
  });

  it('never throws on what is nested a hundred thousand deep', () => {
    const depth = 100_000;
    const deep: unknown[] = [
      JSON.parse('['.repeat(depth) + ']'.repeat(depth)),
      JSON.parse('{"child_spans":['.repeat(depth) + ']}'.repeat(depth)),
    ];
    const places = [
      'resourceSpans',
      'spans',
      'attributes',
      'history',
      'messages',
      'traj',
      'args',
      'content',
      'text',
    ];
    for (const value of deep) {
      const records = [value, ...places.map((place) => ({ ...(elements[0] as object), [place]: value }))];
      for (const record of records) {
        detected({ ...sample, records: [record] });
        const parts = [...(format.elements?.(record) ?? [])];
        const state = format.start({ path: 'x' });
        for (const part of [record, ...parts]) format.step(state, part, 1, () => {});
      }
    }
  });

  it('never throws on arbitrary JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expectWellFormed(readLines(format, [value, ...(format.elements?.(value) ?? [])], 'x'));
      }),
      { numRuns: 300 },
    );
  });
});
