/**
 * Translates severities and categories of other formats. Every translated value is recorded, so that a command can
 * print it. An unmapped severity is an error, never a guess.
 */
import { z } from 'zod';
import { SEVERITIES, type Severity } from '../truth.ts';
import { type FieldPlace, name, type RawValue, refuse, strict } from './fields.ts';

export const mappingSchema = strict({
  severity: z.record(name, z.enum(SEVERITIES)).optional(),
  category: z.record(name, name).optional(),
  $schema: z.string().optional(),
});

/** A user's mapping for the values of another tool. */
export type ValueMaps = {
  /** Extends or overrides the documented severities of a format. */
  readonly severity?: ReadonlyMap<string, Severity>;
  /** A category without a mapping stays as written; one that the ground truth does not have counts as none. */
  readonly category?: ReadonlyMap<string, string>;
};

/** One value of another format: its translation, how often it occurs, and the source of the mapping. */
export type Mapping = {
  readonly field: 'severity' | 'category';
  readonly from: string;
  /** Absent if the value means "none". */
  readonly to?: string;
  readonly count: number;
  readonly because: string;
};

/** The part of every result that documents how its inputs were read. */
export type Reading = { readonly mappings: readonly Mapping[]; readonly notes: readonly string[] };

/** The severities that a format defines; `undefined` marks a value that means "none". */
export type SeverityTable = {
  readonly format: string;
  readonly values: ReadonlyMap<string, Severity | undefined>;
};

export type Mapper = {
  readonly severity: (value: string, place: FieldPlace) => Severity | undefined;
  /** `tag`: the meaning of the value, if the file states it. It becomes the category unless the mapping has one. */
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
          `"${value}" is no severity of ${table.format}; valid are ${known}`,
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
