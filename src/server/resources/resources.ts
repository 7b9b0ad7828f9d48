import type { Route } from '../route.ts';
import { EVENTS } from './events.ts';
import { HEALTH } from './health.ts';
import { OVERVIEW } from './overview.ts';
import { RATINGS } from './ratings.ts';
import { SESSION } from './session.ts';
import { SESSIONS } from './sessions.ts';

/** Every address that is answered, in the order in which it is described. */
export const ROUTES: readonly Route[] = [
  ...OVERVIEW,
  ...SESSIONS,
  ...SESSION,
  ...RATINGS,
  ...EVENTS,
  ...HEALTH,
];
