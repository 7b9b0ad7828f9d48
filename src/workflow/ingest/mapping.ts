/**
 * Other formats have other severities and categories. Every value that is translated is written down with what became
 * of it, so that a command can print it. A severity that nobody has mapped is an error, never a guess.
 */
import { z } from 'zod';
import { SEVERITIES, type Severity } from '../truth.ts';
import { type FieldPlace, name, type RawValue, refuse, strict } from './fields.ts';

export const mappingSchema = strict({
  severity: z.record(name, z.enum(SEVERITIES)).optional(),
  category: z.record(name, name).optional(),
  $schema: z.string().optional(),
});

/** What somebody wrote down about the values of another tool. */
export type ValueMaps = {
  /** Adds to the documented severities of a format, or replaces them. */
  readonly severity?: ReadonlyMap<string, Severity>;
  /** A category that is not in it stays as written; one that the ground truth does not know counts as none. */
  readonly category?: ReadonlyMap<string, string>;
};

/** One value of another format, what it was read as, how often, and on whose word. */
export type Mapping = {
  readonly field: 'severity' | 'category';
  readonly from: string;
  /** Absent: the value means that there is none. */
  readonly to?: string;
  readonly count: number;
  readonly because: string;
};

/** What every result says about how its inputs were read. */
export type Reading = { readonly mappings: readonly Mapping[]; readonly notes: readonly string[] };

/** The severities a format defines; `undefined` is a value that says "none". */
export type SeverityTable = {
  readonly format: string;
  readonly values: ReadonlyMap<string, Severity | undefined>;
};

export type Mapper = {
  readonly severity: (value: string, place: FieldPlace) => Severity | undefined;
  /** `tag` says what the value means where the file itself does; it is the category unless a mapping knows better. */
  readonly category: (value: string, tag?: string) => string;
  readonly mappings: () => Mapping[];
};

export function mapperFor(source: RawValue, table: SeverityTable, maps: ValueMaps = {}): Mapper {
  const seen = new Map<string, { mapping: Omit<Mapping, 'count'>; count: number }>();
  const keep = (field: Mapping['field'], from: string, to: string | undefined, because: string) => {
    const key = JSON.stringify([field, from, to]);
    const known = seen.get(key);
    if (known !== undefined) known.count += 1;
    else seen.set(key, { mapping: { field, from, to, because }, count: 1 });
  };
  return {
    severity: (value, place) => {
      const given = maps.severity?.get(value);
      if (given === undefined && !table.values.has(value)) {
        const known = [...new Set([...table.values.keys(), ...(maps.severity?.keys() ?? [])])].join(', ');
        throw refuse(
          source,
          place,
          `"${value}" is no severity of ${table.format}; known are ${known}`,
          ADD_TO_MAP,
        );
      }
      const severity = given ?? table.values.get(value);
      keep('severity', value, severity, given === undefined ? `default for ${table.format}` : 'mapping file');
      return severity;
    },
    category: (value, tag) => {
      const given = maps.category?.get(value) ?? (tag === undefined ? undefined : maps.category?.get(tag));
      if (given === undefined) {
        keep('category', value, tag ?? value, tag === undefined ? 'as written' : 'tag of the rule');
        return tag ?? value;
      }
      keep('category', value, given, 'mapping file');
      return given;
    },
    mappings: () =>
      [...seen.values()]
        .map(({ mapping, count }) => ({ ...mapping, count }))
        .sort((a, b) => (a.field === b.field ? b.count - a.count : a.field === 'severity' ? -1 : 1)),
  };
}

const ADD_TO_MAP =
  'Add it to the mapping file: a JSON or YAML file {"severity": {"<value>": "MINOR"}, "category": {"<value>": "<category>"}}.';
