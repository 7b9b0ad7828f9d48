/** A step of a blind evaluation, asked one by one. */
import type { Submitted } from '../../workflow/blind/steps.ts';
import type { Arguments, Terminal } from '../command.ts';
import { type Dialogue, openDialogue } from './blind-dialogue.ts';

/** A person at a terminal is asked; everything else gets the list. */
export function isDialogue({ values }: Arguments): boolean {
  if (values.list === true || values.format !== 'table') return false;
  return values.interactive === true || process.stdin.isTTY === true;
}

/** Asks until all is answered, the person stops or the input ends. */
export async function withDialogue(
  terminal: Terminal,
  work: (talk: Dialogue) => Promise<Submitted | undefined>,
): Promise<Submitted | undefined> {
  const talk = openDialogue(process.stdin, terminal.note);
  try {
    return await work(talk);
  } finally {
    talk.close();
    // A pipe that stays open must not keep the command from ending.
    process.stdin.destroy();
  }
}

export type Questions<Answer> = {
  readonly open: readonly string[];
  readonly show: (id: string) => string;
  /** Nothing when the person stops. */
  readonly ask: (id: string) => Promise<Answer | undefined>;
  /** Each answer is kept at once. */
  readonly hand: (answers: readonly Answer[]) => Submitted;
};

export async function askAll<Answer>(
  talk: Dialogue,
  { open, show, ask, hand }: Questions<Answer>,
): Promise<Submitted | undefined> {
  // Nothing open: the rules say whether it can be sealed or was before.
  let result = open.length === 0 ? hand([]) : undefined;
  for (const [index, id] of open.entries()) {
    talk.say(`\n${index + 1} of ${open.length}\n${show(id)}\n`);
    const answer = await ask(id);
    if (answer === undefined) break;
    result = hand([answer]);
  }
  return result;
}
