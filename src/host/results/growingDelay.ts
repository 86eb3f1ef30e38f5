/** Users do not see more frequent updates. */
const minDelayMs = 50;
const maxDelayMs = 500;
const growthFactor = 1.25;
/** A change this soon after an update increases the delay. A later change resets it. */
const continuesMs = 100;

/** Shows the first change soon. While changes continue, updates get rarer: each repaint delays the rows. */
export function growingDelay(): (sinceLastRunMs: number) => number {
  let delayMs = minDelayMs;
  return sinceLastRunMs => {
    delayMs = sinceLastRunMs < continuesMs ? Math.min(maxDelayMs, delayMs * growthFactor) : minDelayMs;
    return delayMs;
  };
}
