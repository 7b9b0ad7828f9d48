const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/**
 * A series in one line of text, lowest to highest value: `▂▄▆█▃`. A gap stays blank; a flat series runs along the
 * middle. With more values than columns the latest are shown: what happens now matters most.
 */
export function sparkline(values: readonly (number | undefined)[], maxWidth = 24): string {
  const shown = values.slice(-Math.max(1, maxWidth));
  const finite = shown.filter((value) => value !== undefined && Number.isFinite(value)) as number[];
  const low = Math.min(...finite);
  const high = Math.max(...finite);
  return shown
    .map((value) => {
      if (value === undefined || !Number.isFinite(value)) return ' ';
      const position = high === low ? 0.4 : (value - low) / (high - low);
      return BARS[Math.min(BARS.length - 1, Math.floor(position * BARS.length))];
    })
    .join('');
}
