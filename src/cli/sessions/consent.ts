import { createInterface } from 'node:readline/promises';
import { AssayError } from '../../errors.ts';
import type { JudgingPlan } from '../../operations/session/judge-sessions.ts';
import { hasConsent, placeOf, rememberConsent } from '../../operations/session/model-consent.ts';
import { plain } from '../../report/unsafe-text.ts';
import type { Terminal } from '../command.ts';

/** Says what is about to be sent, and asks the first time it goes to that destination. */
export function consentAt(
  folder: string,
  terminal: Terminal,
  yes: boolean,
): (plan: JudgingPlan) => Promise<boolean> {
  return async (plan) => {
    const place = placeOf(plan);
    terminal.progress('');
    terminal.note(`${sayPlan(plan, place)}\n`);
    if (yes || hasConsent(folder, place)) return true;
    if (!process.stdin.isTTY) {
      throw new AssayError('USAGE', `sending digests to ${place} needs your consent`, {
        remedy: 'Add --yes, or run it once in a terminal.',
      });
    }
    const agreed = await question();
    if (agreed && !rememberConsent(folder, place)) {
      terminal.note('Assay could not store your answer and will ask again.\n');
    }
    return agreed;
  };
}

function sayPlan({ asked, of, model, ceilingUsd }: JudgingPlan, place: string): string {
  const cost =
    ceilingUsd === undefined
      ? ', at an unknown price, so Assay cannot limit it to 5% of what the sessions cost'
      : `, for $${ceilingUsd.toFixed(4)} at most`;
  return `Digests of ${asked} of ${of} sessions go to ${plain(model)} (${plain(place)})${cost}: request, follow-ups, final answer and counts, about 2,500 tokens each at most, with recognised keys masked.`;
}

async function question(): Promise<boolean> {
  const input = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await input.question('Send them? [y/N] ')).trim());
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') return false;
    throw error;
  } finally {
    input.close();
  }
}
