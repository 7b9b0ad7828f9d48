import { AssayError } from '../../errors.ts';
import type { Block, Document } from '../../report/document.ts';
import { formatCount, formatScore, formatUsd } from '../../report/number.ts';
import { isoTime } from '../../session/iso-time.ts';
import { type Summary, summarise } from '../../session/summary.ts';
import { type Arguments, CONFIG_OPTION, type Command, STORE_OPTION } from '../command.ts';
import { DOCUMENT_FORMAT_OPTION, printDocument } from '../print-report.ts';
import { type Loaded, loadSessions } from './load.ts';
import { PATHS, SCORING_OPTIONS, textOf } from './options.ts';
import { BLIND_SPOT, shortId, worthALook } from './overview.ts';

const DAY_MS = 86_400_000;

export const command: Command = {
  name: 'sessions digest',
  summary: 'What happened in the last day or week, and what changed since the one before',
  positionals: PATHS,
  options: {
    day: { type: 'boolean', doc: 'The last 24 hours' },
    week: { type: 'boolean', doc: 'The last seven days (default)' },
    until: { type: 'string', value: 'TIME', doc: 'The end of the period (default now)' },
    format: DOCUMENT_FORMAT_OPTION,
    ...SCORING_OPTIONS,
    ...STORE_OPTION,
    ...CONFIG_OPTION,
  },
  examples: ['assay sessions digest --day', 'assay sessions digest --week --format markdown'],
  run: async (args, terminal) => {
    const { sessions } = await loadSessions(args, terminal);
    const end = untilOption(args);
    const days = args.values.day === true ? 1 : 7;
    const within = (from: number, to: number) =>
      sessions.filter(
        ({ session: { startedAt } }) => startedAt !== undefined && startedAt >= from && startedAt < to,
      );
    const now = within(end - days * DAY_MS, end + 1);
    const before = within(end - 2 * days * DAY_MS, end - days * DAY_MS);
    const [current, previous] = [now, before].map((period) =>
      summarise(period.map(({ session }) => session)),
    );
    if (current === undefined || previous === undefined) return 3;
    const data = {
      days,
      until: isoTime(end),
      current,
      previous,
      flagged: flagged(now).map(({ session }) => session.sessionId),
    };
    await printDocument(args, terminal, data, () => digestDocument(days, end, now, current, previous));
    return now.length === 0 ? 2 : 0;
  },
};

function untilOption(args: Arguments): number {
  const text = textOf(args, 'until');
  if (text === undefined) return Date.now();
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at))
    throw new AssayError('USAGE', `--until is a date or time such as 2026-11-12, not "${text}"`);
  return at;
}

function flagged(sessions: readonly Loaded[]): Loaded[] {
  return worthALook(sessions).filter(({ session }) => (session.q ?? 1) < 0.4);
}

function digestDocument(
  days: number,
  end: number,
  now: readonly Loaded[],
  current: Summary,
  previous: Summary,
): Document {
  const period = days === 1 ? 'day' : 'week';
  const flags = flagged(now);
  return {
    title: `The ${period} until ${(isoTime(end) ?? '').slice(0, 16).replace('T', ' ')} UTC`,
    answer:
      current.q === undefined
        ? `No session was scored in this ${period}.`
        : `${formatCount(current.n)} sessions, median Q ${formatScore(current.q.median)}, ${formatCount(flags.length)} below 0.40${current.cost === undefined ? '' : `, ${formatUsd(current.cost.totalUsd)}`}.`,
    blocks: [changes(period, current, previous), ...flagList(flags)],
    notes: [BLIND_SPOT],
    next:
      flags[0] === undefined
        ? ['assay sessions score']
        : [`assay sessions explain ${shortId(flags[0].session.sessionId)}`],
  };
}

function changes(period: string, current: Summary, previous: Summary): Block {
  const row = (what: string, now: string | undefined, before: string | undefined) => ({ what, now, before });
  const share = (value: number | undefined) =>
    value === undefined ? undefined : `${Math.round(value * 100)}%`;
  const usd = (value: number | undefined) => (value === undefined ? undefined : formatUsd(value));
  const score = (value: number | undefined) => (value === undefined ? undefined : formatScore(value));
  return {
    kind: 'table',
    title: `Against the ${period} before`,
    columns: [
      { key: 'what', header: '', style: 'text' },
      { key: 'now', header: `this ${period}`, style: 'text' },
      { key: 'before', header: `${period} before`, style: 'text' },
    ],
    rows: [
      row('sessions', formatCount(current.n), formatCount(previous.n)),
      row('median Q', score(current.q?.median), score(previous.q?.median)),
      row('good or better', share(current.q?.goodShare), share(previous.q?.goodShare)),
      row('poor or failed', share(current.q?.poorShare), share(previous.q?.poorShare)),
      row('cost', usd(current.cost?.totalUsd), usd(previous.cost?.totalUsd)),
      row('cost per session', usd(current.cost?.meanUsd), usd(previous.cost?.meanUsd)),
    ],
  };
}

function flagList(flags: readonly Loaded[]): Block[] {
  if (flags.length === 0) return [];
  const items = flags
    .slice(0, 5)
    .map(({ session, why }) => `${shortId(session.sessionId)} Q ${formatScore(session.q ?? 0)}: ${why}`);
  return [{ kind: 'list', title: 'Lowest', items }];
}
