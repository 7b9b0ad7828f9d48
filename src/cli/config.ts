import { encode } from '../api/wire.ts';
import { parseConfig } from '../config.ts';
import { configRows, sayValue } from '../config-reference.ts';
import { AssayError } from '../errors.ts';
import { renderTerminal } from '../report/terminal.ts';
import { escapeJson } from '../report/unsafe-text.ts';
import { tableOf, type View } from '../report/view.ts';
import { defineCommand, STORE_OPTIONS, TABLE_FORMAT_OPTION, type Terminal } from './command.ts';
import { type Origin, readSettings, type Settings } from './settings.ts';
import { userStore } from './store-place.ts';

export const command = defineCommand({
  name: 'config',
  summary: 'Show every setting, its value and where it comes from',
  options: {
    format: TABLE_FORMAT_OPTION,
    ...STORE_OPTIONS,
  },
  examples: ['assay config', 'assay config --config ci/assay.config.json --format json'],
  run: async (args, terminal) => {
    let isBroken = false;
    const { config, path, named, store } = await readSettings(args, terminal).catch((fault: unknown) => {
      isBroken = true;
      return withDefaults(fault, terminal);
    });
    // Settings inside a map with user-chosen names are listed by these names.
    const isNamed = (key: string) => named.some((one) => one === key || one.startsWith(`${key}.`));
    const originOf = (key: string): Origin =>
      key === 'store' ? store.from : isNamed(key) ? 'file' : 'default';
    const rows = configRows({ ...config, store: store.address });
    if (args.values.format === 'json') {
      const wire = encode((await import('../api/schema/config.ts')).settings, {
        path,
        settings: rows.map((row) => ({ ...row, from: originOf(row.key) })),
      });
      terminal.print(`${escapeJson(JSON.stringify(wire, null, 2))}\n`);
      return 0;
    }
    const document: View = {
      title: 'Settings',
      answer: isBroken
        ? 'The configuration file cannot be used; these are the defaults.'
        : path === undefined
          ? 'No configuration file; these are the defaults.'
          : `Read from ${path}.`,
      blocks: [
        tableOf('Settings', rows, [
          { key: 'key', title: 'setting' },
          { key: 'value', of: sayValue },
          { key: 'from', of: ({ key }) => originOf(key) },
        ]),
      ],
      notes: ['docs/configuration.md describes each setting.'],
      next: [],
    };
    terminal.print(renderTerminal(document, terminal));
    return 0;
  },
});

/** A file that cannot be used is reported at the end; the possible settings are shown all the same. */
function withDefaults(fault: unknown, terminal: Terminal): Settings {
  if (!(fault instanceof AssayError) || !fault.code.startsWith('CONFIG_')) throw fault;
  terminal.failAtEnd(fault);
  const config = parseConfig({}, 'the defaults');
  return { config, named: [], store: userStore(terminal) };
}
