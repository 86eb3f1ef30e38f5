/** More often than the screen is repainted is never visible. */
const minDelayMs = 50;
const maxDelayMs = 500;
const growthFactor = 1.25;
/** Changes within this time of the last update continue it. Later ones are shown as soon as the first. */
const continuesMs = 100;

/**
 * The delay of a debouncer that shows the first change soon, and updates less often while changes continue: each repaint delays
 * the rows.
 */
export function growingDelay(): (sinceLastRunMs: number) => number {
  let delayMs = minDelayMs;
  return sinceLastRunMs => {
    delayMs = sinceLastRunMs < continuesMs ? Math.min(maxDelayMs, delayMs * growthFactor) : minDelayMs;
    return delayMs;
  };
}
