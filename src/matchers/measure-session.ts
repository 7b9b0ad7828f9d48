/** Q of a transcript, for a test. */
import { AssayError } from '../errors.ts';
import { defaultPorts } from '../operations/default-ports.ts';
import { scoreSessions } from '../operations/session/score-sessions.ts';
import { homeOf } from '../own-folder.ts';

/** Of the session that has the lowest; one without a Q is an error. */
export async function lowestQ(path: string): Promise<{ readonly session: string; readonly q: number }> {
  const ports = defaultPorts();
  const machine = { home: homeOf(process.env), environment: process.env };
  const scored: { session: string; q: number }[] = [];
  const without: string[] = [];
  try {
    const { unreadable } = await scoreSessions(
      { from: { paths: [path], ...machine }, opinions: false },
      ports,
      ({ session }) => {
        if (session.q === undefined) without.push(session.sessionId);
        else scored.push({ session: session.sessionId, q: session.q });
      },
    );
    without.push(...unreadable.map((one) => one.path));
  } finally {
    await ports.close();
  }
  const [lowest] = scored.toSorted((a, b) => a.q - b.q);
  if (lowest === undefined || without.length > 0)
    throw new AssayError(
      'INPUT_INVALID',
      `${path} has no session with a Q${without.length > 0 ? `: ${without.join(', ')}` : ''}`,
    );
  return lowest;
}
