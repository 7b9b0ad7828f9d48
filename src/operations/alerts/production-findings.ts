import {
  ALERT_RULES,
  type AlertRule,
  LONGEST_WINDOW,
  subjectOf,
  WINDOWS,
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
  const found = new Map<AlertRule, RuleFinding>();
  for (const group of Map.groupBy(on, subjectOf).values())
    for (const finding of await aboutSame(store, group, now)) found.set(finding.rule, finding);
  return on.flatMap((rule) => found.get(rule) ?? []);
}

/** A narrowed rule inherits what it does not set from the service's rule, "off" included. */
function narrowedRules(
  settings: AlertSettings['rules'],
  narrowed: AlertSettings['narrowed'],
): readonly AlertRule[] {
  const made = narrowed.flatMap(({ rule: id, line, promptVersion, model }): AlertRule[] => {
    const rule = ALERT_RULES.find((one) => one.id === id);
    if (rule === undefined) return [];
    return [{ ...rule, line: line ?? settings[id]?.line ?? rule.line, promptVersion, model }];
  });
  return [...new Map(made.map((rule) => [`${rule.id}:${subjectOf(rule)}`, rule])).values()];
}

function rulesOf(settings: AlertSettings['rules']): readonly AlertRule[] {
  return ALERT_RULES.flatMap((rule) => {
    const { off = false, line = rule.line } = settings[rule.id] ?? {};
    return off ? [] : [{ ...rule, line }];
  });
}

/** Rules about the same requests, which are read once: by the minute for the last hour, by the hour before. */
async function aboutSame(
  store: Store,
  rules: readonly AlertRule[],
  now: number,
): Promise<readonly RuleFinding[]> {
  const [{ promptVersion, model } = {}] = rules as readonly Partial<AlertRule>[];
  const before = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
  const sinceOf = (minutes: number) => startOf(minutes > 60 ? 'hour' : 'minute', before(minutes));
  const about = { promptVersion, model };
  const minutes = await store.productionCells({ by: 'minute', since: sinceOf(60), ...about });
  const hours = await store.productionCells({ by: 'hour', since: sinceOf(LONGEST_WINDOW), ...about });
  const { sampled } = rules.some(looksAtSample)
    ? await watchedDecompositions({ since: sinceOf(LONGEST_WINDOW), ...about }, store)
    : { sampled: [] };
  const windows = WINDOWS.map((length) => {
    const since = sinceOf(length);
    const cells = (length > 60 ? hours : minutes).filter(({ at }) => at >= since);
    const cell = mergeCells(cells) ?? emptyCell({ at: since });
    const sample = {
      requests: cell.requests,
      sampled: sampled.filter(({ record }) => record.at >= since),
    };
    return { minutes: length, cell, sample };
  });
  const longest = windows.at(-1);
  if (longest === undefined) return [];
  return rules.map((rule) =>
    findingOf(
      rule,
      windows.map(({ minutes, cell, sample }) => ({
        minutes,
        reading: looksAtSample(rule)
          ? readingOfSample(rule, sample, longest.sample)
          : readingOfRequests(rule, cell, longest.cell),
      })),
    ),
  );
}
