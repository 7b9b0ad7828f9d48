import { CONFIG_OPTION, type Command, STORE_OPTION } from '../command.ts';

export const AUDIT_OPTIONS = {
  format: { type: 'string', choices: ['table', 'json'], default: 'table', doc: 'How to print it' },
  ...STORE_OPTION,
  ...CONFIG_OPTION,
} as const satisfies Command['options'];
