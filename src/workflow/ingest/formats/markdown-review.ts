/** A review written by a person or a model as a Markdown page. */

import { type RawValue, refuse } from '../fields.ts';
import { importedRun } from '../imported-run.ts';
import { mapperFor } from '../mapping.ts';
import { drafts, WRITTEN_SEVERITIES } from '../review-remarks.ts';
import { readReviewText } from '../review-text.ts';
import type { ImportedRuns, Importer, ImportOptions, RawFile } from './importer.ts';

export const markdownReview: Importer = {
  name: 'markdown-review',
  title: 'Markdown review',
  cannotCarry: ['workflow', 'task', 'depth', 'concerns', 'labels', 'tokens'],
  // A page that names no place is a review without findings, whatever its wording.
  detect: (file) => file.kind === 'text' && file.text.trim() !== '' && !isTruthPage(file.text),
  readRuns: (file, options) => readPage(file, options),
};

/** A page with a ground truth is recognised by its front matter, its title or its table headings. */
function isTruthPage(text: string): boolean {
  return (
    /^---\r?\n(?:.*\r?\n){0,20}?version\s*:/.test(text) ||
    /^#\s+ground truth:/im.test(text) ||
    /^ {0,3}\|\s*id\s*\|/im.test(text)
  );
}

function readPage(file: RawFile, options: ImportOptions): ImportedRuns {
  if (file.kind !== 'text') throw refuse({ path: file.path, value: undefined }, [], 'is no Markdown page');
  const { findings, placeless } = readReviewText(file.text);
  const source: RawValue = {
    path: file.path,
    value: undefined,
    lineOf: ([, index]) => findings[Number(index)]?.line,
  };
  const mapper = mapperFor(source, WRITTEN_SEVERITIES, options.maps);
  const notes = placeless > 0 ? [`list items that name no place, no findings: ${placeless}`] : [];
  return importedRun(source, {}, drafts(findings, mapper, options.maps), mapper, notes, options);
}
