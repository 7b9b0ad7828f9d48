/** The server of a command line: its ports, its log and its socket, opened and closed together. */
import { AssayError } from '../errors.ts';
import type { OpenPorts } from '../operations/default-ports.ts';
import { AuditLog } from './audit/audit-log.ts';
import { EventHub } from './events/hub.ts';
import { LiveSessions } from './live/live-sessions.ts';
import { type LogChoice, openLog } from './log.ts';
import { LIMITS, LOCAL_RATE } from './security/limits.ts';
import { isOver, listTokens, tokenPath, tokensIn } from './security/tokens.ts';
import { needsToken, type ServeChoices, type Serving, startServer } from './serve.ts';
import type { ServerServices, Services } from './services.ts';

/** What resources need, whether or not there is a socket. */
export type ServiceChoices = Pick<Services, 'folder' | 'machine' | 'config'> & {
  readonly log: { readonly choice: LogChoice; readonly write: (line: string) => void };
  readonly sessions: OpenPorts;
  readonly project: OpenPorts;
  readonly limits?: Partial<typeof LIMITS>;
};

export type ServerChoices = Omit<ServeChoices, 'findToken'> & ServiceChoices;

export function openServices({ log, limits, ...choices }: ServiceChoices): ServerServices {
  const { sessions, project, folder, machine, config } = choices;
  const logger = openLog(log.choice, log.write, project.now);
  return {
    sessions,
    project,
    folder,
    isFolderSeen: true,
    sealedIn: folder,
    machine,
    config,
    events: new EventHub(project.now),
    live: new LiveSessions(),
    log: logger,
    audit: new AuditLog(sessions, logger),
    limits: { ...LIMITS, ...limits },
  };
}

export async function openServer(choices: ServerChoices): Promise<Serving> {
  const { sessions, project, machine, config } = choices;
  const tokens = tokenPath(machine.environment);
  if (needsToken(choices)) assertTokens(tokens, choices.host, project.now());
  const limits = { ...(!needsToken(choices) && { rate: LOCAL_RATE }), ...choices.limits };
  const services = openServices({ ...choices, limits });
  const close = async () => {
    await sessions.close();
    await project.close();
  };
  const findToken = tokensIn(tokens, project.now, config.teams);
  const serving = await startServer({ ...choices, findToken }, services).catch(async (error) => {
    await close();
    throw error;
  });
  return {
    ...serving,
    stop: async () => {
      await serving.stop();
      await close();
    },
  };
}

/** Refuses to open an address that other hosts reach without tokens. */
function assertTokens(path: string, host: string, now: Date): void {
  if (listTokens(path).some((one) => !isOver(one, now.toISOString()))) return;
  throw new AssayError('TOKEN_NEEDED', `other hosts can reach ${host}, and there is no valid token`, {
    remedy: [{ say: 'Create one first', step: { operation: 'token create' } }],
  });
}
