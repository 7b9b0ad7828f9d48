import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultPorts, type OpenPorts } from '../default-ports.ts';
import { type AlertChange, changeAlert } from './change-alert.ts';
import { listAlerts, readAlert } from './read-alerts.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

let ports: OpenPorts;
let seconds = 10;

beforeEach(async () => {
  seconds = 10;
  ports = defaultPorts({ now: () => new Date(at(seconds)), identity: () => 'ada' });
  const store = await ports.store();
  await store.appendAlerts(
    [1, 2].map((n) => ({
      alertId: `alert-${n}`,
      instrument: 'decomposition',
      severity: 'warning' as const,
      rule: 'three-declines',
      subject: 'suite',
      message: 'Recall fell 3 runs in a row',
      at: at(n),
    })),
  );
});

afterEach(() => ports.close());

const change = (to: AlertChange, why?: string) => changeAlert({ id: 'alert-1', change: to, why }, ports);

describe('an alert', () => {
  it('is acknowledged, silenced, resolved and opened again, and keeps every step with who and why', async () => {
    expect((await change({ to: 'acknowledged' }, 'looking')).state).toBe('acknowledged');
    seconds = 11;
    expect((await change({ to: 'silenced', until: at(20) })).state).toBe('silenced');
    seconds = 12;
    expect((await change({ to: 'resolved' }, 'fixed the prompt')).state).toBe('resolved');
    expect((await change({ to: 'open' })).state).toBe('open');
    const { events } = await readAlert({ id: 'alert-1' }, ports);
    expect(events.map(({ state, who, why, until }) => [state, who, why, until])).toEqual([
      ['acknowledged', 'ada', 'looking', undefined],
      ['silenced', 'ada', undefined, at(20)],
      ['resolved', 'ada', 'fixed the prompt', undefined],
      ['open', 'ada', undefined, undefined],
    ]);
  });

  it('is open again when its silence is over, without anybody doing anything', async () => {
    await change({ to: 'silenced', until: at(20) });
    expect((await readAlert({ id: 'alert-1' }, ports)).alert.state).toBe('silenced');
    seconds = 20;
    expect((await readAlert({ id: 'alert-1' }, ports)).alert.state).toBe('open');
  });

  it('that is resolved is opened again before anything else, and a silence ends in the future', async () => {
    await expect(change({ to: 'silenced', until: at(10) })).rejects.toMatchObject({ code: 'ALERT_STATE' });
    await expect(change({ to: 'open' })).rejects.toMatchObject({ code: 'ALERT_STATE' });
    await change({ to: 'resolved' });
    await expect(change({ to: 'acknowledged' })).rejects.toMatchObject({ code: 'ALERT_STATE' });
    await expect(change({ to: 'silenced', until: 'soon' })).rejects.toMatchObject({ code: 'ALERT_STATE' });
    expect((await readAlert({ id: 'alert-1' }, ports)).events).toHaveLength(1);
  });

  it('that nobody knows is said to be unknown', async () => {
    await expect(readAlert({ id: 'alert-3' }, ports)).rejects.toMatchObject({ code: 'ALERT_NOT_FOUND' });
  });

  it('is listed newest first, by state, in pages', async () => {
    await change({ to: 'resolved' });
    const ids = async (request: object) => (await listAlerts(request, ports)).map(({ alertId }) => alertId);
    expect(await ids({})).toEqual(['alert-2', 'alert-1']);
    expect(await ids({ states: ['open'] })).toEqual(['alert-2']);
    expect(await ids({ limit: 1, after: { at: at(2), key: 'alert-2' } })).toEqual(['alert-1']);
  });
});
