/** SARIF as a ground truth: a result of the kind `fail` is an error, one of the kind `pass` a trap. */
import { basename } from 'node:path';
import { SEVERITIES } from '../../../truth.ts';
import { type Mapper, mapperFor } from '../../mapping.ts';
import { checkTruth } from '../../truth-schema.ts';
import { type RawValue, refuse } from '../../validate.ts';
import type { ImportedTruth, TruthOptions } from '../importer.ts';
import { placesOf, readSarif, reversedNote, SARIF_LEVELS, type SarifItem, type SarifRun } from './log.ts';

export function importSarifTruth(source: RawValue, options: TruthOptions): ImportedTruth {
  const { runs, items } = readSarif(source);
  const mapper = mapperFor(source, SARIF_LEVELS, options.maps);
  const names = namesOf(runs, source.path, options);
  const reversed: string[] = [];
  const drafts = items.map((item, index) => {
    const kind = item.result.kind ?? 'fail';
    if (kind !== 'fail' && kind !== 'pass') {
      throw refuse(source, [...item.place, 'kind'], `"${kind}" is neither fail (an error) nor pass (a trap)`);
    }
    const found = placesOf(item, runs[Number(item.place[1])] as SarifRun);
    if (found.reversed) reversed.push(item.place.join('.'));
    const quote = found.places.find((place) => place.quote !== undefined)?.quote;
    return {
      kind,
      draft: {
        id: idOf(item, `${kind === 'fail' ? 'E' : 'T'}${index + 1}`),
        description: item.text || item.ruleId,
        locations: found.places.map(({ quote: _, ...place }) => place),
        ...(quote !== undefined && { quote }),
        ...categoriesOf(item, mapper, source, kind === 'fail'),
        ...(kind === 'fail' && { severity: severityOf(item, mapper, source) }),
      },
    };
  });
  const of = (kind: string) => drafts.filter((one) => one.kind === kind).map(({ draft }) => draft);
  const categories = [
    ...new Set(drafts.flatMap(({ draft }) => [draft.category ?? [], draft.accept_categories ?? []].flat())),
  ];
  const identify = runs.find(({ properties }) => properties?.identify !== undefined)?.properties?.identify;
  const value = {
    task: names.task,
    version: names.version,
    ...(categories.length > 0 && { categories: categories.sort() }),
    ...(identify !== undefined && { identify }),
    errors: of('fail'),
    traps: of('pass'),
  };
  return {
    truth: checkTruth({ path: source.path, value }),
    format: 'SARIF',
    mappings: mapper.mappings(),
    notes: [...names.notes, ...(reversed.length > 0 ? [reversedNote(reversed)] : [])],
  };
}

function namesOf(runs: readonly SarifRun[], path: string, options: TruthOptions) {
  const driver = runs[0]?.tool.driver;
  const version = options.version ?? driver?.version ?? driver?.semanticVersion;
  const task = options.task ?? driver?.name ?? basename(path);
  return {
    task,
    version: version ?? 'unversioned',
    notes: [
      ...(options.task === undefined
        ? [`the task is called "${task}", after the tool of the SARIF file`]
        : []),
      ...(version === undefined
        ? ['the file names no version of its tool; the ground truth is called "unversioned"']
        : []),
    ],
  };
}

function idOf({ result }: SarifItem, otherwise: string): string {
  const id = result.properties?.id;
  return typeof id === 'string' && id.trim() !== '' ? id : (result.guid ?? otherwise);
}

/** `CWE-489,CWE-215` is the category CWE-489, and a finding may say CWE-215 as well. */
function categoriesOf(item: SarifItem, mapper: Mapper, source: RawValue, needed: boolean) {
  const place = [...item.place, 'ruleId'];
  const [category, ...others] = [
    ...new Set(
      (item.ruleId ?? '')
        .split(',')
        .map((id) => id.trim())
        .filter((id) => id !== '')
        .map((id) => mapper.category(id, place)),
    ),
  ];
  if (category === undefined && needed)
    throw refuse(source, place, 'is missing; it says the category of the error');
  return {
    category,
    ...(others.length > 0 && { accept_categories: others }),
  };
}

/** `properties.severity` where the file has it, in our words or in those of the mapping; otherwise the level. */
function severityOf({ result, level, place }: SarifItem, mapper: Mapper, source: RawValue): string {
  const own = result.properties?.severity;
  if (SEVERITIES.some((severity) => severity === own)) return String(own);
  const where = [...place, ...(own === undefined ? ['level'] : ['properties', 'severity'])];
  const severity = mapper.severity(own === undefined ? level : String(own), where);
  if (severity === undefined)
    throw refuse(source, where, `the level "${level}" gives no severity`, 'Map it in the mapping file.');
  return severity;
}
