import type { RunSummary } from '../../api/shapes.ts';
import { Pill } from '../../parts/pill.tsx';
import { verdictMark } from '../../../../src/report/zone-mark.ts';

export function VerdictPill({ verdict }: { readonly verdict: RunSummary['gate']['verdict'] }) {
  const { text, tone } = verdictMark(verdict);
  return <Pill tone={tone}>{text.toLowerCase()}</Pill>;
}
