import type { Alert } from '../../../store/store.ts';

export function anAlert(part: Partial<Alert> = {}): Alert {
  return {
    alertId: 'errors-high:production:1',
    instrument: 'decomposition',
    severity: 'critical',
    rule: 'errors-high',
    subject: 'production',
    message: 'Error rate, last 15 minutes: 4.0%, above 1.0% (500 requests)',
    at: '2026-11-16T05:00:00.000Z',
    ...part,
  };
}
