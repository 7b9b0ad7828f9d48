import { CST, isMap, isScalar, Lexer, LineCounter, type Node, parseDocument, visit } from 'yaml';
import { AssayError } from '../../errors.ts';
import type { FieldPlace, RawValue } from './fields.ts';

/** Far above any hand-written file; JSON is many times faster to read for larger ones. */
const MAX_YAML_BYTES = 4 * 1024 * 1024;

/**
 * Parses YAML 1.2 as plain data. Refuses anchors and aliases, because a small file could expand into a large one, and
 * duplicate keys, because one would silently win. `firstLine` is the line in the file where the text begins.
 */
export function parseYaml(text: string, path: string, firstLine = 1): RawValue {
  const lines = new LineCounter();
  const lineAt = (offset: number) => lines.linePos(offset).line + firstLine - 1;
  const fail = (line: number | undefined, message: string, cause?: unknown) =>
    new AssayError('INPUT_INVALID', `${path}${line === undefined ? '' : `:${line}`} ${message}`, { cause });
  if (Buffer.byteLength(text) > MAX_YAML_BYTES) {
    throw new AssayError('FILE_TOO_LARGE', `${path} is YAML of more than ${MAX_YAML_BYTES} bytes`, {
      remedy: 'Keep it as JSON, which has a higher limit.',
    });
  }
  try {
    const monster = tooMuch(text);
    if (monster !== undefined) throw fail(monster.line + firstLine - 1, monster.message);
    const document = parseDocument(text, {
      lineCounter: lines,
      prettyErrors: false,
      stringKeys: true,
      // The library compares every pair of keys; the check below visits each key once.
      uniqueKeys: false,
      logLevel: 'error',
    });
    const [broken] = [...document.errors, ...document.warnings];
    if (broken !== undefined) throw fail(lineAt(broken.pos[0]), `is not YAML: ${broken.message}`, broken);
    refuseAliasesAndRepeats(document, (offset, message) => fail(lineAt(offset), message));
    const lineOf = (place: FieldPlace) => {
      for (let depth = place.length; depth >= 0; depth--) {
        const node = depth === 0 ? document.contents : document.getIn(place.slice(0, depth), true);
        const start = (node as Node | null | undefined)?.range?.[0];
        if (start !== undefined) return lineAt(start);
      }
      return undefined;
    };
    return { path, value: document.toJS({ maxAliasCount: 0 }), lineOf };
  } catch (cause) {
    if (cause instanceof AssayError) throw cause;
    // Thousands of nested brackets overflow the parser's stack.
    throw fail(
      undefined,
      `is not YAML that can be read: ${cause instanceof Error ? cause.message : cause}`,
      cause,
    );
  }
}

/** Far above any real file; the parser would need gigabytes for a few megabytes of brackets. */
const [MAX_DEPTH, MAX_TOKENS] = [100, 250_000];

const INDICATORS: ReadonlySet<string | null> = new Set(['seq-item-ind', 'explicit-key-ind', 'map-value-ind']);

/**
 * Finds input that would exhaust the parser before parsing: too many tokens, or too deeply nested brackets or dashes on
 * one line. Indentation is safe, because its size grows with its depth.
 */
function tooMuch(text: string): { line: number; message: string } | undefined {
  let [line, brackets, dashes, tokens] = [1, 0, 0, 0];
  let scalar = false;
  for (const token of new Lexer().lex(text)) {
    const type: string | null = scalar ? 'scalar' : CST.tokenType(token);
    scalar = type === 'scalar' && token === CST.SCALAR;
    if (type === 'flow-seq-start' || type === 'flow-map-start') brackets += 1;
    else if (type === 'flow-seq-end' || type === 'flow-map-end') brackets -= 1;
    else if (brackets === 0 && INDICATORS.has(type)) dashes += 1;
    if (brackets > MAX_DEPTH || dashes > MAX_DEPTH) {
      return { line, message: `is nested deeper than ${MAX_DEPTH} levels` };
    }
    const ends = lineEndsIn(token);
    // The parser stores every line of a multi-line text and joins them one by one.
    tokens += Math.max(1, ends);
    if (tokens > MAX_TOKENS) return { line, message: 'has too many parts for YAML; store it as JSON' };
    line += ends;
    if (ends > 0) dashes = 0;
  }
  return undefined;
}

function lineEndsIn(token: string): number {
  let count = 0;
  for (let at = token.indexOf('\n'); at >= 0; at = token.indexOf('\n', at + 1)) count += 1;
  return count;
}

function refuseAliasesAndRepeats(
  document: ReturnType<typeof parseDocument>,
  fail: (offset: number, message: string) => AssayError,
): void {
  visit(document, {
    Alias: (_, alias) => {
      throw fail(alias.range?.[0] ?? 0, `*${alias.source} is an alias; write the value out`);
    },
    Map: (_, map) => {
      if (!isMap(map)) return;
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) throw fail(key.range?.[0] ?? 0, `the key "${key.value}" is given twice`);
        seen.add(key.value);
      }
    },
  });
}
