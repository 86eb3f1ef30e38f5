import type { Frame, Page } from 'playwright-core';

/** All times are in milliseconds since the epoch, so that those of a page and of a frame in it can be compared. */

interface Painted {
  readonly at: number;
  /** When the last message from the host came before. */
  readonly messageAt: number;
  /** When the text was in the page. The next frame paints it. */
  readonly drawnAt: number;
}

/** Watches for a text in a cell of the grid. Settles when the frame watches, and `painted` when the text is painted. */
export async function watchCell(frame: Frame, text: string): Promise<{ readonly painted: Promise<Painted> }> {
  const painted = frame.evaluate(async wanted => {
    let messageAt = Number.NaN;
    const onMessage = (): void => void (messageAt = performance.timeOrigin + performance.now());
    window.addEventListener('message', onMessage);
    const isShown = (): boolean =>
      [...document.querySelectorAll('[role="gridcell"]')].some(({ textContent }) => textContent === wanted);
    if (!isShown()) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const observer = new MutationObserver(() => isShown() && resolve());
      observer.observe(document.body, { subtree: true, childList: true, characterData: true });
      await promise;
      observer.disconnect();
    }
    window.removeEventListener('message', onMessage);
    const drawnAt = performance.timeOrigin + performance.now();
    // A task that is posted in an animation callback runs after the paint.
    return new Promise<Painted>(resolve => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener('message', () =>
          resolve({ at: performance.timeOrigin + performance.now(), messageAt, drawnAt }),
        );
        port1.start();
        port2.postMessage(null);
      });
    });
  }, text);
  // Scripts start in order, so the frame watches when this one has run.
  await frame.evaluate(() => undefined);
  return { painted };
}

/** Presses a key, and gives the time at which the page received it. */
export async function pressAt(page: Page, key: string): Promise<number> {
  await page.evaluate(() => {
    const target = window as unknown as { pressedAt?: number };
    delete target.pressedAt;
    window.addEventListener(
      'keydown',
      ({ key: name }) => {
        // A chord begins with its modifiers.
        if (!['Control', 'Shift', 'Alt', 'Meta'].includes(name))
          target.pressedAt ??= performance.timeOrigin + performance.now();
      },
      { capture: true },
    );
  });
  await page.keyboard.press(key);
  return page.evaluate(() => (window as unknown as { pressedAt: number }).pressedAt);
}

/** Types a character into the focused editor, and gives the time until it was painted. */
export async function echoOf(page: Page, character: string): Promise<number> {
  const echo = page.evaluate(async () => {
    const pressed = Promise.withResolvers<number>();
    window.addEventListener('keydown', () => pressed.resolve(performance.now()), { capture: true, once: true });
    const changed = Promise.withResolvers<void>();
    const observer = new MutationObserver(() => changed.resolve());
    const lines = document.activeElement?.closest('.monaco-editor')?.querySelector('.view-lines');
    observer.observe(lines!, { subtree: true, childList: true, characterData: true });
    const at = await pressed.promise;
    await changed.promise;
    observer.disconnect();
    return new Promise<number>(resolve => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener('message', () => resolve(performance.now() - at));
        port1.start();
        port2.postMessage(null);
      });
    });
  });
  await page.evaluate(() => undefined);
  await page.keyboard.press(character);
  return echo;
}
