import {
  ALERT_RULES,
  type AlertRule,
  subjectOf,
  windowsOf,
} from '../../decomposition/production/alert-rules.ts';
import { emptyCell, mergeCells, startOf } from '../../decomposition/production/cell.ts';
import {
  findingOf,
  looksAtSample,
  type RuleFinding,
  readingOfRequests,
  readingOfSample,
} from '../../decomposition/production/rule-finding.ts';
import type { Store } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { watchedDecompositions } from '../production/watched-decompositions.ts';
import type { AlertSettings } from './alert-targets.ts';

export type FindingsRequest = {
  readonly rules: AlertSettings['rules'];
  /** The same rules once more, for a prompt version or a model alone. */
  readonly narrowed?: AlertSettings['narrowed'];
  /** Without the rules that read the sample, which may be long. */
  readonly isQuick?: boolean;
};

/** What every rule that is on says of production now; nothing is written. */
export async function productionFindings(
  { rules, narrowed = [], isQuick = false }: FindingsRequest,
  ports: Ports,
): Promise<readonly RuleFinding[]> {
  const store = await ports.store('looking');
  const now = ports.now().getTime();
  const on = [...rulesOf(rules), ...narrowedRules(rules, narrowed)].filter(
    (rule) => !(isQuick && looksAtSample(rule)),
  );
  const findings: RuleFinding[] = [];
  let open = on;
  for (const minutes of [...new Set(on.flatMap(windowsOf))].sort((a, b) => a - b)) {
    const group = open.filter((rule) => windowsOf(rule).includes(minutes));
    if (group.length === 0) continue;
    const since = startOf('minute', new Date(now - minutes * 60_000).toISOString());
    const found = await inWindow(
      store,
      group.map((rule) => ({ ...rule, minutes })),
      since,
    );
    const isLast = (rule: AlertRule) => windowsOf(rule).at(-1) === minutes;
    const decided = found.filter((one, i) => one.state !== 'too few to tell' || isLast(group[i] ?? one.rule));
    findings.push(...decided);
    open = open.filter((rule) => !decided.some((one) => keyOf(one.rule) === keyOf(rule)));
  }
  const order = on.map(keyOf);
  return findings.toSorted((a, b) => order.indexOf(keyOf(a.rule)) - order.indexOf(keyOf(b.rule)));
}

function keyOf(rule: AlertRule): string {
  return `${rule.id}:${subjectOf(rule)}`;
}

/** A narrowed rule inherits what it does not set from the service's rule, "off" included. */
function narrowedRules(
  settings: AlertSettings['rules'],
  narrowed: AlertSettings['narrowed'],
): readonly AlertRule[] {
  const whole = rulesOf(
    Object.fromEntries(Object.entries(settings).map(([id, one]) => [id, { ...one, off: false }])),
  );
  const made = narrowed.flatMap(({ rule: id, ...own }): AlertRule[] => {
    const rule = whole.find((one) => one.id === id);
    const said = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
    return rule === undefined ? [] : [{ ...rule, ...said }];
  });
  return [...new Map(made.map((rule) => [keyOf(rule), rule])).values()];
}

function rulesOf(settings: AlertSettings['rules']): readonly AlertRule[] {
  return ALERT_RULES.flatMap((rule) => {
    const {
      off = false,
      line = rule.line,
      minutes = rule.minutes,
      minimum = rule.minimum,
    } = settings[rule.id] ?? {};
    return off ? [] : [{ ...rule, line, minutes, minimum }];
  });
}

/** In the order of the rules; those about the same are looked at together. */
async function inWindow(store: Store, rules: readonly AlertRule[], since: string): Promise<RuleFinding[]> {
  const found = new Map<AlertRule, RuleFinding>();
  for (const group of Map.groupBy(rules, subjectOf).values())
    for (const finding of await aboutSame(store, group, since)) found.set(finding.rule, finding);
  return rules.flatMap((rule) => found.get(rule) ?? []);
}

async function aboutSame(store: Store, rules: readonly AlertRule[], since: string): Promise<RuleFinding[]> {
  const [{ promptVersion, model } = {}] = rules as readonly Partial<AlertRule>[];
  const about = {
    since,
    promptVersion,
    model,
  };
  const cell =
    mergeCells(await store.productionCells({ by: 'minute', ...about })) ?? emptyCell({ at: since });
  const { sampled } = rules.some(looksAtSample) ? await watchedDecompositions(about, store) : { sampled: [] };
  const sample = { requests: cell.requests, sampled };
  return rules.map((rule) =>
    findingOf(rule, looksAtSample(rule) ? readingOfSample(rule, sample) : readingOfRequests(rule, cell)),
  );
}
