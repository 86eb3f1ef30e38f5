import type { Frame, Page } from 'playwright-core';

/** Times since the epoch, in milliseconds and parts of them, so that those of a page and of a frame in it compare. */

/** When a text was painted as a cell of the grid. The promise inside is there when the frame watches. */
export async function watchCell(frame: Frame, text: string): Promise<{ readonly painted: Promise<number> }> {
  const painted = frame.evaluate(async wanted => {
    const isThere = (): boolean =>
      [...document.querySelectorAll('[role="gridcell"]')].some(({ textContent }) => textContent === wanted);
    if (!isThere()) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const observer = new MutationObserver(() => isThere() && resolve());
      observer.observe(document.body, { subtree: true, childList: true, characterData: true });
      await promise;
      observer.disconnect();
    }
    // A frame has been painted when a task runs behind its animation callbacks.
    return new Promise<number>(resolve => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener('message', () => resolve(performance.timeOrigin + performance.now()));
        port1.start();
        port2.postMessage(null);
      });
    });
  }, text);
  // What is evaluated in a frame begins in its order.
  await frame.evaluate(() => undefined);
  return { painted };
}

/** Presses a key, and says when the page had it. */
export async function pressAt(page: Page, key: string): Promise<number> {
  await page.evaluate(() => {
    const target = window as unknown as { pressedAt?: number };
    delete target.pressedAt;
    window.addEventListener(
      'keydown',
      ({ key: name }) => {
        // A chord begins with the keys that are held.
        if (!['Control', 'Shift', 'Alt', 'Meta'].includes(name))
          target.pressedAt ??= performance.timeOrigin + performance.now();
      },
      { capture: true },
    );
  });
  await page.keyboard.press(key);
  return page.evaluate(() => (window as unknown as { pressedAt: number }).pressedAt);
}

/** Types a character into the editor that has the focus, and gives the milliseconds until it was painted there. */
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
