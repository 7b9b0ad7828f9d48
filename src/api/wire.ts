/**
 * From results in memory to the wire. A schema declares the wire, and `encode` follows it: `some_key` is read from `someKey`,
 * what is missing becomes `null` where the schema is nullable and is left out where it is optional, a literal says itself.
 * `from` names another source. Zod itself is not loaded for it.
 */
import type { z } from 'zod';
import { type CamelCase, camelCase, type SnakeCase, snakeCase } from '../letter-case.ts';

/** A function, so that the last of several owners counts. */
type Owned<Owner> = { readonly '~owner': (owner: Owner) => void };
type Read = (owner: never) => unknown;

const READS = new WeakMap<z.core.$ZodType, Read>();
const ENCODERS = new WeakMap<z.core.$ZodType, Encoder>();

/**
 * The same schema for a field that is read from another property of its owner, or computed from the owner. `a.b` is a
 * property of a property.
 */
export function from<const Path extends string, Schema extends z.ZodType>(
  path: Path,
  schema: Schema,
): Schema & Owned<At<Path, Source<Schema>>>;
export function from<Owner, Schema extends z.ZodType>(
  read: (owner: Owner) => Source<Schema>,
  schema: Schema,
): Schema & Owned<Owner>;
export function from(source: string | Read, schema: z.ZodType): z.ZodType {
  const own = schema.clone(schema.def, { parent: true });
  const [first, then] = [typeof source === 'string' ? property(source) : source, READS.get(schema)];
  READS.set(own, then === undefined ? first : (owner) => then(first(owner) as never));
  const encoder = ENCODERS.get(schema);
  if (encoder !== undefined) ENCODERS.set(own, encoder);
  return own;
}

/** The fields of a record as they are on the wire: under snake_case names, `null` where there is no value. */
export function wireShape<Shape extends Record<string, z.ZodType>>(shape: Shape): WireShape<Shape> {
  const fields = Object.entries(shape).map(([key, field]) => {
    const { description = '' } = field;
    const given = field.type === 'optional' ? (field as z.ZodOptional<z.ZodType>).unwrap().nullable() : field;
    return [snakeCase(key), description === '' ? given : given.describe(description)];
  });
  return Object.fromEntries(fields) as WireShape<Shape>;
}

/** The same fields under snake_case names. */
export function snakeShape<Shape extends Record<string, z.ZodType>>(
  shape: Shape,
): { [Key in keyof Shape as SnakeCase<Key & string>]: Shape[Key] } {
  const fields = Object.entries(shape).map(([key, field]) => [snakeCase(key), field]);
  return Object.fromEntries(fields) as ReturnType<typeof snakeShape<Shape>>;
}

type WireShape<Shape> = {
  [Key in keyof Shape as SnakeCase<Key & string>]: Shape[Key] extends z.ZodOptional<
    infer Inner extends z.ZodType
  >
    ? z.ZodNullable<Inner>
    : Shape[Key];
};

/** What a value has to have to be encoded. */
export type Source<Schema> = Schema extends { readonly '~owner': (owner: infer Owner) => void }
  ? Owner
  : PlainSource<Schema>;
type PlainSource<Schema> =
  Schema extends z.ZodObject<infer Shape>
    ? ObjectSource<Shape>
    : Schema extends z.ZodNullable<infer Inner> | z.ZodOptional<infer Inner> | z.ZodExactOptional<infer Inner>
      ? MaybeSource<Inner>
      : Schema extends z.ZodArray<infer Item>
        ? Iterable<Source<Item>>
        : Schema extends z.ZodRecord<infer Key, infer Value>
          ? RecordSource<z.output<Key>, Source<Value>>
          : Schema extends z.ZodUnion<infer Options> | z.ZodDiscriminatedUnion<infer Options>
            ? Source<Options[number]>
            : Schema extends z.ZodISODateTime
              ? string | number
              : Schema extends z.ZodTuple
                ? Readonly<z.output<Schema>>
                : Schema extends z.ZodType
                  ? z.output<Schema>
                  : never;

