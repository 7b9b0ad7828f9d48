import { AssayError } from '../../errors.ts';
import { type Arguments, CONFIG_OPTION, type Command, STORE_OPTION } from '../command.ts';

export const ALERT_OPTIONS = {
  format: { type: 'string', choices: ['table', 'json'], default: 'table', doc: 'How to print it' },
  ...STORE_OPTION,
  ...CONFIG_OPTION,
} as const satisfies Command['options'];

export const CHANGE_OPTIONS = {
  why: { type: 'string', value: 'TEXT', doc: 'Why, for who reads it later' },
  ...ALERT_OPTIONS,
} as const satisfies Command['options'];

export function alertId({ positionals: [id] }: Arguments, name: string): string {
  if (id !== undefined) return id;
  throw new AssayError('USAGE', `assay ${name} needs the id of an alert`, {
    remedy: [{ say: 'See which there are', step: { operation: 'alerts list' } }],
  });
}
