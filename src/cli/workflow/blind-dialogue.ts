/**
 * The same steps as questions and answers, line by line: plain text without cursor movements, so that a keyboard, a
 * screen reader and a pipe all work. Each complete answer is handed on at once; nothing said is lost by stopping.
 */
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Ports } from '../../operations/ports.ts';
import { handIn, type OpenStep } from '../../operations/workflow/blind.ts';
import type { Action } from '../../report/action.ts';
import type { AnswerStep, Assessment, Matching, Prediction } from '../../workflow/blind/answers.ts';
import type { Submitted } from '../../workflow/blind/steps.ts';
import type { LABELS } from '../../workflow/review.ts';
import { submittedText } from '../../workflow/views/blind-steps.ts';
import type { SomeArguments, Terminal } from '../command.ts';
import { printResult } from '../print-result.ts';
import { folderOf, type STEP_OPTIONS } from './blind-options.ts';

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

/** `undefined`: the evaluator stops here and resumes later. */
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
    'Do you expect that the review found it? y yes, m maybe, n no, x cannot tell, q stop: ',
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
    talk.say('The ground truth has no error with that id.\n');
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

/** True on a terminal, where it asks; otherwise it prints the list. */
function isDialogue({ values }: StepArguments): boolean {
  if (values.list || values.format !== 'table') return false;
  return values.interactive || process.stdin.isTTY === true;
}

type StepCommand<Opened extends OpenStep> = {
  readonly step: AnswerStep;
  readonly everyFinding?: boolean;
  /** Where the evaluator goes on once this step is sealed. */
  readonly next: Action;
  readonly open: () => Opened;
  readonly show: (opened: Opened, id: string) => string;
  /** Nothing when the answers stop. */
  readonly ask: (talk: Dialogue, id: string, opened: Opened) => Promise<object | undefined>;
  readonly list: (opened: Opened) => Parameters<typeof printResult>[2];
};

/** A step answered from a file or in a dialogue, or only listed. */
export async function runStep<Opened extends OpenStep>(
  args: StepArguments,
  terminal: Terminal,
  by: string,
  ports: Ports,
  { step, everyFinding, next, open, show, ask, list }: StepCommand<Opened>,
): Promise<number> {
  const request = { folder: folderOf(args), by, step, everyFinding };
  const say = (result: Submitted | undefined) =>
    terminal.print(result === undefined ? '' : submittedText(result, `step ${STEP_NUMBER[step]}`, next));
  const { file } = args.values;
  if (file !== undefined) {
    say(handIn({ ...request, file }, ports));
    return 0;
  }
  const opened = open();
  if (!isDialogue(args)) {
    await printResult(args, terminal, list(opened));
    return 0;
  }
  const talk = openDialogue(process.stdin, terminal.note);
  try {
    const hand = (answers: readonly object[]) => handIn({ ...request, answers }, ports);
    // Nothing open: the rules say whether it can be sealed or was before.
    let result = opened.open.length === 0 ? hand([]) : undefined;
    for (const [index, id] of opened.open.entries()) {
      talk.say(`\n${index + 1} of ${opened.open.length}\n${show(opened, id)}\n`);
      const answer = await ask(talk, id, opened);
      if (answer === undefined) break;
      // Each answer is stored at once.
      result = hand([answer]);
    }
    say(result);
  } finally {
    talk.close();
    // An open pipe must not keep the command running.
    process.stdin.destroy();
  }
  return 0;
}

const STEP_NUMBER = { assess: 1, predict: 2, match: 3 } as const;
