/**
 * Reviews of a pull request on GitHub: the lists that the REST interface gives for `pulls/N/comments` and
 * `pulls/N/reviews`, and the review threads of the GraphQL interface.
 */
import { isRecord } from '../../is-record.ts';
import { runsOfRemarks } from '../../review-remarks.ts';
import { refuse } from '../../validate.ts';
import type { Importer, RawFile } from '../importer.ts';
import { isGraphAnswer, remarksOfGraph } from './graph.ts';
import { isRestItem, remarksOfRest } from './rest.ts';

export const github: Importer = {
  name: 'github',
  title: 'GitHub review',
  cannotCarry: ['depth', 'concerns', 'quote', 'labels', 'tokens'],
  detect: (file) => isGraphAnswer(contentOf(file)) || isRestItem(itemsOf(contentOf(file))?.[0]),
  readRuns: (file, options) => {
    const value = contentOf(file);
    const items = itemsOf(value);
    const source = { path: file.path, value: items ?? value };
    if (items === undefined && !isGraphAnswer(value))
      throw refuse(source, [], 'is no review of a pull request');
    const { remarks, task, notes } = items === undefined ? remarksOfGraph(source) : remarksOfRest(source);
    return runsOfRemarks(source, 'GitHub review', remarks, { task }, notes, options);
  },
};

function contentOf(file: RawFile): unknown {
  if (file.kind === 'lines') return file.lines.map(({ value }) => value);
  return file.kind === 'document' ? file.document.value : undefined;
}

/** A list, or a list of pages as the command line client collects them. */
function itemsOf(value: unknown): readonly unknown[] | undefined {
  if (isRecord(value) && !isGraphAnswer(value) && isRestItem(value)) return [value];
  if (!Array.isArray(value)) return undefined;
  return value.every((page) => Array.isArray(page)) ? value.flat() : value;
}
