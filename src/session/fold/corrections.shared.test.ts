/** Precision and recall of detected corrections, against a reader's labels. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  agreementOf,
  DATA,
  type Judged,
  judgeCorrections,
  precisionOf,
  recallOf,
  type Share,
} from '../../../bench/corrections/measure.ts';

const isCustomer = ({ source }: Judged) => source.startsWith('tau');
const isPerson = (one: Judged) => !isCustomer(one);
const value = ({ yes, of }: Share) => yes / of;

// `npm run bench:corrections` prints all of them with intervals.
describe.skipIf(!existsSync(DATA))('corrections in the shared conversations', () => {
  const judged = judgeCorrections('labels');
  const people = judged.filter(isPerson);
  const unread = judgeCorrections('unread').filter(isPerson);
  const customers = judged.filter(isCustomer);

  it('are labelled in all sessions of people, also in those without one', () => {
    expect(people.every(({ whole }) => whole)).toBe(true);
    expect(people.filter(({ known }) => known.length === 0).length).toBeGreaterThan(20);
    expect(judged.flatMap(({ known }) => known).length).toBeGreaterThan(150);
  });

  it('are corrections when people make them', () => {
    expect(value(precisionOf(unread))).toBeGreaterThanOrEqual(0.85);
    expect(value(recallOf(unread))).toBeGreaterThanOrEqual(0.8);
    expect(value(precisionOf(people))).toBeGreaterThanOrEqual(0.8);
    expect(value(recallOf(people))).toBeGreaterThanOrEqual(0.85);
    expect(value(recallOf(people, ({ how }) => how === 'denied' || how === 'interrupted'))).toBe(1);
  });

  it('are corrections when simulated customers make them', () => {
    expect(value(precisionOf(customers))).toBeGreaterThanOrEqual(0.85);
    expect(value(recallOf(customers))).toBeGreaterThanOrEqual(0.8);
  });

  it('give most sessions the signal that a reader would give', () => {
    expect(value(agreementOf(people))).toBeGreaterThanOrEqual(0.9);
  });
});
