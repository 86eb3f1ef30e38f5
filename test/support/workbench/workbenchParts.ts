import type { FrameLocator, JSHandle, Locator, Page } from 'playwright-core';

/* Parts of VS Code's window around its editors. Those without a role are found by their class, which stands only here. */

export const statusBar = (page: Page): Locator => page.getByRole('status').filter({ has: page.getByRole('button') });

/** An item of the status bar, by its text. */
export const statusItem = (page: Page, text: string | RegExp): Locator =>
  statusBar(page).getByRole('button').filter({ hasText: text });

/** An item of the status bar whose background shows no warning and no error. */
export const plainStatusItem = (page: Page, text: string | RegExp): Locator =>
  page.locator('.statusbar-item:not(.error-kind, .warning-kind)').filter({ hasText: text });

/** The item of the status bar that names a known project. An unknown project has an item with its name, too. */
export const projectStatusItem = (page: Page, project: string): Locator =>
  statusBar(page).getByRole('button', { name: `Statements go to ${project} at ` });

/** The texts of the items that leave the status bar from now on. */
export const removedStatusTexts = (page: Page): Promise<JSHandle<string[]>> =>
  statusBar(page).evaluateHandle(bar => {
    const texts: string[] = [];
    new MutationObserver(changes => {
      for (const { removedNodes } of changes) {
        for (const node of removedNodes) {
          if (node instanceof HTMLElement && node.querySelector('[role="button"]')) texts.push(node.textContent);
        }
      }
    }).observe(bar, { childList: true, subtree: true });
    return texts;
  });

/** The tab of an editor with the dot of unsaved changes. */
export const dirtyTab = (page: Page, name: string): Locator => page.locator('.tab.dirty').filter({ hasText: name });

/** The list of the Problems view, which has the number of problems as its name. */
export const problemsList = (page: Page): Locator =>
  page.getByRole('tree', { name: /^Showing \d+ (of \d+ )?problems/ });

export const webviews = (page: Page): Locator => page.locator('iframe.webview');

/** The webviews that VS Code has loaded. */
export const readyWebviews = (page: Page): Locator => page.locator('iframe.webview.ready');

/** The content of a webview. */
export const webviewContent = (webview: Locator): FrameLocator =>
  webview.contentFrame().frameLocator('iframe#active-frame');

/** The icons of a name in a part of the window. They are hidden from assistive technology. */
export const icons = (part: Locator | Page, name: string): Locator => part.locator(`.codicon-${name}`);

/** The arrow that expands a row of a tree. Only a click there does not select the row. */
export const twistie = (row: Locator): Locator => row.locator('.monaco-tl-twistie');
