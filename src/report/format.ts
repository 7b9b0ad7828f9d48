/** The formats of a report. Each renderer is loaded only when it is asked for: HTML alone needs a plotting library. */
import type { Verdict } from '../judge/verdict.ts';
import type { Document } from './document.ts';
import type { TerminalOptions } from './terminal.ts';

export const FORMATS = ['table', 'json', 'jsonl', 'csv', 'markdown', 'junit', 'html'] as const;

export type Format = (typeof FORMATS)[number];

/** The formats that draw a document for people. */
const DOCUMENT_FORMATS = ['table', 'markdown', 'html'] as const satisfies readonly Format[];

export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number];

export type RenderOptions = TerminalOptions & {
  readonly maxChars?: number;
  /** What goes on from here. */
  readonly next?: Document['next'];
};

export async function renderVerdict(
  verdict: Verdict,
  format: Format,
  options: RenderOptions,
): Promise<string> {
  switch (format) {
    case 'json':
      return (await import('./json.ts')).renderJson(verdict);
    case 'junit':
      return (await import('./junit.ts')).renderJunit(verdict);
    case 'jsonl': {
      const [{ renderJsonl }, { verdictRows }] = await Promise.all([
        import('./jsonl.ts'),
        import('./verdict-rows.ts'),
      ]);
      return renderJsonl(verdictRows(verdict));
    }
    case 'csv': {
      const [{ renderCsv }, { verdictRows }] = await Promise.all([
        import('./csv.ts'),
        import('./verdict-rows.ts'),
      ]);
      return renderCsv(verdictRows(verdict));
    }
    default:
      return renderDocument(
        (await import('./verdict-document.ts')).verdictDocument(verdict, options.next),
        format,
        options,
      );
  }
}

export async function renderDocument(
  document: Document,
  format: DocumentFormat,
  options: RenderOptions,
): Promise<string> {
  switch (format) {
    case 'table':
      return (await import('./terminal.ts')).renderTerminal(document, options);
    case 'markdown':
      return (await import('./markdown.ts')).renderMarkdown(document, options);
    case 'html':
      return (await import('./html.ts')).renderHtml(document);
  }
}
