/** A field, and below it the pages that its words lead to. */
import { type Found, stem } from '../search.ts';
import type { Search } from './site.ts';

const LABEL = 'Search in all pages';
const AROUND = 70;

type Dialog = {
  readonly dialog: HTMLDialogElement;
  readonly field: HTMLInputElement;
  readonly list: HTMLElement;
  readonly said: HTMLElement;
};

let made: Dialog | undefined;

export function openSearch(root: URL, load: () => Promise<Search>): void {
  made ??= makeDialog(root, load);
  if (!made.dialog.open) made.dialog.showModal();
  made.field.select();
  // While the reader types.
  void load().catch(() => {});
}

function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string>>,
  ...inside: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const one = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value);
  one.append(...inside);
  return one;
}

function makeDialog(root: URL, load: () => Promise<Search>): Dialog {
  const field = element('input', {
    class: 'palette-field',
    type: 'search',
    role: 'combobox',
    'aria-expanded': 'false',
    'aria-autocomplete': 'list',
    'aria-controls': 'found',
    'aria-label': LABEL,
    placeholder: 'A question, a command, an error code',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const list = element('div', { id: 'found', class: 'palette-list', role: 'listbox', 'aria-label': 'Found' });
  const said = element('p', { class: 'sub', role: 'status' });
  const keys = element('p', { class: 'faint keys' }, '↑ ↓ choose, Enter opens, Esc closes');
  const dialog = element('dialog', { 'aria-label': LABEL }, field, list, said, keys);
  const parts = { dialog, field, list, said };
  document.body.append(dialog);
  field.addEventListener('input', () => void show(parts, root, load));
  field.addEventListener('keydown', (event) => press(event, parts));
  dialog.addEventListener('click', ({ target }) => {
    // A click outside of it, or on a page of the list, which may be the current one.
    if (target === dialog || (target instanceof Element && target.closest('a') !== null)) dialog.close();
  });
  return parts;
}

async function show({ field, list, said }: Dialog, root: URL, load: () => Promise<Search>): Promise<void> {
  const question = field.value.trim();
  let found: readonly Found[];
  try {
    found = question === '' ? [] : (await load())(question);
  } catch {
    said.textContent = 'The index could not be loaded.';
    return;
  }
  // More was typed meanwhile.
  if (question !== field.value.trim()) return;
  list.replaceChildren(...found.map((one, place) => optionOf(one, place, root, question)));
  field.setAttribute('aria-expanded', String(found.length > 0));
  choose({ field, list }, 0);
  said.textContent = question === '' ? '' : sayCount(found.length);
}

function sayCount(count: number): string {
  if (count === 0) return 'No page has these words.';
  return count === 1 ? 'One page' : `${count} pages`;
}

function optionOf(
  { address, anchor, title, heading, group, text }: Found,
  place: number,
  root: URL,
  question: string,
) {
  const url = new URL(address, root);
  if (anchor !== '') url.hash = anchor;
  const name = heading === '' ? title : `${title}: ${heading}`;
  return element(
    'a',
    { id: `found-${place}`, role: 'option', 'aria-selected': 'false', tabindex: '-1', href: url.href },
    element('span', { class: 'name' }, name),
    element('span', { class: 'faint' }, group),
    element('span', { class: 'sub words' }, ...excerptOf(text, question)),
  );
}

/** The text around the first match, with all matches marked. */
function excerptOf(text: string, question: string): (Node | string)[] {
  const asked = new Set(question.split(/[^\p{L}\p{N}_]+/u).flatMap((word) => stem(word) ?? []));
  const isAsked = (word: string) => asked.has(stem(word) ?? '');
  const words = [...text.matchAll(/[\p{L}\p{N}_]+/gu)];
  const first = words.find(([word]) => isAsked(word))?.index ?? 0;
  const start = text.lastIndexOf(' ', Math.max(0, first - AROUND)) + 1;
  const part = text.slice(start, first + 2 * AROUND);
  const pieces = part.split(/([\p{L}\p{N}_]+)/u);
  const marked = pieces.map((piece) => (piece !== '' && isAsked(piece) ? element('mark', {}, piece) : piece));
  return [start > 0 ? '… ' : '', ...marked, first + 2 * AROUND < text.length ? ' …' : ''];
}

function choose({ field, list }: Pick<Dialog, 'field' | 'list'>, place: number): void {
  const options = [...list.children];
  options.forEach((option, index) => {
    option.setAttribute('aria-selected', String(index === place));
  });
  const chosen = options[place];
  if (chosen === undefined) field.removeAttribute('aria-activedescendant');
  else {
    field.setAttribute('aria-activedescendant', chosen.id);
    chosen.scrollIntoView({ block: 'nearest' });
  }
}

function press(event: KeyboardEvent, { field, list }: Dialog): void {
  const options = [...list.children] as HTMLElement[];
  const at = options.findIndex((option) => option.getAttribute('aria-selected') === 'true');
  if (event.key === 'Enter') options[at]?.click();
  else if (event.key === 'ArrowDown') choose({ field, list }, (at + 1) % Math.max(1, options.length));
  else if (event.key === 'ArrowUp')
    choose({ field, list }, (at + options.length - 1) % Math.max(1, options.length));
  else return;
  event.preventDefault();
}
