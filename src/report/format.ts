/** The formats of a report. Each renderer is loaded on demand: only HTML needs a plotting library. */

import type { TerminalOptions } from './terminal.ts';
import type { View } from './view.ts';

type RenderOptions = TerminalOptions & { readonly maxChars?: number };

type Renderer = (document: View, options: RenderOptions) => Promise<string>;

/** The formats that draw a document for people: a new one is a file and a line here. */
const RENDERERS = {
  table: async (document, options) => (await import('./terminal.ts')).renderTerminal(document, options),
  markdown: async (document, options) => (await import('./markdown.ts')).renderMarkdown(document, options),
  html: async (document) => (await import('./html.ts')).renderHtml(document),
} as const satisfies Readonly<Record<string, Renderer>>;

export type ViewFormat = keyof typeof RENDERERS;

export const DOCUMENT_FORMATS = ['table', ...otherFormats()] as const;

/** Every format: for people, for programs, and for CI. */
export const FORMATS: readonly string[] = ['table', 'json', 'jsonl', 'csv', ...otherFormats(), 'junit'];

function otherFormats(): ViewFormat[] {
  return (Object.keys(RENDERERS) as ViewFormat[]).filter((format) => format !== 'table');
}

export function renderView(document: View, format: ViewFormat, options: RenderOptions): Promise<string> {
  return RENDERERS[format](document, options);
}
