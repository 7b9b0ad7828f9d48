/** What a page does beyond being read: theme, menu, copying, search. Without it every page is whole. */
import type { Found } from '../search.ts';
import { commandsOf } from './commands-of.ts';
import { openSearch } from './search-dialog.ts';

export type Search = (question: string) => readonly Found[];

const script = document.currentScript as HTMLScriptElement;
const root = new URL('.', script.src);
const KEY = 'assay-theme';

/** A browser may refuse storage to a page that is opened from disk. */
function keptTheme(): string {
  try {
    return localStorage.getItem(KEY) ?? 'system';
  } catch {
    return 'system';
  }
}

function chooseTheme(theme: string): void {
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // It holds for this page.
  }
}

function startTheme(): void {
  const label = document.querySelector<HTMLElement>('[data-theme-choice]');
  const select = label?.querySelector('select');
  if (label === null || select === null || select === undefined) return;
  label.hidden = false;
  select.value = document.documentElement.dataset.theme ?? 'system';
  select.addEventListener('change', () => chooseTheme(select.value));
}

function startMenu(): void {
  const button = document.querySelector<HTMLButtonElement>('[data-menu]');
  const pages = document.querySelector<HTMLElement>('#pages');
  if (button === null || pages === null) return;
  button.hidden = false;
  document.documentElement.classList.add('js');
  const show = (isOpen: boolean) => {
    button.setAttribute('aria-expanded', String(isOpen));
    pages.classList.toggle('shown', isOpen);
  };
  button.addEventListener('click', () => show(button.getAttribute('aria-expanded') !== 'true'));
  pages.addEventListener('click', ({ target }) => {
    if (target instanceof HTMLAnchorElement) show(false);
  });
  pages.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
}

/** What does not scroll is no place to stop at with the keyboard. */
function stopAtWhatScrolls(): void {
  const boxes = document.querySelectorAll<HTMLElement>('main pre, main .scroll');
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries)
      if (target.scrollWidth > target.clientWidth) target.setAttribute('tabindex', '0');
      else target.removeAttribute('tabindex');
  });
  for (const box of boxes) observer.observe(box);
}

function startCopying(): void {
  for (const block of document.querySelectorAll<HTMLElement>('main pre')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.setAttribute('aria-label', 'Copy this code');
    const frame = document.createElement('div');
    frame.className = 'code';
    block.replaceWith(frame);
    frame.append(block, button);
    button.addEventListener('click', () => void copy(block, button));
  }
}

async function copy(block: HTMLElement, button: HTMLButtonElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(commandsOf(block.textContent ?? ''));
    button.textContent = 'Copied';
  } catch {
    // Where a page may not write there, the reader can: it is marked for the keys that copy.
    getSelection()?.selectAllChildren(block);
    button.textContent = 'Marked';
  }
  setTimeout(() => {
    button.textContent = 'Copy';
  }, 1500);
}

let loaded: Promise<Search> | undefined;

/** A script, because a page from a disk may fetch nothing. */
function loadSearch(): Promise<Search> {
  loaded ??= new Promise((resolve, reject) => {
    document.addEventListener('assay-search', (event) => resolve((event as CustomEvent<Search>).detail), {
      once: true,
    });
    const element = document.createElement('script');
    element.src = new URL('search.js', root).href;
    element.addEventListener('error', () => reject(new Error('the index could not be loaded')));
    document.head.append(element);
  });
  return loaded;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, select, textarea') !== null;
}

function startSearch(): void {
  const open = () => openSearch(root, loadSearch);
  const button = document.querySelector<HTMLButtonElement>('[data-search]');
  if (button !== null) {
    button.hidden = false;
    button.addEventListener('click', open);
  }
  document.addEventListener('keydown', (event) => {
    const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey;
    const isPalette = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
    if (!isPalette && (!isSlash || isTyping(event.target))) return;
    event.preventDefault();
    open();
  });
}

chooseTheme(keptTheme());
document.addEventListener('DOMContentLoaded', () => {
  startTheme();
  startMenu();
  startCopying();
  startSearch();
  stopAtWhatScrolls();
});
