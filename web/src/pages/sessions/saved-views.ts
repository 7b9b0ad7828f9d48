/** Named filters, stored in this browser. */
import { signal } from '@preact/signals';

export type SavedView = { readonly name: string; readonly query: string };

const KEY = 'assay-session-views';

export const savedViews = signal<readonly SavedView[]>(storedViews());

function storedViews(): readonly SavedView[] {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(read) ? read.filter(isView) : [];
  } catch {
    return [];
  }
}

function isView(one: unknown): one is SavedView {
  return (
    typeof one === 'object' &&
    one !== null &&
    typeof Reflect.get(one, 'name') === 'string' &&
    typeof Reflect.get(one, 'query') === 'string'
  );
}

/** A view of the same name is replaced. */
export function saveView(view: SavedView): void {
  store([...savedViews.value.filter(({ name }) => name !== view.name), view]);
}

export function forgetView(name: string): void {
  store(savedViews.value.filter((view) => view.name !== name));
}

function store(views: readonly SavedView[]): void {
  savedViews.value = views;
  localStorage.setItem(KEY, JSON.stringify(views));
}
