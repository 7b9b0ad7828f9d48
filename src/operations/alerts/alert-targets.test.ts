import { createHmac } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { alertEvent } from '../../api/schema/alert.ts';
import { configSchema, type UserConfig } from '../../config.ts';
import { defaultPorts } from '../default-ports.ts';
import { Outbox } from '../deliveries/outbox.ts';
import { alertTargets } from './alert-targets.ts';
import { announceAlerts } from './announce-alerts.ts';
import { changeAlert } from './change-alert.ts';
import { anAlert } from './testing/alert.ts';
import { listener } from './testing/listener.ts';

const SECRET = 'a secret of two';
const START = Date.parse('2026-11-16T05:00:30.000Z');

/** One alert in a store, and a clock that the test moves. */
async function desk(
  alerts: NonNullable<UserConfig['alerts']>,
  environment: Record<string, string> = {},
  log?: (line: object) => void,
) {
  let now = START;
  const ports = defaultPorts({ now: () => new Date(now), identity: () => 'ada' });
  onTestFinished(() => ports.close());
  const { alerts: settings } = configSchema.parse({ alerts });
  const targets = alertTargets({ settings, environment, now: ports.now, ...(log && { log }) });
  const failures: string[] = [];
  const outbox = new Outbox(targets, ports, { onFailure: ({ why }) => void failures.push(why) });
  const store = await ports.store();
  await store.appendAlerts([anAlert()]);
  const round = async () => {
    const added = await announceAlerts({ targets: outbox.names, quiet: settings.quiet }, ports);
    await outbox.flush();
    return added;
  };
  const later = (ms: number) => {
    now += ms;
  };
  return { ports, store, round, later, failures };
}

const MINUTE = 60_000;

describe('a webhook', () => {
  it('is told once that an alert fired and once that it is over, signed', async () => {
    const { url, heard } = await listener();
    const { round, later, ports } = await desk({ webhook: url }, { ASSAY_WEBHOOK_SECRET: SECRET });
    await round();
    later(MINUTE);
    await round();
    await changeAlert({ id: anAlert().alertId, change: { to: 'resolved' }, why: 'rolled back' }, ports);
    await round();
    later(MINUTE);
    await round();
    const events = heard.map(({ body }) => alertEvent.parse(JSON.parse(body)));
    expect(events.map(({ type, who, why }) => [type, who, why])).toEqual([
      ['alert.fired', null, null],
      ['alert.resolved', 'ada', 'rolled back'],
    ]);
    for (const { headers, body } of heard) {
      const signedText = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
      const sum = createHmac('sha256', SECRET).update(signedText).digest('base64');
      expect(headers['webhook-signature']).toBe(`v1,${sum}`);
    }
  });

  it('is asked again, later and later, until it answers well', async () => {
    const { url, heard } = await listener((response, count) =>
      response.writeHead(count < 4 ? 503 : 200).end(),
    );
    const { round, later, failures } = await desk({ webhook: url }, { ASSAY_WEBHOOK_SECRET: SECRET });
    const seconds: number[] = [];
    for (let second = 0; second < 60; second += 1) {
      const before = heard.length;
      await round();
      if (heard.length > before) seconds.push(second);
      later(1000);
    }
    // 2, 4 and 8 seconds, of which up to half is taken away by chance.
    expect(seconds).toHaveLength(4);
    const waits = seconds.slice(1).map((second, i) => second - (seconds[i] ?? 0));
    expect(waits.every((wait, i) => wait >= 2 ** i && wait <= 2 ** (i + 1) + 1)).toBe(true);
    expect(failures).toEqual(Array(3).fill('the response was 503'));
  });

  it('is asked for three days and no longer', async () => {
    const { url, heard } = await listener((response) => response.writeHead(500).end());
    const { round, later, store } = await desk({ webhook: url }, { ASSAY_WEBHOOK_SECRET: SECRET });
    for (let hour = 0; hour < 80; hour += 1) {
      await round();
      later(60 * MINUTE);
    }
    expect(heard.length).toBeGreaterThan(60);
    expect(heard.length).toBeLessThan(76);
    expect(await store.pendingDeliveries()).toEqual([]);
  });
});

describe('nobody is told', () => {
  it('of an alert that somebody has acknowledged or silenced before', async () => {
    for (const change of [
      { to: 'acknowledged' } as const,
      { to: 'silenced', until: new Date(START + 10 * MINUTE).toISOString() } as const,
    ]) {
      const { url, heard } = await listener();
      const { round, ports, later } = await desk({ webhook: url }, { ASSAY_WEBHOOK_SECRET: SECRET });
      await changeAlert({ id: anAlert().alertId, change }, ports);
      await round();
      later(9 * MINUTE);
      await round();
      expect(heard).toEqual([]);
      later(MINUTE);
      await round();
      // A silence ends by itself, and what is open then is news.
      expect(heard).toHaveLength(change.to === 'silenced' ? 1 : 0);
    }
  });

  it('in a quiet period; what is still open afterwards is told then, what was over meanwhile never', async () => {
    const { url, heard } = await listener();
    const quiet = [{ from: '04:00', until: '06:00', critical: true }];
    const { round, later, ports, store } = await desk(
      { webhook: url, quiet },
      { ASSAY_WEBHOOK_SECRET: SECRET },
    );
    await store.appendAlerts([anAlert({ alertId: 'over', at: '2026-11-16T05:00:10.000Z' })]);
    await round();
    await changeAlert({ id: 'over', change: { to: 'resolved' } }, ports);
    await round();
    expect(heard).toEqual([]);
    later(60 * MINUTE);
    await round();
    expect(heard.map(({ body }) => JSON.parse(body).alert.id)).toEqual([anAlert().alertId]);
  });
});

