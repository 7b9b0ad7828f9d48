import { carry, type Given } from '../../report/action.ts';
import type { Document } from '../../report/document.ts';
import { formatAmount, formatCount, formatRatio } from '../../report/number.ts';
import type { DecompositionRecord } from '../production/record.ts';

type Queue = {
  readonly open: number;
  readonly sampled: number;
  readonly items: readonly { readonly record: DecompositionRecord; readonly text?: object }[];
};

/** Sampled requests that wait for somebody to rate them. */
export function queueDocument({ open, sampled, items }: Queue, given: Given = {}): Document {
  const [first] = items;
  return {
    title: 'To rate',
    answer: answerOf(open, sampled),
    blocks:
      items.length === 0
        ? []
        : [
            {
              kind: 'table',
              title: 'Waiting',
              limit: 20,
              columns: [
                { key: 'id', header: 'request', style: 'name' },
                { key: 'at', header: 'made (UTC)', style: 'time' },
                { key: 'topic', header: 'topic', style: 'text' },
                { key: 'version', header: 'prompt', style: 'name' },
                { key: 'concepts', header: 'concepts', style: 'count' },
                { key: 'text', header: 'text', style: 'text' },
              ],
              rows: items.map(({ record, text }) => ({
                id: record.id,
                at: record.at,
                topic: record.topic,
                version: record.promptVersion,
                concepts: record.concepts,
                text: text === undefined ? 'not kept' : 'kept',
              })),
            },
          ],
    notes:
      open === 0 ? [] : ['The order is left to chance: whoever stops early has still rated a fair part.'],
    next:
      first === undefined
        ? [{ operation: 'production status', options: carry(given, ['store', 'config']) }]
        : [
            {
              operation: 'production rate',
              positionals: [first.record.id],
              options: { acceptable: true, ...carry(given, ['store', 'config']) },
            },
          ],
  };
}

function answerOf(open: number, sampled: number): string {
  if (sampled === 0) return 'No request was sampled in these days, so that there is nothing to rate.';
  if (open === 0) return `All ${formatAmount(sampled, 'sampled request')} of these days are rated.`;
  return `${formatCount(open)} of ${formatAmount(sampled, 'sampled request')} wait for somebody to rate them; ${formatRatio(1 - open / sampled)} are rated.`;
}
