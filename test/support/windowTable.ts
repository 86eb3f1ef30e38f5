import { isDeepStrictEqual } from 'node:util';
import type { FrameLocator, Locator } from 'playwright-core';
import { editBar } from './pageParts.ts';
import { QuickInput } from './quickInput.ts';
import type { WorkbenchSession } from './workbench/session.ts';
import { waitUntil } from './workbench/waitUntil.ts';
import { dirtyTab } from './workbench/workbenchParts.ts';

/** Goes to a row of the table in the active editor. */
export async function goToTableRow(session: WorkbenchSession, row: string): Promise<void> {
  await session.runCommand('SQL Projects: Go to Row of Table…');
  // The palette has a command whose title begins with the same words.
  await new QuickInput(session.page).answer(/^Go to Row of (?!Table)/, row);
}

/** Opens a table of the expanded project from the tree, or shows its editor. */
export async function browseTable(session: WorkbenchSession, name: string): Promise<FrameLocator> {
  await session.treeItem(name).hover();
  await session.treeItem(name).getByRole('button', { name: 'Browse Table' }).click();
  return session.webviewFrame(name);
}

/** A table that a person browses and edits in a window. */
export class WindowTable {
  readonly session: WorkbenchSession;
  readonly name: string;
  readonly frame: FrameLocator;

  private constructor(session: WorkbenchSession, name: string, frame: FrameLocator) {
    this.session = session;
    this.name = name;
    this.frame = frame;
  }

  /** Opens a table of the expanded project from the tree, or shows its editor. */
  static async browse(session: WorkbenchSession, name: string): Promise<WindowTable> {
    await browseTable(session, name);
    return WindowTable.shown(session, name);
  }

  /** The table in a new window, which VS Code may open without its tab: it saves its open tabs every 5 seconds. */
  static async browseAgain(session: WorkbenchSession, project: string, name: string): Promise<WindowTable> {
    await session.openView('SQL Projects');
    await session.expand(project);
    return WindowTable.browse(session, name);
  }

  /** The table in its editor, when it can be edited. */
  static async shown(session: WorkbenchSession, name: string): Promise<WindowTable> {
    const frame = await session.webviewFrame(name);
    await frame.locator('[role="grid"][aria-readonly="false"]').waitFor();
    return new WindowTable(session, name, frame);
  }

  cell(text: string): Locator {
    return this.frame.getByRole('gridcell', { name: text, exact: true });
  }

  cellAt(row: number, column: number): Locator {
    return this.frame.locator(
      `[role="row"][aria-rowindex="${row + 2}"] [role="gridcell"][aria-colindex="${column + 2}"]`,
    );
  }

  async waitForRow(row: number, ...values: readonly string[]): Promise<void> {
    let shown: (string | null)[] = [];
    const isShown = async (): Promise<boolean> => {
      shown = await Promise.all(values.map((_, column) => this.cellAt(row, column).textContent()));
      return isDeepStrictEqual(shown, values);
    };
    await waitUntil(isShown, { what: `row ${row} shows other values` }).catch((thrown: unknown) => {
      throw new Error(`Row ${row} shows other values: ${JSON.stringify(shown)}`, { cause: thrown });
    });
  }

  button(name: string): Locator {
    return this.frame.getByRole('button', { name, exact: true });
  }

  /** Waits for a text, such as the counts of the pending edits. */
  async waitForText(text: string | RegExp): Promise<void> {
    await this.frame.getByText(text).first().waitFor();
  }

  /** The bar stays while a save runs, with another text. */
  async waitForNoEdits(): Promise<void> {
    await editBar(this.frame).waitFor({ state: 'hidden' });
  }

  /** Types a value into the cell of a row and takes it. */
  async type(row: number, column: number, columnName: string, text: string): Promise<void> {
    await this.cellAt(row, column).click();
    await this.press('F2');
    const field = this.frame.getByRole('textbox', { name: `Edit ${columnName}`, exact: true });
    await field.fill(text);
    await this.press('Enter');
    await field.waitFor({ state: 'detached' });
    await this.cell(text).first().waitFor();
    // The page shows it before the host has taken it.
    await this.frame.locator('[data-edit="sent"]').first().waitFor({ state: 'detached' });
  }

  /** Selects cells of a column, from a row to a later one. */
  async select(row: number, column: number, rowCount = 1): Promise<void> {
    await this.cellAt(row, column).click();
    for (let more = 1; more < rowCount; more++) await this.press('Shift+ArrowDown');
  }

  /** Pastes a text as Ctrl+V does. */
  async paste(text: string): Promise<void> {
    await this.frame.locator('[role="grid"]').evaluate((grid, pasted) => {
      const data = new DataTransfer();
      data.setData('text/plain', pasted);
      grid.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
    }, text);
  }

  async press(key: string): Promise<void> {
    await this.session.page.keyboard.press(key);
  }

  /** The tab of the table with the dot of unsaved changes. */
  get dirtyTab(): Locator {
    return dirtyTab(this.session.page, this.name);
  }
}
