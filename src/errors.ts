/**
 * Every way Assay refuses to go on, in one table. `docs/errors.md` is generated from it and a test holds the two
 * equal. All of them mean "could not run" (exit code 3): nothing was judged.
 */
export const ERRORS = {
  USAGE: {
    what: 'The command line is not one Assay understands.',
    remedy: 'Run the command with --help; the message names the word that was not understood.',
  },
  CONFIG_INVALID: {
    what: 'The configuration file has an unknown key or a value of the wrong kind.',
    remedy: 'Correct the key that the message names; `assay config` prints every option with its default.',
  },
  CONFIG_UNREADABLE: {
    what: 'The configuration file could not be read or evaluated.',
    remedy: 'Open the file at the place named; a .ts or .js file must `export default` an object.',
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
  INPUT_INVALID: {
    what: 'A file is readable but does not have the shape it should have.',
    remedy: 'Correct the place that the message names; the schema is in the documentation of the command.',
  },
  OUTPUT_FAILED: {
    what: 'The result could not be written.',
    remedy: 'Free space or choose another place with --out; the measurement itself is not affected.',
  },
  STORE_UNSUPPORTED: {
    what: 'The store address names a kind of store this version does not have.',
    remedy: 'Use a file path such as .assay/assay.db.',
  },
  STORE_UNREADABLE: {
    what: 'The store could not be opened.',
    remedy: 'Check that the path is a file you may write and that its folder exists or can be made.',
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
  STORE_BUSY: {
    what: 'Other processes held the store for longer than Assay waits.',
    remedy: 'Run the command again; if it persists, look for a process that keeps a transaction open.',
  },
  STORE_CONFLICT: {
    what: 'A record with this key is already stored with different content.',
    remedy: 'Stored evidence never changes; record the new content under a new key.',
  },
  INTERNAL: {
    what: 'A fault in Assay itself.',
    remedy: 'Run the command again with --debug and report what it prints.',
  },
} as const satisfies Record<string, { what: string; remedy: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** What happened and where is `message`; what to do is `remedy` (by default the table's). */
export class AssayError extends Error {
  override readonly name = 'AssayError';
  readonly code: ErrorCode;
  readonly remedy: string;

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; remedy?: string } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.remedy = options.remedy ?? ERRORS[code].remedy;
  }
}