type MaybeSource<Inner> =
  Inner extends z.ZodLiteral<true> ? boolean | undefined : Source<Inner> | null | undefined;
type RecordSource<Key, Value> = Key extends string | number ? Readonly<Partial<Record<Key, Value>>> : never;
type ObjectSource<Shape> = Fields<{
  readonly [K in keyof Shape as Shape[K] extends Owned<never> | Constant
    ? never
    : CamelCase<K & string>]: Source<Shape[K]>;
}> &
  OwnersOf<Shape[keyof Shape]>;
type Constant = z.ZodLiteral<string> | z.ZodLiteral<number>;
/** What holds a value that may be missing may be missing too. */
type At<Path extends string, Value> = Path extends `${infer First}.${infer Rest}`
  ? Fields<Record<First, At<Rest, Value> | (undefined extends Value ? undefined : never)>>
  : Fields<Record<Path, Value>>;
/** What may be missing is an optional property. */
type Fields<T> = { readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  readonly [K in keyof T as undefined extends T[K] ? K : never]?: T[K];
};
type OwnersOf<Field> = (
  Field extends { readonly '~owner': (owner: infer Owner) => void }
    ? (owner: Owner) => void
    : (owner: unknown) => void
) extends (owner: infer All) => void
  ? All
  : never;

export function encode<Schema extends z.ZodType>(schema: Schema, value: Source<Schema>): z.output<Schema> {
  return valueEncoder(schema)(value) as z.output<Schema>;
}

/** One after the other, so that thousands need not be there together. */
export function encodeEach<Schema extends z.ZodType>(
  schema: Schema,
  values: Iterable<Source<Schema>>,
): IteratorObject<z.output<Schema>> {
  const encoder = valueEncoder(schema);
  return Iterator.from(values).map((one) => encoder(one) as z.output<Schema>);
}

/** The same schema for values that are encoded already. */
export function encoded<Schema extends z.ZodType>(schema: Schema): Schema & Owned<z.output<Schema>> {
  const own = schema.clone(schema.def, { parent: true });
  ENCODERS.set(own, (value) => value);
  return own as Schema & Owned<z.output<Schema>>;
}

/** The same with lists that are encoded one item after the other, so that thousands need not be there together. */
export function encodeLazily<Schema extends z.ZodObject>(
  schema: Schema,
  value: Source<Schema>,
): {
  readonly [K in keyof z.output<Schema>]: z.output<Schema>[K] extends readonly (infer Item)[]
    ? Iterable<Item>
    : z.output<Schema>[K];
} {
  const read = READS.get(schema) ?? ((same) => same);
  const wire = fieldsOf(schema.shape, (one) => lazyEncoder(one) ?? encoderOf(one))(read(value as never));
  return wire as ReturnType<typeof encodeLazily<Schema>>;
}

function lazyEncoder({ _zod: { def } }: z.core.$ZodType): Encoder | undefined {
  if (!is('array', def)) return undefined;
  const item = valueEncoder(def.element);
  return (list) => Iterator.from(list as Iterable<unknown>).map((one) => item(one));
}

type Encoder = (value: unknown) => unknown;

function encoderOf(schema: z.core.$ZodType): Encoder {
  const found = ENCODERS.get(schema);
  if (found !== undefined) return found;
  const made = makeEncoder(schema._zod.def);
  ENCODERS.set(schema, made);
  return made;
}

/** Of what stands alone or in a list: what `from` says about it starts at the value itself. */
function valueEncoder(schema: z.core.$ZodType): Encoder {
  const [read, encoder] = [READS.get(schema), encoderOf(schema)];
  return read === undefined ? encoder : (value) => encoder(read(value as never));
}

type Defs = {
  readonly object: z.core.$ZodObjectDef;
  readonly array: z.core.$ZodArrayDef;
  readonly record: z.core.$ZodRecordDef;
  readonly nullable: z.core.$ZodNullableDef;
  readonly optional: z.core.$ZodOptionalDef;
  readonly union: z.core.$ZodUnionDef;
  readonly literal: z.core.$ZodLiteralDef<z.core.util.Literal>;
  readonly string: z.core.$ZodStringDef & { readonly format?: string };
};

