/** The supported agents and what each can show, generated from the declarations of their formats. */
import { CAPABILITIES, CAPABILITY_MEANINGS } from '../src/session/ingest/formats/capabilities.ts';
import type { Environment, Format } from '../src/session/ingest/formats/format.ts';
import { FORMATS } from '../src/session/ingest/formats/formats.ts';
import { NOTICE } from './notice.ts';

export function sessionFormatsPage(): string {
  return [
    NOTICE,
    '',
    '# Supported agents, and what their transcripts show',
    '',
    'Which format a file is in is told by its content, never by its name. `assay sessions sources` prints this for your machine.',
    'A test keeps the table true: what has a ✓ is shown by a fixture of the format, what has none is shown by none of them.',
    '',
    `| source | agent or tool | ${CAPABILITIES.join(' | ')} |`,
    `|---|---|${':-:|'.repeat(CAPABILITIES.length)}`,
    ...FORMATS.map(capabilityRow),
    '',
    '| what | with a ✓ | without |',
    '|---|---|---|',
    ...CAPABILITIES.map((name) => {
      const { what, without } = CAPABILITY_MEANINGS[name];
      return `| ${name} | ${what} | ${without} |`;
    }),
    '',
    '## Versions, places and gaps',
    '',
    'Places are those of Linux; a variable of the agent moves them, as it does for the agent. Other files are read when they are',
    'named. Any other agent can write [the neutral format](neutral.md).',
    '',
    '| source | versions seen | found in | variables | stays unmeasured |',
    '|---|---|---|---|---|',
    ...FORMATS.map(aboutRow),
    '',
  ].join('\n');
}

function capabilityRow({ name, title, shows }: Format): string {
  const marks = CAPABILITIES.map((one) => (shows.includes(one) ? '✓' : ''));
  return `| \`${name}\` | ${title} | ${marks.join(' | ')} |`;
}

function aboutRow(format: Format): string {
  const { name, versions, unmeasured = [], elsewhere } = format;
  const { places, variables } = whereabouts(format);
  const code = (value: string) => `\`${value}\``;
  const found = [...places.map(code), ...(elsewhere === undefined ? [] : [elsewhere])].join('<br>');
  const named = variables.map(code).join('<br>');
  return `| \`${name}\` | ${versions} | ${found || '–'} | ${named || '–'} | ${unmeasured.join(' ') || '–'} |`;
}

/** Which variables it asks for shows when it does. */
function whereabouts({ places }: Format): { places: readonly string[]; variables: readonly string[] } {
  const asked = new Set<string>();
  const env: Environment = new Proxy(
    {},
    {
      get: (_, name) => {
        asked.add(String(name));
        return undefined;
      },
    },
  );
  const found = (places?.('~', env) ?? []).map(({ place }) => place.replaceAll('\\', '/'));
  return { places: [...new Set(found)], variables: [...asked] };
}
