import { describe, expect, it } from 'vitest';
import { decompositionMetrics } from '../catalog.ts';
import { examineTrials } from '../ingest/collect-cases.ts';
import { goldenCaseSchema } from '../ingest/golden-case.ts';
import { parseOutput } from '../ingest/output.ts';

const TEXT =
  'Invoice 4711 of 5 March 2026 from Alder & Sons: two pumps and a valve, EUR 1,234.50, due in 30 days, not paid yet.';

const golden = goldenCaseSchema.parse({
  id: 'invoice',
  topic: 'An invoice',
  domain: 'economic',
  version: '1.0',
  created: '2026-11-19',
  sourceText: TEXT,
  expectedConcepts: [],
  expectedRelationships: [],
  fields: [
    { name: 'number', type: 'text', value: '4711' },
    { name: 'date', type: 'date', value: '2026-03-05' },
    { name: 'total', type: 'money', value: 'EUR 1234.50', tolerance: 0.01 },
    { name: 'due in days', type: 'number', value: 30 },
    { name: 'status', type: 'enum', value: 'open', values: ['open', 'paid'] },
    { name: 'items', type: 'list', value: ['pump', 'pump', 'valve'], required: false },
  ],
});

async function measured(output: object) {
  const examined = await examineTrials(golden, [parseOutput(output, 'output')]);
  if ('error' in examined) throw new Error(examined.error);
  const value = (name: string) => {
    const found = decompositionMetrics()
      .find(({ id }) => id === `decomposition/field-${name}`)
      ?.compute([examined.evidence]);
    return found?.measured ? found.value : undefined;
  };
  return {
    precision: value('precision'),
    recall: value('recall'),
    exactness: value('exactness'),
    provenance: value('provenance'),
    notes: examined.notes,
  };
}

describe('fields', () => {
  it('are compared as their type asks: 6 of 8 values, of which 3 literally', async () => {
    const found = await measured({
      fields: {
        number: '4711',
        date: { value: '5 March 2026', sourceQuote: 'Invoice 4711 of 5 March 2026' },
        total: { value: '€1.234,50', sourceQuote: 'EUR 9,999.00 in all' },
        'Due in days': 31,
        status: 'Open',
        items: ['pump', 'valve', 'hose'],
      },
    });
    // Right: number, date, total, status, pump, valve; extracted: 8; expected: 8.
    expect(found).toMatchObject({ precision: 6 / 8, recall: 6 / 8, exactness: 3 / 6, provenance: 1 / 6 });
    expect(found.notes).toEqual([
      'fields: due in days is 31, not 30, items is pump; valve; hose, not pump; pump; valve',
    ]);
  });

  it('that nobody asked for, and names said twice, count against precision', async () => {
    const found = await measured({
      fields: [
        { name: 'number', value: 4711 },
        { name: 'Number', value: '4712' },
        { name: 'iban', value: 'XX00' },
      ],
    });
    expect(found).toMatchObject({ precision: 1 / 3, recall: 1 / 8 });
  });

  it('that are missing altogether are a failure, and a case without fields measures none', async () => {
    expect(await measured({ concepts: [], relationships: [] })).toMatchObject({ precision: 0, recall: 0 });
    const { fields: _, ...graph } = golden;
    const examined = await examineTrials(graph, [parseOutput({ fields: { number: '4711' } }, 'output')]);
    if ('error' in examined) throw new Error(examined.error);
    for (const { id, compute } of decompositionMetrics().filter(({ onlyWhereMeasured }) => onlyWhereMeasured))
      expect(compute([examined.evidence]).measured, id).toBe(false);
  });

  it.each([
    ['money', 'USD 5', 'EUR 5', 0],
    ['money', '$1,200', '1200.00 usd', 1],
    ['number', 1234.5, '1.234,5', 1],
    ['number', '1,234', 1234, 1],
    ['number', 0.5, '0.54', 0],
    ['date', '2026-03-05', 'March 5th, 2026', 1],
    ['date', '2026-03-05', '05.03.2026', 1],
    ['date', '2026-03-05', '2026-13-05', 0],
    ['text', 'Alder & Sons', 'alder and sons', 1],
  ] as const)('a %s of %s is said by %s: %d', async (type, value, said, right) => {
    const one = goldenCaseSchema.parse({ ...golden, fields: [{ name: 'it', type, value }] });
    const examined = await examineTrials(one, [parseOutput({ fields: { it: said } }, 'output')]);
    expect('evidence' in examined && examined.evidence.trials[0]?.fields?.[0]?.right).toBe(right);
  });
});