function is<Type extends keyof Defs>(
  type: Type,
  def: z.core.$ZodTypeDef,
): def is Defs[Type] & z.core.$ZodTypeDef {
  return def.type === type;
}

function makeEncoder(def: z.core.$ZodTypeDef): Encoder {
  if (is('object', def)) return fieldsOf(def.shape, encoderOf);
  if (is('array', def)) {
    const item = valueEncoder(def.element);
    return (list) => Array.from(list as Iterable<unknown>, (one) => item(one));
  }
  if (is('record', def)) {
    const item = valueEncoder(def.valueType);
    return (record) =>
      Object.fromEntries(Object.entries(record as object).map(([key, one]) => [key, item(one)]));
  }
  if (is('nullable', def)) {
    const inner = valueEncoder(def.innerType);
    return (value) => (isMissing(value) ? null : (inner(value) ?? null));
  }
  if (is('optional', def)) {
    const inner = valueEncoder(def.innerType);
    const isMark = is('literal', def.innerType._zod.def);
    return (value) => (value === undefined || (isMark && value === false) ? undefined : inner(value));
  }
  if (is('union', def)) return unionEncoder(def.options);
  if (is('literal', def) && def.values.length === 1) return () => def.values[0];
  if (is('string', def) && def.format === 'datetime')
    return (value) => (typeof value === 'number' ? isoTime(value) : value);
  return (value) => value;
}

/** There is no JSON for a number without end. */
function isMissing(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'number' && !Number.isFinite(value));
}

function fieldsOf(shape: z.core.$ZodShape, encoderFor: (schema: z.core.$ZodType) => Encoder): Encoder {
  const fields = Object.entries(shape).map(([key, schema]) => ({
    key,
    read: READS.get(schema) ?? property(camelCase(key)),
    encoder: encoderFor(schema),
  }));
  return (owner) => {
    const wire: Record<string, unknown> = {};
    for (const { key, read, encoder } of fields) {
      const one = encoder(read(owner as never));
      if (one !== undefined) wire[key] = one;
    }
    return wire;
  };
}

type Properties = Readonly<Record<string, unknown>>;

function property(path: string): Read {
  const [first = '', ...inner] = path.split('.');
  if (inner.length === 0) return (owner: Properties) => owner[first];
  return (owner: Properties) =>
    inner.reduce<unknown>((one, key) => (one as Properties | undefined)?.[key], owner[first]);
}

/** The first option whose literals a value has, and whose properties. */
function unionEncoder(options: readonly z.core.$ZodType[]): Encoder {
  const choices = options.map((option) => ({ fits: testOf(option._zod.def), encoder: valueEncoder(option) }));
  return (value) => {
    const choice = choices.find(({ fits }) => fits(value));
    return choice === undefined ? value : choice.encoder(value);
  };
}

function testOf(def: z.core.$ZodTypeDef): (value: unknown) => boolean {
  if (is('literal', def)) return (value) => def.values.includes(value as z.core.util.Literal);
  if (!is('object', def)) return (value) => typeof value !== 'object';
  const wanted = Object.entries(def.shape).flatMap(([key, schema]) => {
    const own = schema._zod.def;
    if (READS.has(schema) || own.type === 'nullable' || own.type === 'optional') return [];
    const name = camelCase(key);
    if (is('literal', own))
      return isOfWire(key) ? [] : [(value: object) => own.values.includes(valueAt(value, name))];
    return [(value: object) => valueAt(value, name) !== undefined];
  });
  return (value) => typeof value === 'object' && value !== null && wanted.every((test) => test(value));
}

/** These only the wire has. */
function isOfWire(key: string): boolean {
  return key === 'format' || key === 'version';
}

function valueAt(value: object, key: string): z.core.util.Literal {
  return (value as Readonly<Record<string, z.core.util.Literal>>)[key];
}

const FIRST = Date.parse('0000-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** Undefined outside the years of four digits: others are spelled differently and would sort wrongly as text. */
function isoTime(at: number): string | undefined {
  return at >= FIRST && at <= LAST ? new Date(at).toISOString() : undefined;
}
