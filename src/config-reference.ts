import { z } from 'zod';
import { configSchema } from './config.ts';

export type ConfigRow = {
  readonly key: string;
  /** From the whole configuration to the setting. */
  readonly path: readonly string[];
  readonly value: unknown;
  readonly kind: string;
  readonly doc: string;
};

type Node = {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  /** `one`: the object is one setting, not several. */
  readonly settings?: string;
};

/** Every setting with its value in `config` (by default the default), in the order of declaration. */
export function configRows(config: unknown = configSchema.parse({})): ConfigRow[] {
  return rowsOf(z.toJSONSchema(configSchema, { io: 'input' }) as Node, config, []);
}

function rowsOf(node: Node, value: unknown, path: readonly string[]): ConfigRow[] {
  if (node.properties !== undefined && node.settings === undefined) {
    return Object.entries(node.properties).flatMap(([key, child]) => {
      const inner = (value as Readonly<Record<string, unknown>> | undefined)?.[key];
      return rowsOf(child, inner, [...path, key]);
    });
  }
  const kind =
    node.enum === undefined ? (node.type ?? 'any') : node.enum.map((one) => `\`${one}\``).join(' or ');
  return [
    {
      key: path.join('.'),
      path,
      value,
      kind,
      doc: node.description ?? '',
    },
  ];
}

export function sayValue({ value }: ConfigRow): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
