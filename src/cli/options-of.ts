import type { Command, Options } from './command.ts';

const GLOBAL_OPTIONS: Options = {
  help: { type: 'boolean', doc: 'Show this help' },
  'no-color': { type: 'boolean', doc: 'Plain text, as with NO_COLOR' },
  debug: { type: 'boolean', doc: 'Show the stack trace of an error' },
};

/** Every option of a command: its own, what comes with printing a result, and those of every command. */
export function optionsOf({ options, asks }: Command): Options {
  const { format } = options;
  return {
    ...(format !== undefined && {
      out: { type: 'string', value: 'FILE', doc: 'Write the result there instead of printing it' },
    }),
    ...(format?.choices?.includes('html') && {
      open: { type: 'boolean', doc: 'Write a page, as with --format html, and open it in the browser' },
    }),
    ...(format !== undefined && !asks && { quiet: { type: 'boolean', doc: 'Only the result and errors' } }),
    ...options,
    ...GLOBAL_OPTIONS,
  };
}
