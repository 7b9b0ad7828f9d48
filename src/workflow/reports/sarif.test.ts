import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readRuns } from '../ingest/collect-runs.ts';
import type { Finding } from '../review.ts';
import { armOf, placeOf, truthIn } from '../testing/arms.ts';
import type { ExaminedArm } from './error-matrix.ts';
import { messageText, RESULTS_PER_RUN, sarifExport } from './sarif.ts';

/** What SARIF 2.1.0 and GitHub code scanning ask of the parts that are written; anything else is refused. */
const text = z.strictObject({ text: z.string().min(1).max(2000) });
const short = z.strictObject({ text: z.string().min(1).max(1024) });
const LOG = z.strictObject({
  $schema: z.url(),
  version: z.literal('2.1.0'),
  runs: z
    .array(
      z.strictObject({
        tool: z.strictObject({
          driver: z.strictObject({
            name: z.string().min(1),
            rules: z
              .array(
                z.strictObject({
                  id: z.string().min(1),
                  name: z.string().min(1).max(255),
                  shortDescription: short,
                  fullDescription: short,
                  help: text,
                  defaultConfiguration: z.strictObject({
                    level: z.enum(['error', 'warning', 'note', 'none']),
                  }),
                  properties: z.strictObject({ tags: z.array(z.string()).max(10) }),
                }),
              )
              .max(25_000),
          }),
        }),
        automationDetails: z.strictObject({ id: z.string().regex(/^[^/]+\/$/) }),
        columnKind: z.enum(['utf16CodeUnits', 'unicodeCodePoints']),
        results: z
          .array(
            z.strictObject({
              ruleId: z.string().min(1),
              ruleIndex: z.int().min(0),
              kind: z.literal('fail'),
              level: z.enum(['error', 'warning', 'note']),
              message: text,
              locations: z
                .array(
                  z.strictObject({
                    physicalLocation: z.strictObject({
                      artifactLocation: z.strictObject({ uri: z.string().regex(/^[^:]+$/) }),
                      region: z
                        .strictObject({
                          startLine: z.int().min(1),
                          endLine: z.int().min(1),
                          snippet: z.strictObject({ text: z.string() }).optional(),
                        })
                        .refine(({ startLine, endLine }) => startLine <= endLine)
                        .optional(),
                    }),
                    logicalLocations: z.array(z.strictObject({ fullyQualifiedName: z.string() })).optional(),
                  }),
                )
                .min(1)
                .max(100),
              partialFingerprints: z.strictObject({ 'assayFinding/v1': z.string().regex(/^[0-9a-f]{32}$/) }),
              occurrenceCount: z.int().min(1),
              properties: z.record(z.string(), z.unknown()),
            }),
          )
          .max(5000),
        properties: z.record(z.string(), z.unknown()),
      }),
    )
    .max(20),
});

