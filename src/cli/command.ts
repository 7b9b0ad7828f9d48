/** What a command is: plain data that help, the reference and the parser read, and a function that runs it. */
import type { AssayError } from '../errors.ts';
import type { Given } from '../report/action.ts';
import { DOCUMENT_FORMATS, FORMATS } from '../report/format.ts';

type Described = {
  readonly doc: string;
  /** What the value is called in help, e.g. `PATH`. */
  readonly value?: string;
};

/** The parser checks and converts every value, so that no command does. */
export type Option =
  | (Described & { readonly type: 'flag' })
  | (Described & {
      readonly type: 'text' | 'path';
      readonly default?: string;
      readonly required?: true;
      /** Further values join the positional arguments. */
      readonly repeatable?: true;
    })
  | (Described & {
      readonly type: 'number';
      readonly min?: number;
      readonly max?: number;
      /** Greater than this. */
      readonly above?: number;
      readonly whole?: true;
      readonly default?: number;
    })
  | (Described & {
      readonly type: 'choice';
      readonly choices: readonly string[];
      readonly default?: string;
    })
  /** Commas or repeated options. */
  | (Described & { readonly type: 'list'; readonly choices?: readonly string[] })
  /** `KEY=VALUE,…`; of numbers where `number` is set. */
  | (Described & { readonly type: 'pairs'; readonly keys?: () => readonly string[]; readonly number?: true })
  /** `90s`, `15m`, `8h`, `7d`, `2w`, in milliseconds. */
  | (Described & { readonly type: 'duration'; readonly default?: string })
  /** A date, a time, or how long ago, in milliseconds since 1970; of a date at the end the whole day counts. */
  | (Described & { readonly type: 'time'; readonly end?: true; readonly default?: string })
  | (Described & { readonly type: 'timezone' });

export type Options = Readonly<Record<string, Option>>;

export type Pairs<Value = string> = readonly (readonly [key: string, value: Value])[];

type ValueOf<O extends Option> = O extends { type: 'flag' }
  ? boolean
  : O extends { type: 'number' | 'duration' | 'time' }
    ? number
    : O extends { type: 'choice'; choices: readonly (infer Choice)[] }
      ? Choice
      : O extends { type: 'list'; choices: readonly (infer Choice)[] }
        ? readonly Choice[]
        : O extends { type: 'list' }
          ? readonly string[]
          : O extends { type: 'pairs'; number: true }
            ? Pairs<number>
            : O extends { type: 'pairs' }
              ? Pairs
              : string;

type Absent<O extends Option> = O extends { type: 'flag' } | { required: true } | { default: string | number }
  ? never
  : undefined;

export type Value = string | number | boolean | readonly string[] | Pairs | Pairs<number> | undefined;

export type Values<O extends Options> = { readonly [Name in keyof O]: ValueOf<O[Name]> | Absent<O[Name]> };

export type Arguments<O extends Options = Record<never, never>> = {
  readonly positionals: readonly string[];
  readonly values: Values<O>;
  /** The options as they were typed, without those that only repeat a default. */
  readonly given: Given;
};

/** The same for commands that have only some of the options. */
export type SomeArguments<O extends Options> = Omit<Arguments, 'values'> & {
  readonly values: Partial<Values<O>>;
};

export type Declared<O extends Options> = {
  /** The words that call it, e.g. `runs`. */
  readonly name: string;
  readonly summary: string;
  /** Positional arguments as help shows them, e.g. `[ID]`, and how many are needed and allowed. */
  readonly positionals?: { readonly usage: string; readonly min?: number; readonly max: number };
  readonly options: O;
  readonly examples: readonly string[];
  /**
   * Agents, editors and services start it, in folders that others write to: it reads configuration that is data, and never
   * runs one that is a program.
   */
  readonly dataOnly?: true;
  /** It asks questions while it runs, so `--quiet` does not apply. */
  readonly asks?: true;
  /** What its help adds at the end, such as its exit codes. */
  readonly notes?: readonly string[];
  /**
   * For a command that approves, rates, changes or deletes: the subject for the audit log; undefined: nothing this
   * time.
   */
  audited?(args: Arguments<O>): string | undefined;
  run(args: Arguments<O>, terminal: Terminal): Promise<number>;
};

