import { formatAmount, formatScore } from '../../../../src/report/number.ts';
import type { RunSummary } from '../../api/shapes.ts';
import { Card } from '../../parts/card.tsx';
import { Figure } from '../../parts/figure.tsx';
import { Measured, type Unit } from '../../parts/measured.tsx';
import { ZonePill } from '../../parts/pill.tsx';
import { Empty } from '../../parts/states.tsx';
import { When } from '../../parts/when.tsx';
import { formerOf, type Instrument, metricOf } from './instrument.ts';
import { VerdictPill } from './verdict-pill.tsx';

const ROWS: readonly { readonly key: string; readonly name: string; readonly unit: Unit }[] = [
  { key: 'concept_recall', name: 'Recall', unit: 'ratio' },
  { key: 'concept_precision', name: 'Precision', unit: 'ratio' },
  { key: 'hallucination_rate', name: 'Hallucination', unit: 'ratio' },
];

export function DecompositionCard({ runs: instrument }: { readonly runs: Instrument }) {
  const [latest] = instrument.runs;
  const cases = latest === undefined ? 'runs' : formatAmount(latest.suite.n_cases, 'case');
  return (
    <Card title="Decomposition" aside={<a href="/decomposition">{cases} →</a>}>
      {latest === undefined ? (
        <Empty command="assay decomposition run">
          No run is kept in this project yet. This scores its golden suite:
        </Empty>
      ) : (
        <Latest run={latest} former={formerOf(instrument, latest)} />
      )}
    </Card>
  );
}

function Latest({ run, former }: { readonly run: RunSummary; readonly former: RunSummary | undefined }) {
  const overall = metricOf(run, 'overall');
  const then = metricOf(former, 'overall')?.value;
  const value = overall?.value ?? null;
  return (
    <>
      <Figure
        value={value === null ? '–' : formatScore(value)}
        beside={`overall${typeof then === 'number' ? `, ${formatScore(then)} the run before` : ''}`}
      />
      <div class="row">
        <VerdictPill verdict={run.gate.verdict} />
      </div>
      <table class="compact">
        <caption>The latest run of {run.run.subject}</caption>
        <tbody>
          {ROWS.map(({ key, name, unit }) => {
            const metric = metricOf(run, key);
            return metric === undefined ? null : (
              <tr key={key}>
                <th scope="row">{name}</th>
                <td class="num">
                  <Measured of={metric} unit={unit} short />
                </td>
                <td class="num">
                  <ZonePill zone={metric.zone} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p class="sub cut">
        {run.run.subject} · <When at={run.run.at} />
      </p>
    </>
  );
}
