/** The server of a command line: its ports, its log and its socket, opened and closed together. */
import { AssayError } from '../errors.ts';
import type { OpenPorts } from '../operations/default-ports.ts';
import { EventHub } from './events/hub.ts';
import { LiveSessions } from './live/live-sessions.ts';
import { type LogChoice, openLog } from './log.ts';
import { LIMITS } from './security/limits.ts';
import { needsToken, type ServeChoices, type Serving, startServer } from './serve.ts';
import type { Services } from './services.ts';

export type ServerChoices = Omit<ServeChoices, 'findToken'> &
  Pick<Services, 'folder' | 'machine' | 'config'> & {
    readonly log: { readonly choice: LogChoice; readonly write: (line: string) => void };
    readonly sessions: OpenPorts;
    readonly project: OpenPorts;
    readonly limits?: Partial<typeof LIMITS>;
  };

export async function openServer(choices: ServerChoices): Promise<Serving> {
  const { log, sessions, project, folder, machine, config } = choices;
  if (needsToken(choices))
    throw new AssayError(
      'TOKEN_NEEDED',
      `${choices.host} can be reached from elsewhere, and there is no token yet`,
    );
  const services: Services = {
    sessions,
    project,
    folder,
    machine,
    config,
    events: new EventHub(project.now()),
    live: new LiveSessions(),
    log: openLog(log.choice, log.write, project.now),
    limits: { ...LIMITS, ...choices.limits },
  };
  const serving = await startServer({ ...choices, findToken: () => undefined }, services);
  return {
    url: serving.url,
    stop: async () => {
      await serving.stop();
      await sessions.close();
      await project.close();
    },
  };
}
