/** A `.eval` archive of Inspect AI: what it says of the whole evaluation, and its samples one by one. */
import { ZipArchive } from './zip-archive.ts';

type JsonObject = Readonly<Record<string, unknown>>;

const JOURNAL = /^_journal\/summaries\/\d+\.json$/;
const SAMPLE = /^samples\/[^/]+\.json$/;

export type Evaluation = {
  /** `eval` of the log; empty when it cannot be read. */
  readonly about: JsonObject;
  readonly samples: () => Generator<JsonObject | undefined>;
  /** Short forms of all samples, with their scores; empty in a log that broke off early. */
  readonly summaries: () => JsonObject[];
  readonly close: () => void;
};

/** Undefined when the archive is something else. A running or broken evaluation has no header yet. */
export function openEvaluation(path: string): Evaluation | undefined {
  let archive: ZipArchive;
  try {
    archive = new ZipArchive(path);
  } catch {
    return undefined;
  }
  const byName = new Map(archive.members.map((member) => [member.name, member]));
  const read = (name: string): unknown => {
    const member = byName.get(name);
    return member && parsedText(archive.text(member));
  };
  const header = asObject(read('header.json')) ?? asObject(read('_journal/start.json'));
  if (header === undefined) {
    archive.close();
    return undefined;
  }
  return {
    about: asObject(header.eval) ?? {},
    samples: function* () {
      for (const member of archive.members) {
        if (SAMPLE.test(member.name)) yield asObject(parsedText(archive.text(member)));
      }
    },
    summaries: () => {
      const parts = byName.has('summaries.json')
        ? ['summaries.json']
        : [...byName.keys()].filter((name) => JOURNAL.test(name));
      return parts.flatMap((name) => asObjects(read(name)));
    },
    close: () => archive.close(),
  };
}

function parsedText(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}

function asObjects(value: unknown): JsonObject[] {
  return (Array.isArray(value) ? value : []).map(asObject).filter((one) => one !== undefined);
}
