import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';

/** With `SLOW_PAGES=1`, pages paint and hear late, as on a loaded machine: a test fails that reads what has yet to come. */
const isSlow = process.env['SLOW_PAGES'] === '1';
const messageMs = 60;

/** Delivers a message between a page and its host. All are equally late, so they stay in order. */
export async function deliver<T>(send: () => T | Promise<T>): Promise<T> {
  if (isSlow) await delay(messageMs);
  return send();
}

/** Delays the frames of a page that is loaded after this. */
export async function delayFrames(page: Page): Promise<void> {
  if (isSlow) await page.addInitScript(callFramesLate);
}

/** Runs in the page before any other script. */
function callFramesLate(): void {
  const frameMs = 120;
  const request = requestAnimationFrame.bind(window);
  const cancel = cancelAnimationFrame.bind(window);
  const cancels = new Map<number, () => void>();
  let lastId = 0;
  window.requestAnimationFrame = callback => {
    const id = ++lastId;
    const timer = setTimeout(() => {
      const frame = request(time => {
        cancels.delete(id);
        callback(time);
      });
      cancels.set(id, () => cancel(frame));
    }, frameMs);
    cancels.set(id, () => clearTimeout(timer));
    return id;
  };
  window.cancelAnimationFrame = id => {
    cancels.get(id)?.();
    cancels.delete(id);
  };
}
