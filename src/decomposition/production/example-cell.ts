import { cellOf, emptyCell, mergeCells, type ProductionCell } from './cell.ts';
import type { DecompositionRecord } from './record.ts';

const AT = '2026-11-02T10:00:00.000Z';

/** The requests of one minute, for the worked examples of the metrics. */
export function cellWith(requests: readonly Partial<DecompositionRecord>[]): ProductionCell {
  const cells = requests.map((part, i) => cellOf({ id: `request-${i}`, at: AT, status: 'ok', ...part }));
  return mergeCells(cells) ?? emptyCell({ at: AT });
}
