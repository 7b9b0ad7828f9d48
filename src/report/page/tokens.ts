/**
 * Colours, type and space of everything Assay shows on a page; nothing else names a colour. Every text colour has at
 * least 4.5:1 on what it stands on, every mark 3:1, in light and in dark. Blue, teal, amber and vermilion stay apart
 * for colour-blind eyes; each zone also has a word and a shape.
 */
type Palette = Readonly<Record<string, string>>;

const LIGHT: Palette = {
  bg: '#fafaf8',
  panel: '#ffffff',
  sunken: '#f3f3f0',
  line: '#e4e3df',
  'line-strong': '#c9c7c1',
  ink: '#1b1c1e',
  'ink-soft': '#55585e',
  'ink-faint': '#6b6f76',
  accent: '#1f5fbf',
  'accent-soft': '#e6eefa',
  'tone-excellent': '#0a6690',
  'tone-good': '#14724f',
  'tone-caution': '#875a00',
  'tone-bad': '#b23415',
  'tone-quiet': '#666a71',
  'soft-excellent': '#e0eff6',
  'soft-good': '#e1f2ea',
  'soft-caution': '#faeed5',
  'soft-bad': '#fbe6df',
  'soft-quiet': '#ededea',
  'mark-excellent': '#0b6e99',
  'mark-good': '#1a8a62',
  'mark-caution': '#b87a00',
  'mark-bad': '#cf4420',
  'mark-quiet': '#82868d',
  'series-1': '#1f5fbf',
  'series-2': '#8f5b00',
  'series-3': '#14724f',
  'series-4': '#bf3f12',
  'series-5': '#7a4fa3',
  'series-6': '#5d6770',
  heat: '#1f6fc4',
  shade: 'rgb(20 24 30 / 0.14)',
};

const DARK: Palette = {
  bg: '#131416',
  panel: '#1a1c1f',
  sunken: '#222529',
  line: '#2d3035',
  'line-strong': '#464a51',
  ink: '#ececea',
  'ink-soft': '#b3b6bb',
  'ink-faint': '#979ca3',
  accent: '#7fb0f5',
  'accent-soft': '#1d2b40',
  'tone-excellent': '#6dbfe2',
  'tone-good': '#5cc79b',
  'tone-caution': '#e0b04a',
  'tone-bad': '#f58d73',
  'tone-quiet': '#9da2a9',
  'soft-excellent': '#14303c',
  'soft-good': '#14332a',
  'soft-caution': '#372b10',
  'soft-bad': '#3d1f18',
  'soft-quiet': '#282b30',
  'mark-excellent': '#4fa9d0',
  'mark-good': '#3fb488',
  'mark-caution': '#d9a338',
  'mark-bad': '#ee7355',
  'mark-quiet': '#878c94',
  'series-1': '#7fb0f5',
  'series-2': '#e3ac45',
  'series-3': '#5cc79b',
  'series-4': '#ff8a60',
  'series-5': '#c3a0ea',
  'series-6': '#a4adb6',
  heat: '#4f9bea',
  shade: 'rgb(0 0 0 / 0.55)',
};

const SIZES: Palette = {
  s1: '4px',
  s2: '8px',
  s3: '12px',
  s4: '16px',
  s5: '24px',
  s6: '32px',
  radius: '8px',
  't-xs': '12px',
  't-s': '13px',
  't-m': '14px',
  't-l': '17px',
  't-xl': '22px',
  't-num': '30px',
  font: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif',
  mono: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace',
};

function declarations(palette: Palette): string {
  return Object.entries(palette)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');
}

/** Light unless the reader's system is dark, or the page says which it wants; paper is always light. */
export const TOKENS = `:root{color-scheme:light dark;${declarations(LIGHT)};${declarations(SIZES)}}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){${declarations(DARK)}}}
:root[data-theme=dark]{${declarations(DARK)}}
@media print{:root,:root:not([data-theme=light]){color-scheme:light;${declarations(LIGHT)}}}`;
