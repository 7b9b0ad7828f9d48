/** What a command is: plain data that help, the reference and the parser read, and a function that runs it. */
import type { AssayError } from '../errors.ts';

export type Option = {
  readonly type: 'string' | 'boolean';
  readonly doc: string;
  /** What the value is called in help, e.g. `PATH`. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly default?: string;
  /** It may be given again; its further values join the positional arguments. */
  readonly repeatable?: true;
  /** It may be given again; its values are one list with commas between them. */
  readonly list?: true;
};

export type Options = Readonly<Record<string, Option>>;

export type Arguments = {
  readonly positionals: readonly string[];
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
};

export type Command = {
  /** The words that call it, e.g. `runs`. */
  readonly name: string;
  readonly summary: string;
  /** Positional arguments as help shows them, e.g. `[ID]`, and how many are allowed. */
  readonly positionals?: { readonly usage: string; readonly max: number };
  readonly options: Options;
  readonly examples: readonly string[];
  /**
   * Agents, editors and services start it, in folders that others write to: it reads configuration that is data, and never
   * runs one that is a program.
   */
  readonly dataOnly?: true;
  /** It talks with the person while it runs, so that nothing it says can be left out. */
  readonly asks?: true;
  /** What its help adds at the end, e.g. exit codes of its own. */
  readonly notes?: readonly string[];
  readonly run: (args: Arguments, terminal: Terminal) => Promise<number>;
};

/** Where a command writes and what it may assume about the reader. */
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
  /** What went wrong beside the result: said after it, and the command ends with exit code 3. */
  readonly failAtEnd: (error: AssayError) => void;
};

export const STORE_OPTION: Options = {
  store: { type: 'string', value: 'PATH', doc: 'Where results are kept (default .assay/assay.db)' },
};

export const CONFIG_OPTION: Options = {
  config: {
    type: 'string',
    value: 'FILE',
    doc: 'Configuration file (default: the nearest assay.config.ts, .js, .json or .yaml)',
  },
};

/** The same where results are kept that somebody may not want to keep. */
export const KEEPING_OPTIONS: Options = {
  ...STORE_OPTION,
  'no-store': { type: 'boolean', doc: 'Keep nothing, and look at nothing that was kept' },
};
