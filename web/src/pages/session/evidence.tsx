import { formatRatio, formatScore } from '../../../../src/report/number.ts';
import { Unmeasured } from '../../parts/measured.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { type PlacedSignal, type Run, signalName, signalsOf } from './signals.ts';

/** Lines that are offered; a signal names only the first few anyway. */
const LINES = 6;

/** Each signal with its value, its weight, the points it cost, and its lines. */
export function Evidence({ run, onLine }: { readonly run: Run; readonly onLine: (line: number) => void }) {
  return (
    <div class="signals">
      <Table
        caption="What was seen"
        rows={signalsOf(run)}
        rowKey={({ id }) => id}
        limit={20}
        main
        columns={columnsOf(onLine)}
      />
    </div>
  );
}

function columnsOf(onLine: (line: number) => void): readonly Column<PlacedSignal>[] {
  return [
    {
      key: 'signal',
      title: 'signal',
      names: true,
      value: ({ id }) => id,
      show: (signal) => (
        <span class="keep">
          {signalName(signal)} <span class="sub faint">{signal.category}</span>
        </span>
      ),
    },
    {
      key: 'value',
      title: 'value',
      numeric: true,
      value: ({ value }) => value,
      show: ({ value, reason }) => (value === null ? <Unmeasured reason={reason} /> : formatScore(value)),
    },
    {
      key: 'weight',
      title: 'weight',
      numeric: true,
      value: ({ weight, value }) => (value === null ? null : weight),
      show: ({ weight, value }) => (value === null ? '–' : formatRatio(weight)),
    },
    {
      key: 'lost',
      title: 'lost',
      numeric: true,
      value: ({ cost, value }) => (value === null ? null : cost),
      show: ({ cost, value }) =>
        value === null ? '–' : <b class={cost >= 0.02 ? 'tone-bad' : 'faint'}>{formatScore(cost)}</b>,
    },
    {
      key: 'evidence',
      title: 'evidence',
      value: ({ because, reason }) => because ?? reason,
      show: ({ because, reason, lines }) => (
        <div class="words said-evidence">
          {because ?? <span class="faint">{reason}</span>}
          {lines.length > 0 && (
            <span class="lines">
              {lines.slice(0, LINES).map((line) => (
                <button key={line} type="button" class="link" onClick={() => onLine(line)}>
                  line {line}
                </button>
              ))}
              {lines.length > LINES && <span class="faint">and {lines.length - LINES} more</span>}
            </span>
          )}
        </div>
      ),
    },
    { key: 'lines', title: 'lines', unseen: true, value: ({ lines }) => lines.join(' ') },
  ];
}
