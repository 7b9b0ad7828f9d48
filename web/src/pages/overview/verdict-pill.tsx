import { verdictMark } from '../../../../src/report/zone-mark.ts';
import type { RunSummary } from '../../api/shapes.ts';
import { Pill } from '../../parts/pill.tsx';

export function VerdictPill({ verdict }: { readonly verdict: RunSummary['gate']['verdict'] }) {
  const { text, tone } = verdictMark(verdict);
  return <Pill tone={tone}>{text.toLowerCase()}</Pill>;
}
