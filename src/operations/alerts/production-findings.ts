import { ALERT_RULES, type AlertRule, windowsOf } from '../../decomposition/production/alert-rules.ts';
import { emptyCell, mergeCells, startOf } from '../../decomposition/production/cell.ts';
import { findingOf, type RuleFinding } from '../../decomposition/production/rule-finding.ts';
import {
  looksAtSample,
  readingOfRequests,
  readingOfSample,
} from '../../decomposition/production/rule-readings.ts';
import type { Store } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { watchedDecompositions } from '../production/watched-decompositions.ts';
import type { AlertSettings } from './alert-targets.ts';

export type FindingsRequest = {
  readonly rules: AlertSettings['rules'];
  /** Without the rules that read the sample, which may be long. */
  readonly isQuick?: boolean;
};

/** What every rule that is on says of production now; nothing is written. */
export async function productionFindings(
  { rules, isQuick = false }: FindingsRequest,
  ports: Ports,
): Promise<readonly RuleFinding[]> {
  const store = await ports.store('looking');
  const now = ports.now().getTime();
  const on = rulesOf(rules).filter((rule) => !(isQuick && looksAtSample(rule)));
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
    const told = found.filter((one, i) => one.state !== 'too few to tell' || isLast(group[i] ?? one.rule));
    findings.push(...told);
    open = open.filter(({ id }) => !told.some(({ rule }) => rule.id === id));
  }
  const order = on.map(({ id }) => id);
  return findings.toSorted((a, b) => order.indexOf(a.rule.id) - order.indexOf(b.rule.id));
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

async function inWindow(store: Store, rules: readonly AlertRule[], since: string): Promise<RuleFinding[]> {
  const cell = mergeCells(await store.productionCells({ by: 'minute', since })) ?? emptyCell({ at: since });
  const { sampled } = rules.some(looksAtSample)
    ? await watchedDecompositions({ since }, store)
    : { sampled: [] };
  const sample = { requests: cell.requests, sampled };
  return rules.map((rule) =>
    findingOf(rule, looksAtSample(rule) ? readingOfSample(rule, sample) : readingOfRequests(rule, cell)),
  );
}
