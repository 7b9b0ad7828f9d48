import { expect, it } from 'vitest';
import { regexWork } from '../../testing/regex-work.ts';
import { isIdleChange, isNothingToReport } from './nothing-to-report.ts';

const LONG = `## Nightly check

I went through all the sources on the list.

- Inbox: 0 unread, nothing since yesterday evening.
- Calendar: no events today or tomorrow.
- Build: last run passed, same as before.
- Disk: 41% used, within the usual range.
- Error log: no new entries. Warnings: none.
- Backups: checked, all of them are up to date.

I also compared the numbers with those of last week; they are unchanged. The next check is in fifteen minutes.

Summary: nothing to report.`;

it.each([
  'Nothing to report.',
  'Checked the inbox: no new messages.',
  'All clear. I looked at the queue, the mails and the calendar, and everything is as expected.',
  'No alerts found. Errors: 0. The service is healthy.',
  'Hourly sweep done. Three newsletters came in, ignored as instructed. Nothing that needs you.',
  'Repositories scanned: 14. Pull requests awaiting review: 0. Failing builds: 0. No change.',
  'I checked the market and there were no significant moves.',
  'Nichts zu melden. Alle Dienste geprüft, alles ok.',
  'Quiet morning: zero tickets in the queue and the error budget is untouched. Will look again in 15 minutes.',
  'The scan completed and did not turn up anything.',
  'Checked all 14 feeds. None of them has anything new.',
  'Polled the mailbox and the ticket system. Neither has anything for us.',
  LONG,
])('is told of: %j', (text) => {
  expect(isNothingToReport(text)).toBe(true);
});

it.each([
  'Two new mails from the bank need attention; otherwise nothing to report.',
  `${LONG}\n\nOne thing: the certificate expires on Friday.`,
  'No new messages. I restarted the worker because it hung.',
  `No new messages. ${'But here is a lot of work. '.repeat(30)}`,
  'The price dropped by 12%. No other news.',
  'No new emails. One calendar conflict tomorrow at 10:00: two meetings overlap.',
  'No incidents, though latency went from 120 ms to 480 ms.',
  'There are no open incidents. Traffic is 3x the usual level since 07:00.',
  'The market was quiet; I wrote the summary you asked for.',
  'All jobs ran as usual apart from the nightly export.',
])('is not told of: %j', (text) => {
  expect(isNothingToReport(text)).toBe(false);
});

it('tells an all-clear from a report that begins or ends like one', () => {
  const quiet = [
    'Status: green. Deploys: idle. No incidents. Will check again at ten.',
    'I found no issues.',
    'I checked the queue, and it is empty. See you in an hour.',
    'The feed has not changed since the last run, so I am not posting anything.',
  ];
  const news = [
    'Nothing new in the inbox. The build failed twice tonight.',
    'There are no blockers left: I merged the branch and sent the notes.',
    'The backup has not run since Friday. Nothing else to report.',
    'Inbox: one message from the landlord about the heating. Otherwise quiet day.',
    'Everything is fine except that the backup of Tuesday did not run.',
  ];
  expect(quiet.filter((text) => !isNothingToReport(text))).toEqual([]);
  expect(news.filter(isNothingToReport)).toEqual([]);
  expect(isIdleChange('shell', { command: 'date > last-run.txt; kubectl delete pod web' })).toBe(false);
});

it('is told of messages and notes that only say so', () => {
  expect(isIdleChange('message', { to: 'ops', message: LONG })).toBe(true);
  expect(isIdleChange('message', { to: 'ops', message: 'The build failed.' })).toBe(false);
  expect(isIdleChange('write', { path: 'memory/heartbeat-state.json' })).toBe(true);
  expect(isIdleChange('write', { path: 'src/state.ts' })).toBe(false);
  expect(isIdleChange('write', { path: 'memory/2026-03-02.md', content: LONG })).toBe(true);
  expect(isIdleChange('write', { path: 'memory/2026-03-02.md', content: 'Anna moved to Graz.' })).toBe(false);
});

it.each<[boolean, string]>([
  [true, 'date > last-run.txt'],
  [true, 'echo "09:00 checked the inbox, nothing" >> memory/log.md'],
  [true, 'curl -s https://status.example.test 2>/dev/null; date > state/last-check.json'],
  [false, 'echo "Anna moved to Graz" >> memory/log.md'],
  [false, 'echo "export const a = 1;" > src/a.ts'],
  [false, 'date > last-run.txt && git commit -am "noted"'],
  [false, 'date > last-run.txt; rm -rf build'],
])('is %s of a shell that notes: %s', (idle, command) => {
  expect(isIdleChange('shell', { command })).toBe(idle);
});

it('looks at a bounded part of a text, a bounded number of times', () => {
  for (const unit of ['nothing to report. ', 'errors ', 'no new ', '\n', 'a.']) {
    const text = unit.repeat(500_000 / unit.length);
    const { calls, longest } = regexWork(() => void isNothingToReport(text));
    expect(longest, unit).toBeLessThanOrEqual(8_002);
    expect(calls, unit).toBeLessThanOrEqual(15_000);
  }
});

it('does not take what was looked at for what was found', () => {
  const report =
    'I went through the inbox, the calendar of the team and the alerts of the last hour, and compared them with the notes of yesterday. The calendar is as it was, and the alerts are quiet. There is nothing to report.';
  expect(isNothingToReport(report)).toBe(true);
  expect(isNothingToReport('I checked the alerts and two alerts are firing. Nothing else to report.')).toBe(
    false,
  );
});
