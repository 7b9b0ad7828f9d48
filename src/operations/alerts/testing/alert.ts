import type { Alert } from '../../../store/store.ts';

export function anAlert(part: Partial<Alert> = {}): Alert {
  return {
    alertId: 'errors-high:production:1',
    instrument: 'decomposition',
    severity: 'critical',
    rule: 'errors-high',
    subject: 'production',
    message: 'Error rate of the last 15 minutes is 4.0% (line 1%, n = 500)',
    at: '2026-11-16T05:00:00.000Z',
    ...part,
  };
}
