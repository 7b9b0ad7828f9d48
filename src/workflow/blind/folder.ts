/**
 * The folder of a blind evaluation: `blind.jsonl` (the chain), `head.json` (its length) and `material.sealed` (ground
 * truth, findings and criteria, compressed). Several processes may work in it at once.
 */
import { appendFileSync, existsSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { AssayError } from '../../errors.ts';
import { readBytes, readText } from '../../files.ts';
import { makeFolder } from '../../make-folder.ts';
import { ANSWERS, type AnswerStep, parseAnswers } from './answers.ts';
import {
  type ChainEntry,
  type EntryDraft,
  type Head,
  headOf,
  NOTHING,
  nextEntry,
  readChain,
  sha256,
  withLock,
} from './chain.ts';
import { isMaterial, type Material, pack, unpack } from './material.ts';
import {
  apply,
  type BlindAction,
  disputedBetween,
  type Evaluator,
  emptyState,
  evaluatorOf,
  everybodyIn,
  finished,
  missingFor,
  type State,
  scopeFor,
} from './protocol.ts';

const CHAIN = 'blind.jsonl';
const HEAD = 'head.json';
const MATERIAL = 'material.sealed';
const MAX_BYTES = 512 * 1024 * 1024;

/** What the first entry pins down: later edits of the material no longer fit it. */
const START = z.strictObject({
  material: z.string(),
  truth: z.string(),
  findings: z.string(),
  matcher: z.string(),
  evaluators: z.array(z.string()),
});
export type Start = Readonly<z.infer<typeof START>>;

export type BlindSession = {
  readonly folder: string;
  readonly start: Start;
  readonly material: Material;
  readonly state: State;
  readonly entries: readonly ChainEntry[];
  readonly head: Head;
  /** Where the last entry ends in its file, in bytes. */
  readonly end: number;
};

/** Who adds to the record, and the clock that dates it. */
export type Writer = { readonly who: string; readonly now: () => Date };

export function startSession(
  folder: string,
  material: Material,
  { who, now }: Writer,
  evaluators: readonly string[] = [],
): Head {
  const sealed = `${pack(material)}\n`;
  const start: Start = {
    material: sha256(sealed),
    truth: material.truth.hash,
    findings: sha256(JSON.stringify(material.findings)),
    matcher: material.matcherVersion,
    evaluators: [...evaluators],
  };
  return writing(folder, () => {
    makeFolder(folder);
    return withLock(join(folder, 'lock'), () => {
      refuseToOverwrite(folder);
      try {
        writeFileSync(join(folder, MATERIAL), sealed, { flag: 'wx' });
        return append(folder, { head: NOTHING, end: 0 }, [
          { at: now().toISOString(), who, step: 'start', payload: pack(start) },
        ]);
      } catch (cause) {
        // An incomplete start would block a complete one.
        for (const name of [CHAIN, MATERIAL]) rmSync(join(folder, name), { force: true });
        throw cause;
      }
    });
  });
}

function refuseToOverwrite(folder: string): void {
  if (![CHAIN, HEAD, MATERIAL].some((name) => existsSync(join(folder, name)))) return;
  throw new AssayError('USAGE', `${folder} already holds a blind evaluation`, {
    remedy: [
      {
        say: 'An evaluation that has begun is never overwritten; name another folder',
        options: { out: true },
      },
    ],
  });
}

export function readSession(folder: string): BlindSession {
  const { entries, fault, end } = readEntries(folder);
  if (fault !== undefined) throw tampered(`${join(folder, CHAIN)} ${fault}`);
  const start = readStart(folder, entries);
  const material = readMaterial(folder, start);
  const subjects = {
    findings: new Set(material.findings.map(({ id }) => id)),
    errors: new Set(material.truth.errors.map(({ id }) => id)),
  };
  const state = emptyState(folder, subjects, start.evaluators);
  for (const entry of entries.slice(1)) replay(state, entry);
  return { folder, start, material, state, entries, head: headOf(entries), end };
}

/** The chain as it is, with its first fault if there is one. */
function readEntries(folder: string) {
  const path = join(folder, CHAIN);
  if (!existsSync(path)) {
    throw new AssayError('FILE_NOT_FOUND', `${folder} holds no blind evaluation (there is no ${CHAIN})`, {
      remedy: [
        { say: 'Name its folder' },
        { say: 'see how one is begun', step: { operation: 'workflow blind start', options: { help: true } } },
      ],
    });
  }
  const head = readHead(folder);
  const bytes = readBytes(path, MAX_BYTES);
  const text = bytes.toString('utf8');
  const reading = readChain(text, head);
  const verified = Buffer.from(text.slice(0, reading.end));
  // Bytes that are no text would read as another character, and the end would be elsewhere.
  if (!verified.equals(bytes.subarray(0, verified.length))) throw tampered(`${path} is not text`);
  return {
    ...reading,
    end: verified.length,
    afterHead: Math.max(0, reading.entries.length - head.count),
  };
}

function readHead(folder: string): Head {
  const path = join(folder, HEAD);
  if (!existsSync(path)) throw tampered(`${path} is missing: a cut tail of the chain could not be seen`);
  // Written with the first entry: a head without entries was restored by hand.
  const shape = z.strictObject({ count: z.number().int().min(1), hash: z.string() });
  try {
    return shape.parse(JSON.parse(readText(path, 4096)));
  } catch (cause) {
    throw tampered(`${path} is not as it was written`, cause);
  }
}

function readStart(folder: string, [first]: readonly ChainEntry[]): Start {
  const { success, data } = START.safeParse(
    first?.step === 'start' ? unpack(first.payload, join(folder, CHAIN)) : undefined,
  );
  if (!success) throw tampered(`${join(folder, CHAIN)} does not begin with the start of an evaluation`);
  return data;
}

function readMaterial(folder: string, start: Start): Material {
  const path = join(folder, MATERIAL);
  // An editor, or git, may have changed how its one line ends.
  const sealed = `${readText(path, MAX_BYTES).trimEnd()}\n`;
  if (sha256(sealed) !== start.material) {
    throw tampered(`${path} was altered: ground truth or findings are not those the evaluation began with`);
  }
  const material = unpack(sealed, path);
  if (!isMaterial(material)) throw tampered(`${path} does not hold what an evaluation is about`);
  return material;
}

function replay(state: State, entry: ChainEntry): void {
  try {
    apply(state, entry.who, entry.seq, entry.at, actionOf(entry));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw tampered(`entry ${entry.seq} breaks the protocol and was not written by Assay: ${why}`, cause);
  }
}

const SEAL = z.strictObject({
  seals: z.enum(['assess', 'predict', 'match']),
  scope: z.enum(['all', 'disputes']),
});
const OPEN = z.strictObject({ without: z.array(z.string()) });

function actionOf({ seq, step, payload }: ChainEntry): BlindAction {
  const where = `entry ${seq}`;
  const content = unpack(payload, where);
  if (step === 'assess' || step === 'revise')
    return { step, answers: parseAnswers('assess', content, where) };
  if (step === 'predict') return { step, answers: parseAnswers('predict', content, where) };
  if (step === 'match') return { step, answers: parseAnswers('match', content, where) };
  if (step === 'seal') return { step, ...SEAL.parse(content) };
  if (step === 'open') return { step, ...OPEN.parse(content) };
  if (step === 'show-truth') return { step };
  throw tampered(`${where} has the unknown step "${step}"`);
}

function contentOf(action: BlindAction): unknown {
  if ('answers' in action) return action.answers;
  const { step: _step, ...content } = action;
  return content;
}

/**
 * Adds what `decide` returns, as one piece: other processes wait, each action is checked against the rules first, and when
 * one is refused nothing is written.
 */
export function addActions(
  folder: string,
  { who, now }: Writer,
  decide: (session: BlindSession) => Iterable<BlindAction>,
): BlindSession {
  return writing(folder, () =>
    withLock(join(folder, 'lock'), () => {
      const session = readSession(folder);
      const drafts: EntryDraft[] = [];
      // `decide` may be a generator: it sees the state with its own earlier actions applied.
      for (const action of decide(session)) {
        const at = now().toISOString();
        apply(session.state, who, session.head.count + drafts.length + 1, at, action);
        drafts.push({ at, who, step: action.step, payload: pack(contentOf(action)) });
      }
      if (drafts.length === 0) return session;
      return { ...session, head: append(folder, session, drafts) };
    }),
  );
}

/**
 * The chain first, then its head: a crash in between leaves a chain that is longer than its head, which is no loss. What
 * cannot be written whole leaves the chain as it was, byte for byte.
 */
function append(
  folder: string,
  { head: before, end }: Pick<BlindSession, 'head' | 'end'>,
  drafts: readonly EntryDraft[],
): Head {
  const entries: ChainEntry[] = [];
  let head = before;
  for (const draft of drafts) {
    const entry = nextEntry(head, draft);
    entries.push(entry);
    head = { count: entry.seq, hash: entry.hash };
  }
  const path = join(folder, CHAIN);
  const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  if (end === 0) {
    writeFileSync(path, lines, { flag: 'wx', flush: true });
    writeHead(folder, head);
    return head;
  }
  // What follows the last entry is the end of its line, or an unfinished write that was never acknowledged.
  const tail = readBytes(path, MAX_BYTES).subarray(end);
  try {
    replaceTail(path, end, `\n${lines}`);
    writeHead(folder, head);
  } catch (cause) {
    replaceTail(path, end, tail);
    throw cause;
  }
  return head;
}

function replaceTail(path: string, end: number, tail: string | Buffer): void {
  truncateSync(path, end);
  appendFileSync(path, tail, { flush: true });
}

function writeHead(folder: string, head: Head): void {
  const path = join(folder, HEAD);
  writeFileSync(`${path}.new`, `${JSON.stringify(head)}\n`);
  renameSync(`${path}.new`, path);
}

function writing<Result>(folder: string, work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof AssayError) throw cause;
    if (!(cause instanceof Error && 'code' in cause)) throw cause;
    throw new AssayError('OUTPUT_FAILED', `${folder} cannot be written: ${cause.message}`, { cause });
  }
}

