/** Light or dark: as the system is, unless the reader chose. */
import { signal } from '@preact/signals';

type Theme = 'system' | 'light' | 'dark';

const KEY = 'assay-theme';
export const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

export const theme = signal<Theme>('system');

export function chooseTheme(chosen: Theme): void {
  theme.value = chosen;
  if (chosen === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
  localStorage.setItem(KEY, chosen);
}

export function startTheme(): void {
  const stored = localStorage.getItem(KEY);
  chooseTheme(THEMES.find((one) => one === stored) ?? 'system');
}

/** Which of the shell's dialogs is open. */
export const open = signal<'palette' | 'keys' | undefined>(undefined);
