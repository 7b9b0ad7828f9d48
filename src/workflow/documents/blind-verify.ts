import type { Document } from '../../report/document.ts';
import { formatAmount } from '../../report/number.ts';
import { NOT_SEEN, type Verification } from '../blind/verify.ts';
import { blindStep } from './blind-steps.ts';

export function verificationDocument(result: Omit<Verification, 'session'>, folder: string): Document {
  return {
    title: `Chain of ${folder}`,
    verdict: result.intact ? 'passed' : 'blocked',
    answer: result.intact
      ? `${formatAmount(result.entries, 'entry', 'entries')} fit together, and so do head, ground truth and findings.`
      : `${result.fault}.`,
    blocks: [],
    notes: [
      ...result.notes,
      ...(result.intact
        ? []
        : [`${formatAmount(result.entries, 'entry', 'entries')} before that can be trusted.`]),
      `${NOT_SEEN} It is checked with --receipt.`,
    ],
    // Nothing goes on from a chain that was tampered with.
    next: result.intact ? [blindStep('status', folder)] : [],
  };
}
