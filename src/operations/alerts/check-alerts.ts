/**
 * Evaluates the production rules and stores what changed: alerts that fire and alerts whose condition is over. Every
 * key is derived from the store, so that of two processes only one writes it.
 */
import { type RuleFinding, sayFinding } from '../../decomposition/production/rule-finding.ts';
import type { Alert, AlertEvent, Store, TrackedAlert } from '../../store/store.ts';
import { isNew } from '../deliveries/is-new.ts';
import { ofProjects, type Ports } from '../ports.ts';
import { type FindingsRequest, productionFindings } from './production-findings.ts';

/** The author of an automatic resolution. */
const NOBODY = 'assay';

export type CheckedAlerts = {
  readonly findings: readonly RuleFinding[];
  /** New since the last look, by this look. */
  readonly fired: readonly Alert[];
  readonly resolved: readonly AlertEvent[];
};

/** Each project on its own, and all together while there are requests without a project. */
export async function checkAlerts(request: FindingsRequest, ports: Ports): Promise<CheckedAlerts> {
  const findings = await productionFindings(request, ports);
  const [fired, resolved]: [Alert[], AlertEvent[]] = [[], []];
  for (const project of await projectsSeen(ports)) {
    const own = project === undefined ? ports : ofProjects(ports, { sees: [project], writes: project });
    const found = project === undefined ? findings : await productionFindings(request, own);
    const changed = await settle(
      found.map((one) => ofProject(one, project)),
      own,
    );
    fired.push(...changed.fired.map((one) => ({ ...one, ...(project !== undefined && { project }) })));
    resolved.push(...changed.resolved);
  }
  return { findings, fired, resolved };
}

/** Those of the last days: a rule that looks at less sees nothing of the others. */
const LOOKED_AT_MS = 32 * 86_400_000;

async function projectsSeen(ports: Ports): Promise<readonly (string | undefined)[]> {
  const store = await ports.store('looking');
  const since = new Date(ports.now().getTime() - LOOKED_AT_MS).toISOString();
  const cells = await store.productionCells({ by: 'day', since, perProject: true });
  return cells.length === 0 ? [undefined] : [...new Set(cells.map(({ project }) => project))];
}

function ofProject(finding: RuleFinding, project: string | undefined): RuleFinding {
  return project === undefined ? finding : { ...finding, subject: `${finding.subject} of ${project}` };
}

async function settle(
  findings: readonly RuleFinding[],
  ports: Ports,
): Promise<Pick<CheckedAlerts, 'fired' | 'resolved'>> {
  const store = await ports.store('looking');
  const fired: Alert[] = [];
  const resolved: AlertEvent[] = [];
  for (const finding of findings) {
    const now = ports.now();
    const last = await lastAlert(store, finding, now);
    const isOpen = last !== undefined && last.state !== 'resolved';
    if (finding.state === 'firing' && !isOpen && mayFire(finding, last, now)) {
      const alert = await fire(store, finding, last, now);
      if (alert !== undefined) fired.push(alert);
    }
    if (finding.state === 'ok' && isOpen) {
      const event = await resolve(store, finding, last, now);
      if (event !== undefined) resolved.push(event);
    }
  }
  return { fired, resolved };
}

async function lastAlert(
  store: Store,
  { rule, subject }: RuleFinding,
  now: Date,
): Promise<TrackedAlert | undefined> {
  const about = { rule: rule.id, subject, now: now.toISOString() };
  return (await store.trackAlerts({ ...about, order: 'newest', limit: 1 }))[0];
}

/** An alert that somebody resolved does not fire again for the same minutes. */
function mayFire({ minutes }: RuleFinding, last: TrackedAlert | undefined, now: Date): boolean {
  if (last?.event === undefined || last.event.who === NOBODY) return true;
  return now.getTime() - Date.parse(last.event.at) > minutes * 60_000;
}

async function fire(
  store: Store,
  finding: RuleFinding,
  last: TrackedAlert | undefined,
  now: Date,
): Promise<Alert | undefined> {
  const { rule, subject } = finding;
  const times = last === undefined ? 0 : Number(last.alertId.split(':').at(-1));
  const alert: Alert = {
    alertId: `${rule.id}:${subject}:${times + 1}`,
    instrument: 'decomposition',
    severity: rule.severity,
    rule: rule.id,
    subject,
    message: sayFinding(finding),
    at: now.toISOString(),
  };
  // The silence is stored first: an alert without it would be delivered.
  const silence = await silenceOf(store, last, alert, now);
  if (silence !== undefined) await isNew(store.appendAlertEvents([silence]));
  return (await isNew(store.appendAlerts([alert]))) ? alert : undefined;
}

/** Whoever silenced this rule until a time meant until then, also where the condition went and came back. */
async function silenceOf(
  store: Store,
  last: TrackedAlert | undefined,
  { alertId }: Alert,
  now: Date,
): Promise<AlertEvent | undefined> {
  if (last === undefined) return undefined;
  const events = await store.readAlertEvents({ alertId: last.alertId });
  const said = events.findLast(({ who }) => who !== NOBODY);
  if (said?.until === undefined || said.until <= now.toISOString()) return undefined;
  return { ...said, eventId: `${alertId} silenced`, alertId, at: now.toISOString() };
}

async function resolve(
  store: Store,
  finding: RuleFinding,
  { alertId, event, project }: TrackedAlert,
  now: Date,
): Promise<AlertEvent | undefined> {
  const steps = (await store.readAlertEvents({ alertId })).length;
  const after = event === undefined ? 0 : Date.parse(event.at) + 1;
  const end: AlertEvent = {
    eventId: `${alertId} resolved ${steps}`,
    alertId,
    state: 'resolved',
    who: NOBODY,
    why: sayFinding(finding),
    at: new Date(Math.max(now.getTime(), after)).toISOString(),
    project,
  };
  return (await isNew(store.appendAlertEvents([end]))) ? end : undefined;
}
