/**
 * The same steps as questions and answers, line by line: plain text without cursor movements, so that a keyboard, a
 * screen reader and a pipe all work. Each complete answer is handed on at once; nothing said is lost by stopping.
 */
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Assessment, Matching, Prediction } from '../../workflow/blind/answers.ts';
import type { Submitted } from '../../workflow/blind/steps.ts';
import type { LABELS } from '../../workflow/review.ts';
import type { SomeArguments, Terminal } from '../command.ts';
import type { STEP_OPTIONS } from './blind-options.ts';

type StepArguments = SomeArguments<typeof STEP_OPTIONS>;

export type Dialogue = {
  readonly say: (text: string) => void;
  /** `undefined` when the input has ended. */
  readonly ask: (question: string) => Promise<string | undefined>;
  readonly close: () => void;
};

export function openDialogue(input: Readable, say: (text: string) => void): Dialogue {
  const lines = createInterface({ input, terminal: false });
  // Taken at once: lines that arrive before anybody asks would be lost otherwise.
  const iterator = lines[Symbol.asyncIterator]();
  return {
    say,
    ask: async (question) => {
      say(question);
      const { done, value } = await iterator.next();
      return done === true ? undefined : value.trim();
    },
    close: () => lines.close(),
  };
}

/** `undefined`: the person stops here and goes on later. */
export async function askAssessment(talk: Dialogue, finding: string): Promise<Assessment | undefined> {
  const judgement = await choose(talk, 'Is it an error? e error, n no error, x cannot tell, q stop: ', {
    e: 'ERROR',
    n: 'NO_ERROR',
    x: 'CANNOT_TELL',
  });
  if (judgement === undefined) return undefined;
  if (judgement === 'CANNOT_TELL') return { finding, judgement };
  const error = judgement === 'ERROR' ? await write(talk, 'What error does it represent? ') : '';
  if (error === undefined) return undefined;
  const evidence = await write(talk, 'What is the evidence? ');
  if (evidence === undefined) return undefined;
  const confidence = await choose(talk, 'How sure are you? h high, m medium, l low, q stop: ', {
    h: 'HIGH',
    m: 'MEDIUM',
    l: 'LOW',
  });
  if (confidence === undefined) return undefined;
  return judgement === 'ERROR'
    ? { finding, judgement, error, evidence, confidence }
    : { finding, judgement, evidence, confidence };
}

export async function askPrediction(talk: Dialogue, error: string): Promise<Prediction | undefined> {
  const prediction = await choose(
    talk,
    'Will the review have caught it? y yes, m maybe, n no, x cannot tell, q stop: ',
    { y: 'YES', m: 'MAYBE', n: 'NO', x: 'CANNOT_TELL' },
  );
  if (prediction === undefined) return undefined;
  if (prediction === 'CANNOT_TELL') return { error, prediction };
  const why = await write(talk, 'Why or why not? ');
  return why === undefined ? undefined : { error, prediction, why };
}

const MATCHES = {
  y: 'Y',
  p: 'P',
  b: 'BONUS_VALID',
  f: 'FALSE',
  d: 'DUPLICATE',
  x: 'UNRESOLVED',
} as const satisfies Record<string, (typeof LABELS)[number]>;

const MATCH_QUESTION =
  'y full match, p partial match, b real but not in the ground truth, f false, d duplicate, x cannot tell, q stop: ';

export async function askMatching(
  talk: Dialogue,
  finding: string,
  errors: ReadonlySet<string>,
): Promise<Matching | undefined> {
  const match = await choose(talk, MATCH_QUESTION, MATCHES);
  if (match === undefined) return undefined;
  const named = match === 'Y' || match === 'P' ? await nameError(talk, errors) : '';
  if (named === undefined) return undefined;
  const reason = await write(talk, 'Why? ');
  if (reason === undefined) return undefined;
  return { finding, match, ...(named !== '' && { error: named }), reason };
}

async function nameError(talk: Dialogue, errors: ReadonlySet<string>): Promise<string | undefined> {
  for (;;) {
    const error = await talk.ask('Which error (id)? ');
    if (error === undefined || errors.has(error)) return error;
    talk.say('There is no error of that id in the ground truth.\n');
  }
}

async function choose<Choice extends string>(
  talk: Dialogue,
  question: string,
  choices: Readonly<Record<string, Choice>>,
): Promise<Choice | undefined> {
  for (;;) {
    const answer = (await talk.ask(question))?.toLowerCase();
    if (answer === undefined || answer === 'q') return undefined;
    if (Object.hasOwn(choices, answer)) return choices[answer];
    talk.say(`Please answer with one of ${[...Object.keys(choices), 'q'].join(', ')}.\n`);
  }
}

async function write(talk: Dialogue, question: string): Promise<string | undefined> {
  for (;;) {
    const answer = await talk.ask(question);
    if (answer !== '') return answer;
    talk.say('Please write a few words.\n');
  }
}

/** Somebody at a terminal is asked; everything else gets the list. */
export function isDialogue({ values }: StepArguments): boolean {
  if (values.list || values.format !== 'table') return false;
  return values.interactive || process.stdin.isTTY === true;
}

/** Asks until all is answered, the answers stop or the input ends. */
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

type Questions<Answer> = {
  readonly open: readonly string[];
  readonly show: (id: string) => string;
  /** Nothing when the answers stop. */
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
