import assert from 'node:assert/strict';
import { QuickInput } from './quickInput.ts';
import type { WorkbenchSession } from './workbench/session.ts';

/** The list of conflicts that a save asks about. */
export class ConflictList {
  readonly #input: QuickInput;
  readonly #session: WorkbenchSession;

  constructor(session: WorkbenchSession) {
    this.#session = session;
    this.#input = new QuickInput(session.page);
  }

  async waitFor(...texts: readonly string[]): Promise<void> {
    for (const text of texts) await this.#input.root.getByText(text).first().waitFor();
    assert.equal(await this.#input.rows.count(), texts.length, 'no other conflict is listed');
  }

  /** Saves the edits of these rows anyway, and drops the others. */
  async choose(...rows: readonly string[]): Promise<void> {
    for (const row of rows)
      await this.#input.root
        .getByRole('checkbox', { name: new RegExp(`^${row}`) })
        .first()
        .click();
    await this.#close('Enter');
  }

  async cancel(): Promise<void> {
    await this.#close('Escape');
  }

  async #close(key: string): Promise<void> {
    await this.#session.page.keyboard.press(key);
    await this.#input.root.waitFor({ state: 'hidden' });
  }
}