const logOf = (arm: ExaminedArm, limit?: number) => {
  const { log, ...counts } = sarifExport([arm], limit);
  const [run] = LOG.parse(JSON.parse(JSON.stringify(log))).runs;
  if (run === undefined) throw new Error('no run');
  for (const { ruleId, ruleIndex } of run.results) expect(run.tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
  return { ...counts, run, results: run.results };
};

const truth = truthIn('T1', [
  { category: 'SECURE', severity: 'CRITICAL' },
  { category: 'EDGE', severity: 'IMPORTANT' },
  { category: 'EDGE', severity: 'MINOR' },
]);
const bonus: Partial<Finding> = {
  title: 'nobody expected this',
  category: 'PERF',
  severity: 'IMPORTANT',
  file: 'src/other.ts',
  lines: [7, 7],
  quote: 'a line of the other file',
  labels: [{ match: 'BONUS_VALID', by: 'ada' }],
};

describe('SARIF of confirmed findings', () => {
  it('holds what more than half of the runs have, and nothing else', () => {
    // E1 in 3 of 3 runs, E2 in 1, E3 in 2, the bonus in 2, an unresolved one in all.
    const unclear = { title: 'unclear', file: 'src/third.ts' };
    const { results, run } = logOf(
      armOf('v1', truth, [
        [1, 2, bonus, unclear],
        [1, 3, unclear],
        [1, 3, bonus, unclear],
      ]),
    );
    expect(
      results.map(({ ruleId, level, occurrenceCount, properties }) => [
        ruleId,
        level,
        occurrenceCount,
        properties.error,
      ]),
    ).toEqual([
      ['SECURE', 'error', 3, 'E1'],
      ['PERF', 'warning', 2, undefined],
      ['EDGE', 'note', 2, 'E3'],
    ]);
    expect(run).toMatchObject({
      tool: { driver: { name: 'v1', rules: [{ id: 'EDGE' }, { id: 'PERF' }, { id: 'SECURE' }] } },
      automationDetails: { id: 'T1/' },
      properties: { truth_hash: 'hash of T1', matcher_version: 'workflow-4', review_runs: 3 },
    });
  });

  it('leaves out what exactly half of the runs have, and everything of a single run', () => {
    expect(logOf(armOf('v1', truth, [[1], []])).results).toEqual([]);
    expect(logOf(armOf('v1', truth, [[1]])).results).toEqual([]);
  });

  it('has the same fingerprints in other runs, in another order and after lines have moved', () => {
    const moved = truthIn(
      'T1',
      truth.errors.map((error, i) => ({ ...error, locations: [placeOf(i + 40)] })),
    );
    const print = ({ results }: ReturnType<typeof logOf>) =>
      results.map(({ ruleId, partialFingerprints }) => [ruleId, partialFingerprints['assayFinding/v1']]);
    const before = logOf(
      armOf('v1', truth, [
        [1, 2, bonus],
        [1, 2, bonus],
      ]),
    );
    const after = logOf(
      armOf('v1', moved, [
        [
          { ...bonus, lines: [99, 101] },
          { title: 'other words', ...placeOf(41) },
          { title: 'x', ...placeOf(40) },
        ],
        [
          { title: 'again others', ...placeOf(40) },
          { ...bonus, lines: [98, 98] },
          { title: 'y', ...placeOf(41) },
        ],
      ]),
    );
    expect(print(after)).toEqual(print(before));
    expect(new Set(print(before).map(([, hash]) => hash)).size).toBe(3);
    expect(after.results[0]?.locations[0]?.physicalLocation.region?.startLine).not.toBe(
      before.results[0]?.locations[0]?.physicalLocation.region?.startLine,
    );
  });

  it('points where the error is when the finding itself names no lines', () => {
    const vague: Partial<Finding> = {
      title: 'somewhere in there',
      file: 'src/app.ts',
      labels: [{ match: 'Y', error: 'E1', by: 'ada' }],
    };
    const { results } = logOf(armOf('v1', truth, [[vague], [vague]]));
    expect(results[0]?.locations).toEqual([
      {
        physicalLocation: {
          artifactLocation: { uri: 'src/app.ts' },
          region: { startLine: 20, endLine: 22 },
        },
      },
    ]);
  });

  it('leaves out what names no file, and says how many', () => {
    const nowhere = truthIn('T1', [{ category: 'EDGE', locations: [{ section: '2 Goals' }] }]);
    const vague: Partial<Finding> = {
      title: 'in the goals',
      section: '2 Goals',
      labels: [{ match: 'Y', error: 'E1', by: 'ada' }],
    };
    expect(logOf(armOf('v1', nowhere, [[vague], [vague]]))).toMatchObject({ results: [], withoutFile: 1 });
  });

  it('keeps hostile text harmless: no controls, links, placeholders or schemes', () => {
    const hostile: Partial<Finding> = {
      ...bonus,
      title: '<script>alert(1)</script>\u202e [click](javascript:alert(1)) {0} \u001b[2J',
      file: 'javascript:alert(1)/\u202efile name.ts',
      category: `X${'y'.repeat(400)}`,
      quote: 'quoted\u0000text that is long enough',
      description: 'd'.repeat(40_000),
    };
    const { results } = logOf(armOf('v1', truth, [[hostile], [hostile]]));
    const [result] = results;
    const [title] = result?.message.text.split('\n') ?? [];
    expect(title).toBe('<script>alert(1)</script> [click] (javascript:alert(1)) { 0} [2J');
    expect(result?.locations[0]?.physicalLocation.artifactLocation.uri).toBe(
      'javascript%3Aalert(1)/%E2%80%AEfile%20name.ts',
    );
    expect(JSON.stringify(results)).not.toMatch(/\\u0000|\\u001b|\u202e/);
  });

  it('stays within the limits: the least severe findings go first', () => {
    const { results, beyondLimit } = logOf(
      armOf('v1', truth, [
        [3, 2, 1],
        [1, 2, 3],
      ]),
      2,
    );
    expect(results.map(({ level }) => level)).toEqual(['error', 'warning']);
    expect(beyondLimit).toBe(1);
    expect(RESULTS_PER_RUN).toBe(5000);
  });

  it('is read back by the reader of SARIF as the same findings', () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-sarif-'));
    try {
      const path = join(folder, 'again.sarif');
      writeFileSync(
        path,
        JSON.stringify(
          sarifExport([
            armOf('v1', truth, [
              [1, 2, bonus],
              [1, 2, bonus],
            ]),
          ]).log,
        ),
      );
      const [run] = readRuns([path], { task: 'T1' });
      expect(run?.workflow).toBe('v1');
      expect(run?.findings).toHaveLength(3);
      for (const expected of [
        { title: 'finding of error 1', category: 'SECURE', severity: 'CRITICAL', ...placeOf(1) },
        { title: 'finding of error 2', category: 'EDGE', severity: 'IMPORTANT', ...placeOf(2) },
        { title: bonus.title, category: 'PERF', file: bonus.file, lines: bonus.lines, quote: bonus.quote },
      ]) {
        expect(run?.findings).toContainEqual(expect.objectContaining(expected));
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

it('is never longer than asked for, never empty, and never broken', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (title, description) => {
      const text = messageText(title, description, 20);
      expect(text.length).toBeLessThanOrEqual(20);
      expect(text.length).toBeGreaterThan(0);
      expect(text.isWellFormed()).toBe(true);
      expect(text).not.toMatch(/\]\(|\{\d+\}|[\p{Cc}--\n]/v);
    }),
  );
});
