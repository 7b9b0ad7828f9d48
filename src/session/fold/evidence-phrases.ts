/** All that facts ever say about evidence. A transcript's own words never get in, however short they are. */
export const EVIDENCE_PHRASES = [
  'stated by the source',
  'accepted by the person',
  'undone by the person',
  'correction left unanswered',
  'left half done',
  'tests passed',
  'tests failed',
  'checks passed',
  'checks failed',
  'checks of the commit passed',
  'checks of the commit failed',
  'types checked',
  'type errors',
  'linter passed',
  'linter failed',
  'build passed',
  'build failed',
  'the changed program ran',
  'the changed program broke',
  'CI passed',
  'CI failed',
  'a sub-agent reports passing checks',
  'a sub-agent reports failing checks',
  'nothing checked the last change',
  'pushed',
  'published',
  'pull request opened',
  'pull request merged',
  'issue closed',
  'record changed',
  'record change failed',
] as const;

export type EvidencePhrase = (typeof EVIDENCE_PHRASES)[number];

/** The phrase itself when it is one of ours; whatever else somebody wrote is only "stated by the source". */
export function evidencePhrase(value: unknown): EvidencePhrase {
  return EVIDENCE_PHRASES.find((phrase) => phrase === value) ?? 'stated by the source';
}