function tampered(message: string, cause?: unknown): AssayError {
  return new AssayError('BLIND_TAMPERED', message, { cause });
}

/** Is the evaluation as Assay wrote it? Names the first place that does not fit. */

export type Verification = {
  readonly intact: boolean;
  /** Entries that can be trusted: those before the fault. */
  readonly entries: number;
  readonly head?: string;
  readonly fault?: string;
  readonly notes: readonly string[];
  readonly session?: BlindSession;
};

/** Said with every verification, because a chain without a witness outside cannot show it. */
export const NOT_SEEN =
  'Not seen: a chain cut or rewritten together with its head. A receipt that was kept elsewhere shows that.';

/** `receipt` is `COUNT:HASH` as a seal printed it; `truthHash` is that of the file that should have been sealed. */
export function verifySession(
  folder: string,
  { receipt, truthHash }: { readonly receipt?: string; readonly truthHash?: string } = {},
): Verification {
  try {
    const { entries, fault, torn, afterHead } = readEntries(folder);
    if (fault !== undefined) return { intact: false, entries: entries.length, fault, notes: [] };
    const session = readSession(folder);
    const wrong = receiptFault(session, receipt) ?? truthFault(session.start, truthHash);
    const notes = [
      torn > 0 &&
        `${torn} bytes after entry ${entries.length} are a write that never ended; the next one replaces them.`,
      afterHead > 0 &&
        `The last ${afterHead} of the entries came after the head: a write was interrupted, or they were added by hand.`,
    ].filter((note) => note !== false);
    return {
      intact: wrong === undefined,
      entries: entries.length,
      head: session.head.hash,
      fault: wrong,
      notes,
      session,
    };
  } catch (cause) {
    if (!(cause instanceof AssayError) || cause.code !== 'BLIND_TAMPERED') throw cause;
    return { intact: false, entries: 0, fault: cause.message, notes: [] };
  }
}

