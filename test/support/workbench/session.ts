import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, FrameLocator, Locator, Page } from 'playwright-core';
import { processesBelow } from '../processesOf.ts';
import { waitUntil } from './waitUntil.ts';
import { readyWebviews, twistie } from './workbenchParts.ts';
import { newWorkbenchPage, type WorkbenchPage, type WorkbenchPageOptions } from './workbenchPage.ts';
import { resultsFolder } from './workbenchPaths.ts';
import type { UserSettings, WorkbenchServer } from './workbenchServer.ts';

export interface OpenWorkbenchOptions extends WorkbenchPageOptions {
  folder: string;
}

export type ThemeKind = keyof typeof themes;

const themes = {
  light: 'Light 2026',
  dark: 'Dark 2026',
  hcLight: 'Default High Contrast Light',
  hcDark: 'Default High Contrast',
} as const;

const themeClasses = { light: 'vs', dark: 'vs-dark', hcLight: 'hc-light', hcDark: 'hc-black' } as const;

/** Opens a folder in a new browser profile. */
export async function openWorkbench(
  browser: Browser,
  server: WorkbenchServer,
  options: OpenWorkbenchOptions,
): Promise<WorkbenchSession> {
  const opened = await newWorkbenchPage(browser, server, options);
  const session = new WorkbenchSession(opened, server, options.folder);
  try {
    await session.open();
  } catch (thrown) {
    await session.close();
    throw thrown;
  }
  return session;
}

/** A workbench, used as a person does: it finds things by role and label. */
export class WorkbenchSession {
  readonly server: WorkbenchServer;
  readonly folder: string;
  readonly consoleLines: readonly string[];
  readonly externalRequests: readonly string[];
  readonly #opened: WorkbenchPage;
  #page: Page;
  #settingsCount = 0;

  constructor(opened: WorkbenchPage, server: WorkbenchServer, folder: string) {
    this.#opened = opened;
    this.#page = opened.page;
    this.consoleLines = opened.consoleLines;
    this.externalRequests = opened.externalRequests;
    this.server = server;
    this.folder = folder;
  }

  /** The present page of the window. */
  get page(): Page {
    return this.#page;
  }

  /** Opens or reloads the folder and waits until the window can be used. */
  async open(): Promise<void> {
    await this.page.goto(this.server.urlFor(this.folder));
    await this.activityBar.getByRole('tab').first().waitFor();
  }

  /** Reloads the window by its own command, which saves the open editors first. */
  async reload(): Promise<void> {
    const loaded = this.page.waitForEvent('load');
    await this.runCommand('Developer: Reload Window');
    await loaded;
    await this.activityBar.getByRole('tab').first().waitFor();
  }

  /** Kills the process of the page, which saves nothing then, and opens the folder again in the same browser profile. */
  async crash(): Promise<void> {
    const killed = this.page;
    const crashed = killed.waitForEvent('crash');
    const devtools = await this.#opened.context.newCDPSession(killed);
    // A killed process gives no answer.
    devtools.send('Page.crash').catch(() => undefined);
    await crashed;
    this.#page = await this.#opened.openPage();
    await killed.close();
    await this.open();
  }

  /** Kills the extension hosts of the server, as the system does when memory runs out. They must be those of this window. */
  async killExtensionHosts(): Promise<void> {
    const hosts = processesBelow(this.server.userDataDir, '--type=extensionHost');
    if (hosts.length === 0) throw new Error('No extension host runs.');
    for (const { pid } of hosts) process.kill(pid, 'SIGKILL');
    const areGone = (): boolean => {
      const running = processesBelow(this.server.userDataDir, '--type=extensionHost');
      return !hosts.some(({ pid }) => running.some(other => other.pid === pid));
    };
    await waitUntil(areGone, { what: 'an extension host does not end' });
  }

  get activityBar(): Locator {
    return this.page.getByRole('tablist', { name: 'Active View Switcher' }).first();
  }

  /** The toasts now on screen; narrow them with `filter({ hasText })`. Information toasts leave after ten seconds. */
  get notifications(): Locator {
    return this.page.getByRole('dialog', { name: /, notification\b/ });
  }

  /** Runs a command from the palette by its full title, such as "View: Toggle Output". */
  async runCommand(title: string): Promise<void> {
    await this.#pick(`>${title}`, title);
  }

  /** Opens a file of the folder through quick open and waits until its editor has the focus. */
  async openFile(name: string): Promise<void> {
    await this.#pick(name, name);
    // The previous editor has the focus until this one is active.
    await this.editorTab(name).and(this.page.locator('[aria-selected="true"]')).waitFor();
    await this.waitForEditorFocus();
  }

