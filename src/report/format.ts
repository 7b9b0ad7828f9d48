/** The formats of a report. Each renderer is loaded only when it is asked for: HTML alone needs a plotting library. */
import type { Document } from './document.ts';
import type { TerminalOptions } from './terminal.ts';

export const FORMATS = ['table', 'json', 'jsonl', 'csv', 'markdown', 'junit', 'html'] as const;

/** The formats that draw a document for people. */
const DOCUMENT_FORMATS = ['table', 'markdown', 'html'] as const satisfies readonly (typeof FORMATS)[number][];

export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number];

type RenderOptions = TerminalOptions & { readonly maxChars?: number };

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
