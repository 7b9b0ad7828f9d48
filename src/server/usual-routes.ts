import { countSessions } from '../operations/list-runs.ts';
import { makeUsualRoutes } from './resources/route.ts';
import type { BackgroundTask, ServerServices } from './services.ts';

/** Whoever opened the server looks at other pages first. */
const AFTER_MS = 3000;
/** Over fewer it is made at once when somebody asks. */
const MANY = 5000;

/**
 * Over many sessions the policy of routing takes seconds, so it is made before somebody looks at it: once, in turns with
 * what is asked meanwhile.
 */
export function usualRoutesTask({ afterMs, many }: { afterMs: number; many: number }): BackgroundTask {
  return {
    name: 'the policy of routing',
    start: async (services) => {
      let isOver = false;
      const timer = setTimeout(() => void make(services, many, () => isOver), afterMs);
      timer.unref();
      return {
        stop: async () => {
          isOver = true;
          clearTimeout(timer);
        },
      };
    },
  };
}

async function make(services: ServerServices, many: number, isOver: () => boolean): Promise<void> {
  try {
    const { sessions } = await countSessions(services.sessions);
    if (sessions < many || isOver()) return;
    if (await makeUsualRoutes(services)) services.log('info', 'routes', { sessions });
  } catch (error) {
    // It is made when somebody asks for it; a store that was closed under it is no news.
    if (!isOver())
      services.log('warn', 'routes', { why: error instanceof Error ? error.message : String(error) });
  }
}

export const USUAL_ROUTES = usualRoutesTask({ afterMs: AFTER_MS, many: MANY });