  /**
   * The editor's input has no size, so it is attached rather than visible. A closing list takes keys until its own timer
   * has run. Ours runs after it.
   */
  async waitForEditorFocus(): Promise<void> {
    const input = this.page.getByRole('code').getByRole('textbox');
    await input.and(this.page.locator(':focus')).waitFor({ state: 'attached' });
    await this.page.evaluate(
      () => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))),
    );
  }

  /**
   * Shows a view container of the activity bar. A click on the icon of a shown view hides it, and a new window may show
   * it at that very moment. Then it takes another click, as it does for a person.
   */
  async openView(label: string): Promise<void> {
    const tab = this.activityBar.getByRole('tab', { name: startingWith(label) });
    const heading = this.page.getByRole('heading', { name: startingWith(label) }).first();
    const isShown = async (): Promise<boolean> => {
      if ((await tab.getAttribute('aria-expanded')) !== 'true') await tab.click();
      const shown = heading.waitFor({ timeout: 5000 });
      return shown.then(
        () => true,
        () => false,
      );
    };
    await waitUntil(isShown, { what: `the view "${label}" is not shown` });
  }

  editorTab(name: string): Locator {
    return this.page.getByRole('main').getByRole('tab', { name: startingWith(name) });
  }

  /** Resolves when the cursor of the active editor is there and nothing is selected. The status bar shows it. */
  async waitForCursor(line: number, column = 1): Promise<void> {
    await this.page.getByRole('button', { name: `Ln ${line}, Col ${column}`, exact: true }).waitFor();
  }

  /** A row of any tree. A string matches the first words of its label. Rows out of view do not exist. */
  treeItem(name: string | RegExp): Locator {
    return this.page.getByRole('treeitem', { name: typeof name === 'string' ? startingWith(name) : name });
  }

  async expand(name: string | RegExp): Promise<void> {
    const item = this.treeItem(name);
    // Only the twistie expands without selecting, and it has no role of its own.
    if ((await item.getAttribute('aria-expanded')) !== 'true') await twistie(item).click();
    await item.and(this.page.locator('[aria-expanded="true"]')).waitFor();
  }

  async collapse(name: string | RegExp): Promise<void> {
    const item = this.treeItem(name);
    if ((await item.getAttribute('aria-expanded')) === 'true') await twistie(item).click();
    await item.and(this.page.locator('[aria-expanded="false"]')).waitFor();
  }

  /** The content of a webview, by its title or its index among the webviews of the window. */
  async webviewFrame(titleOrIndex: string | number = 0): Promise<FrameLocator> {
    const webviews = readyWebviews(this.page);
    const content = 'iframe#active-frame';
    if (typeof titleOrIndex === 'number') return webviews.nth(titleOrIndex).contentFrame().frameLocator(content);
    const find = async (): Promise<FrameLocator | undefined> => {
      for (const webview of await webviews.all()) {
        // The title of a result ends with the time of its run.
        const [title, begun] = [titleOrIndex, `${titleOrIndex} · `].map(text => JSON.stringify(text));
        const titled = webview.contentFrame().locator(`${content}:is([title=${title}], [title^=${begun}])`);
        if (!(await titled.count())) continue;
        // The name of a webview never changes. Its index does.
        const name = await webview.getAttribute('name');
        return this.page.frameLocator(`iframe[name="${name}"]`).frameLocator(content);
      }
      return undefined;
    };
    return (await waitUntil(find, { what: `no webview is titled "${titleOrIndex}"` }))!;
  }

  /** Goes through the folder's settings, because user settings are shared by all sessions of the server. */
  async setTheme(kind: ThemeKind): Promise<void> {
    await this.setFolderSettings({ 'workbench.colorTheme': themes[kind] });
    await this.page.locator(`.monaco-workbench.${themeClasses[kind]}`).waitFor();
  }

  /** Resolves when the settings apply, which the title shows. A new window may not watch its folder yet. */
  async setFolderSettings(settings: UserSettings): Promise<void> {
    const file = join(this.folder, '.vscode', 'settings.json');
    const title = `settings ${++this.#settingsCount}`;
    const areRead = async (): Promise<boolean> => {
      const present = JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as UserSettings;
      await mkdir(join(this.folder, '.vscode'), { recursive: true });
      await writeFile(file, JSON.stringify({ ...present, ...settings, 'window.title': title }, null, 2));
      const shown = this.page.waitForFunction(text => document.title.startsWith(text), title, { timeout: 5000 });
      return shown.then(
        () => true,
        () => false,
      );
    };
    await waitUntil(areRead, { what: 'the settings of the folder do not count' });
  }

  /** Saves a screenshot and returns its path. */
  async screenshot(name: string): Promise<string> {
    const path = join(resultsFolder, `${name.replace(/[^\w.-]+/g, '-')}.png`);
    await this.page.screenshot({ path });
    return path;
  }

  /** Leaves the page as a person does. The server keeps the extension host of a killed browser for hours. */
  async close(): Promise<void> {
    if (!this.page.isClosed()) await this.page.goto('about:blank').catch(() => undefined);
    await this.#opened.context.close();
  }

  /**
   * Tries until the choice appears. Extensions contribute their commands some time after the start, and a dialog that
   * closes may take the focus and so close the palette.
   */
  async #pick(text: string, choice: string): Promise<void> {
    const option = this.page.getByRole('option', { name: startingWith(choice) }).first();
    const isChosen = async (): Promise<boolean> => {
      await this.page.keyboard.press('F1');
      try {
        await this.page.getByRole('textbox', { name: palette }).fill(text, { timeout: 2000 });
        await option.waitFor({ timeout: 2000 });
        // A command may reload the window. Do not wait for that here.
        await option.click({ timeout: 5000, noWaitAfter: true });
        return true;
      } catch {
        // An open palette keeps the commands that it knew when it opened.
        await this.page.keyboard.press('Escape');
        return false;
      }
    };
    await waitUntil(isChosen, { what: `"${choice}" is not offered` });
  }
}

const palette = 'Type the name of a command to run.';

/** Matches the start of a label. Key bindings, badges and descriptions follow it. */
function startingWith(label: string): RegExp {
  return new RegExp(`^${RegExp.escape(label)}(?=[\\s,:]|$)`);
}
