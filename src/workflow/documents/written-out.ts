/** The abbreviations of the documented tables, written out once per screen. */
import type { ListBlock } from '../../report/document.ts';
import { workflowMetrics } from '../catalog.ts';

/** Short for no metric of their own. */
const OTHERS: Readonly<Record<string, string>> = {
  ID: 'improvement delta of OES, in points',
  SD: 'standard deviation over the runs',
  RS: 'run stability',
  'Sig?': 'significant by the documented rule',
};

/** `DR detection rate`, in the order asked for. */
export function writtenOutBlock(names: readonly string[]): ListBlock {
  const items = names.map((name) => `${name} ${writtenOut(name)}`);
  return { kind: 'list', title: 'Written out', items: [items.join(' · ')] };
}

function writtenOut(name: string): string {
  const metric = workflowMetrics().find(({ label }) => label === name);
  if (metric === undefined) return OTHERS[name] ?? name;
  return `${metric.title.slice(0, 1).toLowerCase()}${metric.title.slice(1)}`;
}
