/** Spans of a large OTLP document in portions, each a small document with the resources its spans belong to. */
import type { Item } from '../../json/split-document.ts';
import type { DocumentPortions } from '../format.ts';

const RESOURCES: ReadonlySet<string> = new Set(['resourceSpans', 'resource_spans']);

/** Where the spans are: `resourceSpans[].scopeSpans[].spans[]`, under the names these have had. */
const SPANS_PATH: readonly ReadonlySet<string>[] = [
  RESOURCES,
  new Set(['scopeSpans', 'scope_spans', 'instrumentationLibrarySpans']),
  new Set(['spans']),
];
const RESOURCE_LEVEL = 3;
const SPAN_LEVEL = 6;
/** Spans of a portion are put in order of time, so portions should not be too small. */
const PORTION_BYTES = 4 * 1024 * 1024;

/** One resource may hold all the spans there are, so its elements are not small enough to be taken one by one. */
export const spanPortions: DocumentPortions = {
  isFor: (arrays) => arrays.some((key) => RESOURCES.has(key)),
  path: SPANS_PATH,
  empty: { resourceSpans: [] },
  collect: (onPortion) => new SpanPortions(onPortion),
};

type Group = { readonly resource: unknown; readonly spans: unknown[] };

class SpanPortions {
  readonly #onPortion: (document: unknown) => void;
  #groups: Group[] = [];
  #bytes = 0;
  #element = 0;
  #resource: unknown;

  constructor(onPortion: (document: unknown) => void) {
    this.#onPortion = onPortion;
  }

  /** A resource that stands after its spans is not known for them. Returns false for a span that cannot be read. */
  take({ level, key, value, bytes, element }: Item): boolean {
    if (element !== this.#element) {
      this.#element = element;
      this.#resource = undefined;
    }
    if (level === RESOURCE_LEVEL && key === 'resource') this.#resource = value;
    if (level !== SPAN_LEVEL) return true;
    if (value === undefined) return false;
    const last = this.#groups.at(-1);
    if (last !== undefined && last.resource === this.#resource) last.spans.push(value);
    else this.#groups.push({ resource: this.#resource, spans: [value] });
    this.#bytes += bytes;
    if (this.#bytes >= PORTION_BYTES) this.flush();
    return true;
  }

  flush(): void {
    const groups = this.#groups;
    this.#groups = [];
    this.#bytes = 0;
    if (groups.length === 0) return;
    const resourceSpans = groups.map(({ resource, spans }) => ({ resource, scopeSpans: [{ spans }] }));
    this.#onPortion({ resourceSpans, isPortion: true });
  }
}