export type Command = Declared<Options>;

export type CommandEntry = {
  readonly name: string;
  readonly summary: string;
  /** Its file is loaded only when it is used. */
  readonly load: () => Promise<{ readonly command: Command }>;
};

export function defineCommand<const O extends Options>(command: Declared<O>): Declared<O> {
  return command;
}

/** As operations take a time. */
export function isoTime(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}

/** Where a command writes, and what the output supports. */
export type Terminal = {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** As of the command that runs. */
  readonly dataOnly?: true;
  readonly width: number;
  readonly colour: boolean;
  /** Results. */
  readonly print: (text: string) => void;
  /** Progress and notes; never results. */
  readonly note: (text: string) => void;
  /** A line that replaces itself on a terminal and stays silent elsewhere. */
  readonly progress: (text: string) => void;
  /** A failure apart from the result: reported after it, with exit code 3. */
  readonly failAtEnd: (error: AssayError) => void;
};

export const CONFIG_OPTION = {
  config: {
    type: 'path',
    value: 'FILE',
    doc: 'Configuration file (default: the nearest assay.config.ts, .js, .json or .yaml)',
  },
} as const satisfies Options;

const STORE_OPTION = {
  store: {
    type: 'path',
    value: 'PATH',
    doc: 'Where results are stored (default: assay.db in your data folder)',
  },
} as const satisfies Options;

/** The store and the configuration: what every command takes that stores or reads results. */
export const STORE_OPTIONS = { ...STORE_OPTION, ...CONFIG_OPTION } as const satisfies Options;

/** The same for measurements, which can also be made without storing them. */
export const STORING_OPTIONS = {
  ...STORE_OPTION,
  'no-store': { type: 'flag', doc: 'Store nothing, and read nothing that was stored' },
} as const satisfies Options;

/** What says which configuration and which store are meant. */
export type StoreArguments = {
  readonly values: Partial<Values<typeof STORING_OPTIONS & typeof CONFIG_OPTION>>;
};

const [TABLE, ...PAGES] = DOCUMENT_FORMATS;

/** How a command prints a result of which one table has it all. */
export const FORMAT_OPTION = {
  type: 'choice',
  choices: [TABLE, 'json', 'jsonl', 'csv', ...PAGES],
  default: TABLE,
  doc: 'How to print it',
} as const satisfies Option;

/** The same for results that are more than one table. */
export const DOCUMENT_FORMAT_OPTION = {
  type: 'choice',
  choices: [TABLE, 'json', ...PAGES],
  default: TABLE,
  doc: 'How to print it',
} as const satisfies Option;

/** The same for runs that CI reads too. */
export const RUN_FORMAT_OPTION = {
  type: 'choice',
  choices: FORMATS,
  default: TABLE,
  doc: 'How to print the result',
} as const satisfies Option;

export const TABLE_FORMAT_OPTION = {
  type: 'choice',
  choices: ['table', 'json'],
  default: 'table',
  doc: 'How to print it',
} as const satisfies Option;

export const ALL_OPTION = { type: 'flag', doc: 'Show every row of long tables' } as const satisfies Option;

const GLOBAL_OPTIONS = {
  help: { type: 'flag', doc: 'Show this help' },
  'no-color': { type: 'flag', doc: 'Plain text, as with NO_COLOR' },
  debug: { type: 'flag', doc: 'Show the stack trace of an error' },
} as const satisfies Options;

/** Every option of a command: its own, those of printing, and the common ones. */
export function optionsOf({ options, asks }: Pick<Command, 'options' | 'asks'>): Options {
  const { format } = options;
  const hasPages = format?.type === 'choice' && format.choices.includes('html');
  return {
    ...(format && {
      out: { type: 'path', value: 'FILE', doc: 'Write the result there instead of printing it' },
    }),
    ...(hasPages && {
      open: { type: 'flag', doc: 'Write a page, as with --format html, and open it in the browser' },
    }),
    ...(format && !asks && { quiet: { type: 'flag', doc: 'Only the result and errors' } }),
    ...options,
    ...GLOBAL_OPTIONS,
  };
}
