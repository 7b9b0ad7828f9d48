/** Which rules fire, and where alerts go. */
import { z } from 'zod';
import { ALERT_RULES } from '../decomposition/production/alert-rules.ts';

const variable = (what: string) =>
  z.union([z.literal(''), z.string().regex(/^[A-Za-z_]\w*$/)]).describe(what);

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 22:00');

function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

/** Of which kind of value a line is, by the name of its rule. */
const UNITS = new Map<string, string>(ALERT_RULES.map(({ id, unit }) => [id, unit]));

function lineFault(rule: string, line: number | undefined): string | undefined {
  const isShare = ['share', 'score'].includes(UNITS.get(rule) ?? '');
  if (line === undefined || line < 0 || !isShare || line <= 1) return undefined;
  return `the line of ${rule} lies from 0 to 1, not at ${line}; for ${line} percent write ${line / 100}`;
}

export const alertsSettings = z.strictObject({
  rules: z
    .partialRecord(
      z.enum(ALERT_RULES.map(({ id }) => id)),
      z.strictObject({
        line: z.number().min(0).optional(),
        off: z.boolean().optional(),
      }),
    )
    .superRefine((rules, { addIssue }) => {
      for (const [rule, own] of Object.entries(rules)) {
        const message = lineFault(rule, own?.line);
        if (message !== undefined) addIssue({ code: 'custom', path: [rule, 'line'], message });
      }
    })
    .default({})
    .describe(
      'Rules of production with a line of your own, or none: e.g. `{ "latency-high": { line: 8000 }, "cost-high": { off: true } }`.',
    ),
  narrowed: z
    .array(
      z
        .strictObject({
          rule: z.enum(ALERT_RULES.map(({ id }) => id)),
          promptVersion: z.string().min(1).max(200).optional(),
          model: z.string().min(1).max(200).optional(),
          line: z.number().min(0).optional(),
        })
        .refine(
          ({ promptVersion, model }) => promptVersion !== undefined || model !== undefined,
          'a narrowed rule names a promptVersion, a model or both',
        )
        .superRefine(({ rule, line }, { addIssue }) => {
          const message = lineFault(rule, line);
          if (message !== undefined) addIssue({ code: 'custom', path: ['line'], message });
        }),
    )
    .max(50)
    .default([])
    .describe(
      'The same rules once more, for the requests of a prompt version or a model alone: e.g. `[{ rule: "latency-high", promptVersion: "v2", line: 8000 }]`. What is not said is as that of the whole service.',
    ),
  webhook: z
    .union([z.literal(''), z.url({ protocol: /^https?$/ })])
    .default('')
    .describe('Where an event is sent when an alert fires or is resolved: an address, or nothing.'),
  webhookSecret: variable(
    'The environment variable with the secret that these events are signed with.',
  ).default('ASSAY_WEBHOOK_SECRET'),
  slack: variable(
    'The environment variable with the address of an incoming webhook of Slack, or of one that takes the same; or nothing.',
  ).default(''),
  email: z
    .strictObject({
      to: z
        .array(z.email())
        .max(50)
        .default([])
        .describe('Who gets a mail when an alert fires or is resolved.'),
      from: z.string().min(1).max(200).default('assay@localhost').describe('Whom these mails come from.'),
      smtp: variable(
        'The environment variable with the address of the mail server, e.g. `smtp://name:password@mail.example:587`.',
      ).default('ASSAY_SMTP_URL'),
    })
    .prefault({}),
  quiet: z
    .array(
      z.strictObject({
        from: clock,
        until: clock,
        days: z.array(z.enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'])).optional(),
        timeZone: z.string().refine(isTimeZone, 'must be a time zone such as Europe/Paris').default('UTC'),
        critical: z.boolean().default(false),
      }),
    )
    .max(50)
    .default([])
    .describe(
      'When nobody is told of an alert, e.g. `[{ from: "22:00", until: "07:00", timeZone: "Europe/Paris" }]`; what is still open afterwards is told then. Critical ones are told all the same, unless `critical` is true.',
    ),
});
