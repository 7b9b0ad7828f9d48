import type { AlertEventWire } from '../../api/schema/alert.ts';

/** One line: what it is, and whether it is over. */
export function alertHeadline({ type, alert }: AlertEventWire): string {
  return type === 'alert.resolved'
    ? `Resolved: ${alert.message}`
    : `${titled(alert.severity)}: ${alert.message}`;
}

function titled(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
