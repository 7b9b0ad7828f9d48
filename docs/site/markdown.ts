/** A page of Markdown as HTML. Markup inside the text is shown as text; only a line break is one. */
import { Marked, type Token, type Tokens, type TokensList } from 'marked';
import { escapeHtml } from '../../src/report/page/table-markup.ts';

export type Heading = { readonly depth: number; readonly id: string; readonly text: string };

/** A part of a page under one heading, as words to search for. */
export type Section = { readonly id: string; readonly heading: string; readonly text: string };

export type Rendered = {
  readonly title: string;
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly sections: readonly Section[];
};

/** What a link on the page leads to; throws where that is nowhere. */
export type Resolve = (href: string) => string;

export function renderMarkdown(markdown: string, resolve: Resolve): Rendered {
  const marked = new Marked();
  const tokens = marked.lexer(markdown);
  const headings = headingsOf(tokens);
  const ids = new Map(headings.map(({ token, id }) => [token, id]));
  marked.use({ renderer: rendererOf(ids, resolve) });
  return {
    title: headings.find(({ depth }) => depth === 1)?.text ?? '',
    html: marked.parser(tokens),
    headings: headings.map(({ depth, id, text }) => ({ depth, id, text })),
    sections: sectionsOf(tokens, ids),
  };
}

function headingsOf(tokens: TokensList): (Heading & { readonly token: Token })[] {
  const taken = new Map<string, number>();
  return tokens.filter(isHeading).map((token) => {
    const text = wordsOf(token);
    const slug = slugOf(text);
    const times = taken.get(slug) ?? 0;
    taken.set(slug, times + 1);
    return { token, depth: token.depth, text, id: times === 0 ? slug : `${slug}-${times}` };
  });
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading';
}

/** As the forges make them, so that an anchor means the same here and there. */
function slugOf(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

const NO_WORDS = new Set(['html', 'space', 'hr', 'def']);

/** What a token says, without its marks. */
function wordsOf(token: Token): string {
  if (NO_WORDS.has(token.type)) return ' ';
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].map((row) => row.map(({ tokens }) => joined(tokens)).join(' ')).join('. ');
  }
  if (token.type === 'list')
    return (token as Tokens.List).items.map(({ tokens }) => joined(tokens)).join(' ');
  if ('tokens' in token && token.tokens !== undefined) return joined(token.tokens);
  return 'text' in token && typeof token.text === 'string' ? token.text : ' ';
}

function joined(tokens: readonly Token[]): string {
  return tokens.map(wordsOf).join('');
}

function sectionsOf(tokens: TokensList, ids: ReadonlyMap<Token, string>): Section[] {
  const sections: { id: string; heading: string; text: string }[] = [{ id: '', heading: '', text: '' }];
  for (const token of tokens) {
    // Text below the title and above the next heading belongs to the page itself.
    if (isHeading(token) && token.depth > 1)
      sections.push({ id: ids.get(token) ?? '', heading: wordsOf(token), text: '' });
    else if (!isHeading(token)) (sections.at(-1) as { text: string }).text += ` ${wordsOf(token)}`;
  }
  return sections.map((one) => ({ ...one, text: one.text.replaceAll(/\s+/g, ' ').trim() }));
}

function rendererOf(ids: ReadonlyMap<Token, string>, resolve: Resolve) {
  return {
    html({ text }: Tokens.HTML | Tokens.Tag): string {
      if (/^\s*<!--[\s\S]*-->\s*$/.test(text)) return '';
      return /^<br ?\/?>$/.test(text) ? '<br>' : escapeHtml(text);
    },
    heading(this: Parsing, token: Tokens.Heading): string {
      const inside = this.parser.parseInline(token.tokens);
      const id = ids.get(token) ?? '';
      const anchor =
        token.depth === 1
          ? ''
          : ` <a class="anchor" href="#${id}" aria-label="Link to: ${escapeHtml(wordsOf(token))}">#</a>`;
      return `<h${token.depth} id="${id}">${inside}${anchor}</h${token.depth}>\n`;
    },
    code({ text, lang }: Tokens.Code): string {
      return codeBlock(text, lang);
    },
    link(this: Parsing, { href, tokens }: Tokens.Link): string {
      const inside = this.parser.parseInline(tokens);
      if (!/^(?:https?:|mailto:)/.test(href)) return `<a href="${escapeHtml(resolve(href))}">${inside}</a>`;
      return `<a href="${escapeHtml(href)}" rel="noreferrer">${inside}</a>`;
    },
    image({ href, text }: Tokens.Image): string {
      return `<img src="${escapeHtml(resolve(href))}" alt="${escapeHtml(text)}" loading="lazy">`;
    },
    table(this: Parsing, { header, rows }: Tokens.Table): string {
      const cells = (row: readonly Tokens.TableCell[]) => row.map((cell) => this.tablecell(cell)).join('');
      const body = rows.map((row) => `<tr>${cells(row)}</tr>`).join('\n');
      return `<div class="scroll" tabindex="0"><table>\n<thead><tr>${cells(header)}</tr></thead>\n<tbody>${body}</tbody></table></div>\n`;
    },
    tablecell(this: Parsing, { tokens, header, align }: Tokens.TableCell): string {
      const inside = this.parser.parseInline(tokens);
      const kind = align === 'right' ? ' class="num"' : '';
      // A heading without words heads nothing.
      return header && inside !== '' ? `<th scope="col"${kind}>${inside}</th>` : `<td${kind}>${inside}</td>`;
    },
  };
}

type Parsing = {
  readonly parser: { parseInline(tokens: Token[]): string };
  tablecell(cell: Tokens.TableCell): string;
};

export function codeBlock(text: string, lang = ''): string {
  const language = /^[\w-]+/.exec(lang)?.[0];
  const kind = language === undefined ? '' : ` class="language-${language}"`;
  const lines = text.replaceAll('\t', '  ').split('\n').map(escapeHtml);
  return `<pre tabindex="0"><code${kind}>${lines.join('\n')}</code></pre>\n`;
}
