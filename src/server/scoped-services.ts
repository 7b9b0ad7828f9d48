/**
 * The services of a handler, narrowed to the projects of the token: stores, events and intake. A handler gets nothing
 * else, so that none can forget to narrow (docs/contributing/decisions/tenancy.md).
 */
import { AssayError } from '../errors.ts';
import { isIn } from '../named-project.ts';
import { ofProjects, type Ports } from '../operations/ports.ts';
import type { Events } from './events/hub.ts';
import type { Access } from './security/access.ts';
import type { ServerServices, Services } from './services.ts';

export function scopedServices(
  services: ServerServices,
  { projects: sees }: Access,
  writesTo: string | undefined,
  /** Called with the project of each published event. */
  published: (project: string) => void,
): Services {
  if (sees === undefined && writesTo === undefined)
    return { ...services, events: telling(services.events, published) };
  const narrowed = (ports: Ports) => ofProjects(ports, { sees, writes: writesTo });
  const { folder, config } = services;
  const isFolderSeen = sees === undefined || isIn(config.project, sees);
  return {
    ...services,
    sessions: narrowed(services.sessions),
    project: narrowed(services.project),
    events: telling(sees === undefined ? services.events : services.events.scopedTo(sees), published),
    writesTo,
    isFolderSeen,
    get folder() {
      if (isFolderSeen) return folder;
      throw new AssayError(
        'FOLDER_UNSEEN',
        'the token has no access to the project of the folder of this server',
      );
    },
    live: {
      get intake() {
        const { intake } = services.live;
        if (sees !== undefined && writesTo === undefined)
          throw new AssayError(
            'REQUEST_REFUSED',
            'the token is not for exactly one project: name the project in the header Assay-Project',
          );
        const scoped: Services['live']['intake'] = {
          lines: (sent, hasEnded) => intake.lines({ ...sent, project: writesTo }, hasEnded),
          telemetry: (kind, encoding, bytes, now) => intake.telemetry(kind, encoding, bytes, now, writesTo),
        };
        return scoped;
      },
    },
  };
}

function telling(events: Events, published: (project: string) => void): Events {
  return {
    server: events.server,
    get last() {
      return events.last;
    },
    get listeners() {
      return events.listeners;
    },
    listen: (listener, last) => events.listen(listener, last),
    publish: (type, data, project) => {
      if (project !== undefined) published(project);
      events.publish(type, data, project);
    },
  };
}
