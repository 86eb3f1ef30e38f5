import { basename } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { waitUntil } from './workbench/waitUntil.ts';

/** The prompt for an API key begins with these words. Add Project writes "API key. " before them. */
export const keyPrompt = "It is stored in VS Code's secret storage";

/** VS Code's quick input, used as a person does. */
export class QuickInput {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get root(): Locator {
    return this.page.locator('.quick-input-widget');
  }

  get field(): Locator {
    return this.root.locator('input').first();
  }

  get rows(): Locator {
    return this.root.locator('.monaco-list-row');
  }

  get #title(): Locator {
    return this.root.locator('.quick-input-title');
  }

  /** The row that Enter picks. */
  get activeRow(): Locator {
    return this.root.locator('.monaco-list-row.focused');
  }

  /** Answers a prompt that begins with these words. */
  async answer(prompt: string | RegExp, text: string): Promise<void> {
    await this.waitForPrompt(prompt);
    await this.field.fill(text);
    await this.page.keyboard.press('Enter');
  }

  async enterKey(key: string): Promise<void> {
    await this.answer(keyPrompt, key);
  }

  /** Waits for a prompt. A string matches its beginning. */
  async waitForPrompt(prompt: string | RegExp): Promise<void> {
    const words = typeof prompt === 'string' ? new RegExp(`^${RegExp.escape(prompt)}`) : prompt;
    await this.root.getByText(words).first().waitFor();
  }

  async choose(prompt: string | RegExp, choice: string): Promise<void> {
    await this.waitForPrompt(prompt);
    await this.root.getByRole('option', { name: choice }).click();
  }

  /**
   * Chooses a file in VS Code's own dialog. The dialog begins in the folder of the file that was chosen last, and writes that
   * folder into the field again when its files are known. A choice of that moment is lost, so it is made again.
   */
  async chooseFile(path: string): Promise<void> {
    const option = this.root.getByRole('option', { name: basename(path) });
    const holdsFolder = async (): Promise<boolean> => (await this.field.inputValue()).startsWith('/');
    await waitUntil(holdsFolder, { what: 'the dialog shows no folder' });
    const title = await this.#title.textContent();
    const isOffered = async (): Promise<boolean> => {
      if ((await this.field.inputValue()) !== path) await this.field.fill(path);
      return option.isVisible();
    };
    const outcome = async (): Promise<'taken' | 'refused' | undefined> => {
      if (!(await this.root.isVisible()) || (await this.#title.textContent()) !== title) return 'taken';
      return (await this.root.getByText('Please select a file.').isVisible()) ? 'refused' : undefined;
    };
    do {
      await waitUntil(isOffered, { what: `the dialog does not offer ${path}` });
      await option.click();
    } while ((await waitUntil(outcome, { what: `the dialog does not take ${path}` })) === 'refused');
  }

  /** Saves a file in VS Code's own dialog, which proposes a path. Another path is typed; its folder must show `sibling` first. */
  async saveFile(
    proposed: string | RegExp,
    other?: { readonly path: string; readonly sibling?: string },
  ): Promise<void> {
    const isProposed = async (): Promise<boolean> => {
      const value = await this.field.inputValue();
      return typeof proposed === 'string' ? value === proposed : proposed.test(value);
    };
    await waitUntil(isProposed, { what: `the dialog does not propose ${String(proposed)}` });
    if (other) await this.field.fill(other.path);
    if (other?.sibling !== undefined) await this.root.getByRole('option', { name: other.sibling }).waitFor();
    await this.page.keyboard.press('Enter');
  }

  async back(): Promise<void> {
    await this.root.getByRole('button', { name: 'Back' }).click();
  }
}
