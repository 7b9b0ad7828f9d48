/** One sampled request after the other: what was given, and what a person says of it. */
import { createInterface, type Interface } from 'node:readline/promises';
import type { Ports } from '../../operations/ports.ts';
import { rateDecomposition } from '../../operations/production/rate-decomposition.ts';
import type { QueuedDecomposition } from '../../operations/production/rating-queue.ts';
import { plain } from '../../report/unsafe-text.ts';
import type { Terminal } from '../command.ts';

export async function rateInTurn(
  items: readonly QueuedDecomposition[],
  author: string,
  terminal: Terminal,
  ports: Ports,
): Promise<number> {
  const input = createInterface({ input: process.stdin, output: process.stderr });
  let rated = 0;
  terminal.note(`${items.length} to rate. y acceptable, n not, s to skip, q to stop and go on later.\n`);
  try {
    for (const [i, item] of items.entries()) {
      terminal.note(`\n${i + 1} of ${items.length}\n${describe(item)}\n`);
      const answer = await choose(input, terminal);
      if (answer === 'q') break;
      if (answer === 's') continue;
      const wrong = await numbers(input, 'Wrong concepts, by number (Enter for none): ', item);
      const made =
        wrong.length === 0 ? [] : await numbers(input, 'Of these, made up (Enter for none): ', item);
      const reason = (await input.question('Why (Enter for nothing): ')).trim();
      const concepts = wrong.map((label) => ({ label, acceptable: false, fabricated: made.includes(label) }));
      // At once, so that nothing said is lost.
      const request = { id: item.record.id, acceptable: answer === 'y', reason, concepts, author };
      await rateDecomposition({ ...request, environment: terminal.env }, ports);
      rated += 1;
    }
  } catch (error) {
    // Ctrl-C at the question is one more way to stop; what was rated is already kept.
    if (!(error instanceof Error && error.name === 'AbortError')) throw error;
  } finally {
    input.close();
  }
  terminal.note(`\n${rated} rated and kept, ${items.length - rated} left.\n`);
  return 0;
}

async function choose(input: Interface, terminal: Terminal): Promise<string> {
  for (;;) {
    const answer = (await input.question('Acceptable as a whole? y, n, s, q: ')).trim().toLowerCase();
    if (/^[ynsq]$/.test(answer)) return answer;
    terminal.note('y for acceptable, n for not, s to skip, q to stop.\n');
  }
}

/** Labels of the concepts whose numbers were typed; other numbers mean nothing. */
async function numbers(input: Interface, question: string, item: QueuedDecomposition): Promise<string[]> {
  if (item.concepts.length === 0) return [];
  const typed = await input.question(question);
  return [...new Set(typed.match(/\d+/g) ?? [])].flatMap((n) => item.concepts[Number(n) - 1]?.label ?? []);
}

function describe({ record, text, concepts }: QueuedDecomposition): string {
  const facts = [record.promptVersion, record.model, record.topic].filter((one) => one !== undefined);
  return [
    `${plain(record.id)} (${[record.at, ...facts.map((one) => plain(one))].join(', ')})`,
    text === undefined
      ? `Its text was not kept: look it up by its id. ${record.concepts ?? 0} concepts, ${record.relationships ?? 0} relationships.`
      : plain(text.text),
    ...concepts.map(
      ({ label, quote }, i) =>
        `  ${i + 1}. ${plain(label)}${quote === undefined ? '' : ` — “${plain(quote)}”`}`,
    ),
  ].join('\n');
}