describe('the log', () => {
  it('is told as everybody else', async () => {
    const lines: object[] = [];
    const { round } = await desk({}, {}, (line) => void lines.push(line));
    await round();
    await round();
    expect(lines).toEqual([expect.objectContaining({ type: 'alert.fired' })]);
  });
});

describe('Slack, and who speaks like it', () => {
  it('is sent JSON with a text in which nothing is a link or a mention', async () => {
    const { url, heard } = await listener();
    const { round, store } = await desk({ slack: 'TEAM_SLACK' }, { TEAM_SLACK: url });
    await store.appendAlerts([
      anAlert({ alertId: 'b', message: '<!channel> & more', at: '2026-11-16T05:00:20.000Z' }),
    ]);
    await round();
    const [first, second] = heard.map(({ body }) => JSON.parse(body));
    expect(first).toMatchObject({
      text: 'Critical: Error rate, last 15 minutes: 4.0%, above 1.0% (500 requests)',
      attachments: [
        {
          color: '#a30200',
          fields: expect.arrayContaining([{ title: 'Rule', value: 'errors-high', short: true }]),
        },
      ],
    });
    expect(second.text).toBe('Critical: &lt;!channel&gt; &amp; more');
  });
});

/** A mail server that wants a password, and refuses the first mails of `refusals` for now. */
async function mailServer(refusals = 0) {
  const mails: { readonly to: readonly string[]; readonly text: string; readonly user?: string }[] = [];
  let left = refusals;
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _, done) =>
      password === 'hunter2' ? done(null, { user: username ?? '' }) : done(new Error('no such user')),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        left -= 1;
        if (left >= 0) return done(Object.assign(new Error('try again'), { responseCode: 451 }));
        mails.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString(),
          user: String(session.user),
        });
        return done();
      });
    },
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => new Promise<void>((done) => server.close(() => done())));
  const { port } = server.server.address() as AddressInfo;
  return { mails, urlFor: (password: string) => `smtp://ada:${password}@127.0.0.1:${port}` };
}

describe('e-mail', () => {
  const email = { to: ['oncall@team.example', 'lead@team.example'], from: 'Assay <assay@team.example>' };

  it('goes through a mail server to everybody, and the end below the beginning', async () => {
    const { mails, urlFor } = await mailServer(1);
    const { round, later, ports, failures } = await desk({ email }, { ASSAY_SMTP_URL: urlFor('hunter2') });
    await round();
    expect(failures.join()).toContain('451');
    later(10_000);
    await round();
    await changeAlert({ id: anAlert().alertId, change: { to: 'resolved' } }, ports);
    await round();
    expect(mails.map(({ to, user }) => [to, user])).toEqual(Array(2).fill([email.to, 'ada']));
    const [fired = '', over = ''] = mails.map(({ text }) => text);
    expect(fired).toContain('Subject: Critical: Error rate, last 15 minutes: 4.0%');
    expect(fired).toContain('Auto-Submitted: auto-generated');
    expect(over).toContain('Subject: Resolved: ');
    const [, id] = /Message-ID: (<.*>)/.exec(fired) ?? [];
    expect(over).toContain(`In-Reply-To: ${id}`);
  });

  it('says why it could not be sent without saying the password', async () => {
    const { mails, urlFor } = await mailServer();
    const { round, failures } = await desk({ email }, { ASSAY_SMTP_URL: urlFor('wrong-password') });
    await round();
    expect(mails).toEqual([]);
    expect(failures.join()).toContain('no such user');
    expect(failures.join()).not.toContain('wrong-password');
  });
});

it.each([
  [{ webhook: 'https://hooks.example/x' }, 'alerts.webhookSecret names the variable ASSAY_WEBHOOK_SECRET'],
  [{ slack: 'TEAM_SLACK' }, 'alerts.slack names the variable TEAM_SLACK, which is not set'],
  [{ email: { to: ['a@team.example'] } }, 'alerts.email.smtp names the variable ASSAY_SMTP_URL'],
  [{ webhook: 'https://ada:pass@hooks.example/x' }, 'alerts.webhook contains a name or password'],
])('refuses %j without its secret', (alerts, message) => {
  const { alerts: settings } = configSchema.parse({ alerts });
  const now = () => new Date(START);
  expect(() => alertTargets({ settings, environment: {}, now })).toThrow(message);
});

it.each([
  [
    { slack: 'TEAM_SLACK' },
    'hunter2',
    'alerts.slack names the variable TEAM_SLACK, which contains no address',
  ],
  [{ slack: 'TEAM_SLACK' }, 'smtp://ada:hunter2@mail.example', 'begins with https://'],
  [
    { email: { to: ['a@team.example'], smtp: 'TEAM_SLACK' } },
    'https://ada:hunter2@mail.example',
    'begins with smtp://',
  ],
])('refuses %j where the variable contains no such address, without quoting it', (alerts, held, message) => {
  const { alerts: settings } = configSchema.parse({ alerts });
  const making = () =>
    alertTargets({ settings, environment: { TEAM_SLACK: held }, now: () => new Date(START) });
  expect(making).toThrow(message);
  expect(making).not.toThrow('hunter2');
});
