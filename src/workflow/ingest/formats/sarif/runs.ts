/** Results of a tool in SARIF: those that say that something is wrong are findings. */
import { importedRun, titled } from '../../imported-run.ts';
import { type Mapper, mapperFor } from '../../mapping.ts';
import { type RawValue, refuse } from '../../validate.ts';
import type { ImportedRuns, ImportOptions } from '../importer.ts';
import { placesOf, readSarif, reversedNote, SARIF_LEVELS, type SarifItem, type SarifRun } from './log.ts';

export function importSarifRun(source: RawValue, options: ImportOptions): ImportedRuns {
  const { runs, items } = readSarif(source);
  refuseBroken(source, runs);
  const mapper = mapperFor(source, SARIF_LEVELS, options.maps);
  const swapped: string[] = [];
  const left = new Map<string, number>();
  const count = (why: string) => left.set(why, (left.get(why) ?? 0) + 1);
  const findings = items.flatMap((item) => {
    const why = leftOut(item);
    if (why !== undefined) {
      count(why);
      return [];
    }
    const { places, reversed } = placesOf(item, runs[Number(item.place[1])] as SarifRun);
    if (reversed) swapped.push(item.place.join('.'));
    if (places.length > 1) count('with more than one location, of which the first was taken');
    const severity = mapper.severity(item.level, [...item.place, 'level']);
    const category = categoryOf(item, mapper);
    return [
      {
        ...titled(item.text || item.ruleId || 'no message'),
        ...(severity !== undefined && { severity }),
        ...(category !== undefined && { category }),
        ...places[0],
      },
    ];
  });
  const tools = [
    ...new Set(
      runs.map(({ tool: { driver } }) =>
        [driver.name, driver.semanticVersion ?? driver.version].filter(Boolean).join(' '),
      ),
    ),
  ];
  const notes = [
    ...[...left].map(([why, n]) => `results ${why}: ${n}`),
    ...(swapped.length > 0 ? [reversedNote(swapped)] : []),
  ];
  return importedRun(source, 'SARIF', { workflow: tools.join(' + ') }, findings, mapper, notes, options);
}

/** A tool that broke off did not say that the rest is clean: its few results are no review. */
function refuseBroken(source: RawValue, runs: readonly SarifRun[]): void {
  runs.forEach(({ invocations }, run) => {
    const broken = (invocations ?? []).findIndex(({ executionSuccessful }) => executionSuccessful === false);
    if (broken === -1) return;
    throw refuse(
      source,
      ['runs', run, 'invocations', broken, 'executionSuccessful'],
      'is false: the tool says that it did not finish, so this is no run that can be scored',
      'Run the tool again, or leave the file out and say so where you publish the result.',
    );
  });
}

/** A result that says that nothing is wrong, or that somebody has set aside, is no finding. */
function leftOut({
  result: { kind = 'fail', baselineState, suppressions = [] },
}: SarifItem): string | undefined {
  if (kind === 'pass' || kind === 'notApplicable' || kind === 'informational')
    return `of the kind ${kind}, no findings`;
  if (baselineState === 'absent') return 'that are no longer there (baselineState absent), no findings';
  if (suppressions.some(({ status = 'accepted' }) => status === 'accepted'))
    return 'that are suppressed, no findings';
  return undefined;
}

/** The rule says the category: the weakness (CWE) it is tagged with, where it has one, otherwise its id. */
function categoryOf({ ruleId, rule, place }: SarifItem, mapper: Mapper): string | undefined {
  if (ruleId === undefined) return undefined;
  const numbers = (rule?.properties?.tags ?? []).flatMap(
    (tag) => /^(?:external\/cwe\/)?cwe-0*(\d{1,5})\b/i.exec(tag)?.[1] ?? [],
  );
  const tag = /^CWE-\d+$/.test(ruleId) || numbers[0] === undefined ? undefined : `CWE-${numbers[0]}`;
  return mapper.category(ruleId, [...place, 'ruleId'], tag);
}
