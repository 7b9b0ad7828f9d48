/** The report of a run as a pull request shows it, and for CI systems that draw tests. */
import type { Verdict } from '../judge/verdict.ts';
import { renderJunit } from '../report/junit.ts';
import { renderMarkdown } from '../report/markdown.ts';
import { verdictView } from '../report/verdict-view.ts';
import type { View } from '../report/view.ts';
import type { CaseRemark } from './remarks.ts';

const SHOWN = 50;

export function reportText(verdict: Verdict, remarks: readonly CaseRemark[]): string {
  const document = verdictView(verdict);
  return renderMarkdown({ ...document, blocks: [...document.blocks, ...placesOf(remarks)] });
}

/** Where it stands: those who get no annotations see it here. */
function placesOf(remarks: readonly CaseRemark[]): View['blocks'] {
  if (remarks.length === 0) return [];
  return [
    {
      kind: 'table',
      title: 'Where to look',
      columns: [
        { key: 'place', title: 'place', unit: 'name' },
        { key: 'what', title: 'what', unit: 'text' },
      ],
      rows: remarks.map(({ path, line, message }) => ({ place: `${path}:${line}`, what: message })),
      limit: SHOWN,
      folded: true,
    },
  ];
}

export function junitText(verdict: Verdict): string {
  return renderJunit(verdict);
}

/** What was said of an earlier run must not stay when this one could not be measured. */
export function nothingText(name: string, why: string): string {
  return renderMarkdown({
    title: name,
    verdict: 'could not run',
    answer: why,
    blocks: [],
    notes: [],
    next: [],
  });
}

export function nothingJunit(name: string, why: string, now: Date): string {
  return renderJunit({
    instrument: 'assay',
    subject: name,
    validity: { runId: '', at: now.toISOString(), scorer: '', cases: 0, skipped: {} },
    metrics: [],
    cases: [],
    trends: [],
    gate: { verdict: 'could not run', exitCode: 3, checks: [], reasons: [why] },
    notes: [],
  });
}
