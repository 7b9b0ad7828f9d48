import { NOTICE } from '../../docs/notice.ts';
import { readGoldenSet } from '../../src/decomposition/ingest/golden-case.ts';
import { metricKey } from '../../src/measure/metric.ts';
import { KINDS } from './kinds.ts';
import { complaints, type Judged, judgeKind } from './verdicts.ts';

export const ATTACK_PAGE = 'decomposition-attacks.md';

/** The page with the verdict on each kind of output. */
export async function attackPage(): Promise<string> {
  const { cases } = readGoldenSet('golden');
  const judged: Judged[] = [];
  for (const kind of KINDS) judged.push(await judgeKind(kind, cases));
  return attackPageOf(judged);
}

export function attackPageOf(judged: readonly Judged[]): string {
  const table = (fate: 'bad' | 'fair') => [
    '| output | what it is | verdict | cases blocked | without guards | first reason |',
    '|---|---|---|---|---|---|',
    ...judged.filter(({ kind }) => kind.fate === fate).map(row),
  ];
  const count = (fate: 'bad' | 'fair') => judged.filter(({ kind }) => kind.fate === fate).length;
  return [
    NOTICE,
    '',
    '# What the gate says of bad and fair outputs',
    '',
    `Assay makes ${count('bad')} kinds of bad and ${count('fair')} kinds of fair outputs from every golden case and judges them.`,
    'A test fails when a bad one passes or a fair one blocks, over the suite or for a single case. The code is in `test/attacks/`.',
    '',
    '- **verdict**: over all golden cases, with `decomposition.gate.guards: block`, which `assay init` sets.',
    '- **cases blocked**: the same for each golden case alone.',
    '- **without guards**: the default. A bad output may pass there, but never without a warning.',
    '',
    '## Bad',
    '',
    ...table('bad'),
    '',
    '## Fair',
    '',
    ...table('fair'),
    '',
  ].join('\n');
}

function row({ kind, suite, alone }: Judged): string {
  const blocked = [...alone.values()].filter(({ gate }) => gate.verdict === 'blocked').length;
  const warned = complaints(suite.warn).length;
  const loose = suite.warn.gate.verdict;
  const how =
    loose === 'passed' && warned > 0 ? `passed, ${warned} ${warned === 1 ? 'warning' : 'warnings'}` : loose;
  const worst = suite.block.metrics.find(({ zone, id }) => zone === 'fail' && !id.includes('attainable'));
  const value = worst?.measurement.measured ? worst.measurement.value.toFixed(2) : '';
  const reason = worst === undefined ? '' : `\`${metricKey(worst.id)}\` ${value}`;
  return `| ${kind.name} | ${kind.what} | ${suite.block.gate.verdict} | ${blocked} of ${alone.size} | ${how} | ${reason} |`;
}
