import { setImmediate } from 'node:timers/promises';
import type { CancellationToken } from 'vscode-languageserver/node';

/** After this time, long work yields to other requests. */
const maxTurnMs = 25;

/** Collects what a generator yields, in short turns. Undefined when the request is cancelled meanwhile. */
export async function collectInTurns<T>(
  work: Iterable<readonly T[]>,
  token: CancellationToken,
): Promise<T[] | undefined> {
  const collected: T[] = [];
  let turnEnd = performance.now() + maxTurnMs;
  for (const part of work) {
    collected.push(...part);
    if (performance.now() < turnEnd) continue;
    await setImmediate();
    if (token.isCancellationRequested) return undefined;
    turnEnd = performance.now() + maxTurnMs;
  }
  return collected;
}