function receiptFault({ entries }: BlindSession, receipt: string | undefined): string | undefined {
  if (receipt === undefined) return undefined;
  const [, count, hash] = /^(\d{1,9}):([0-9a-f]{64})$/.exec(receipt) ?? [];
  if (hash === undefined)
    throw new AssayError('USAGE', `a receipt is NUMBER:HASH as a seal printed it, not "${receipt}"`);
  if (Number(count) > entries.length) {
    return `the receipt is of entry ${count}, the chain has ${entries.length}: its tail was cut`;
  }
  return entries[Number(count) - 1]?.hash === hash
    ? undefined
    : `entry ${count} is not the one of the receipt: the chain was rewritten`;
}

export function truthFault(start: Start, hash: string | undefined): string | undefined {
  if (hash === undefined || hash === start.truth) return undefined;
  return `the ground truth given has hash ${hash.slice(0, 12)}, the sealed one ${start.truth.slice(0, 12)}: it was changed since, or is another one`;
}

/** Each evaluator's step and what is missing: counts and ids only, never answers. */

export type BlindProgress = ReturnType<typeof progressOf>;

export function progressOf({ state, head, start }: BlindSession) {
  const { subjects, opened } = state;
  return {
    findings: subjects.findings.size,
    errors: subjects.errors.size,
    entries: head.count,
    head: head.hash,
    truthHash: start.truth,
    evaluators: everybodyIn(state).map((name) => progress(state, evaluatorOf(state, name))),
    // Findings on which those who are done disagree; absent until two are done.
    disputed: finished(state).length >= 2 ? disputedBetween(state) : undefined,
    openedIn: opened?.seq,
  };
}

const STEPS = Object.keys(ANSWERS) as AnswerStep[];

function progress(state: State, evaluator: Evaluator) {
  const { name, sealed, shown } = evaluator;
  const step = (which: AnswerStep) => {
    const done = evaluator[which].size;
    const at = sealed[which];
    if (at !== undefined) return { done, of: done, sealedIn: at };
    return { done, of: done + missingFor(state, evaluator, which, scopeFor(state, name, false)).length };
  };
  return {
    name,
    assess: step('assess'),
    predict: step('predict'),
    match: step('match'),
    truthShown: shown !== undefined,
    next: STEPS.find((which) => sealed[which] === undefined),
  };
}
