import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { monotonicClock, type Clock } from '../../base/clock.ts';
import { asCount } from '../../base/decode.ts';
import { customEditors } from '../names.ts';
import type { DocumentEdit, TableDocument } from '../editing/tableDocument.ts';
import type { TableEditors } from './tableEditors.ts';

/** The custom editor of VS Code for tables. The code of the editors is loaded when a table is opened. */
export class TableProvider extends DisposableStore implements vscode.CustomEditorProvider<TableDocument> {
  readonly #tables: () => Promise<TableEditors>;
  readonly #changes = this.add(
    new vscode.EventEmitter<
      vscode.CustomDocumentEditEvent<TableDocument> | vscode.CustomDocumentContentChangeEvent<TableDocument>
    >(),
  );
  readonly #autoSaves = autoSaves(monotonicClock);

  readonly onDidChangeCustomDocument = this.#changes.event as vscode.Event<
    vscode.CustomDocumentEditEvent<TableDocument>
  >;

  constructor(tables: () => Promise<TableEditors>) {
    super();
    this.#tables = tables;
    const options = { supportsMultipleEditorsPerDocument: true };
    this.add(vscode.window.registerCustomEditorProvider(customEditors.table, this, options));
  }

  readonly onEdit = (document: TableDocument, edit?: DocumentEdit): void => {
    this.#autoSaves.changed(document);
    if (!edit) return this.#changes.fire({ document });
    const change = (make: () => void | Promise<void>) => (): void | Promise<void> => {
      this.#autoSaves.changed(document);
      return make();
    };
    this.#changes.fire({
      document,
      label: edit.label,
      undo: change(() => edit.undo()),
      redo: change(() => edit.redo()),
    });
  };

  async openCustomDocument(
    uri: vscode.Uri,
    { backupId }: Pick<vscode.CustomDocumentOpenContext, 'backupId'>,
  ): Promise<TableDocument> {
    return (await this.#tables()).openDocument(uri, backupId !== undefined);
  }

  async resolveCustomEditor(document: TableDocument, panel: vscode.WebviewPanel): Promise<void> {
    await (await this.#tables()).resolve(document, panel);
  }

  async saveCustomDocument(document: TableDocument, token: vscode.CancellationToken): Promise<void> {
    const controller = new AbortController();
    const listener = token.onCancellationRequested(() => controller.abort());
    try {
      const mayBeAutomatic = this.#autoSaves.mayBeAutomatic(document);
      await (await this.#tables()).save(document, { signal: controller.signal, mayBeAutomatic });
    } finally {
      listener.dispose();
    }
    // When this resolves, VS Code takes the document for saved, even if the user has undone a saved edit meanwhile.
    if (document.isDirty) setImmediate(() => this.onEdit(document));
  }

  saveCustomDocumentAs(): never {
    throw new Error(vscode.l10n.t('A table cannot be saved as a file. Export its rows instead.'));
  }

  async revertCustomDocument(document: TableDocument): Promise<void> {
    await (await this.#tables()).revert(document);
    // When this settles, VS Code takes the document for saved, even if the user has made another edit meanwhile.
    if (document.isDirty) setImmediate(() => this.onEdit(document));
  }

  /** The draft has the edits, and outlives the window in any case. */
  async backupCustomDocument(document: TableDocument): Promise<vscode.CustomDocumentBackup> {
    await document.writeDraft();
    return { id: document.uri.toString(), delete: () => undefined };
  }
}

const defaultDelayMs = 1000;
/** On a busy machine, the extension learns of an undo later than VS Code. An automatic save may come this early. */
const earlyMs = 400;

/** Guesses which saves are automatic: VS Code does not say why it saves. */
export function autoSaves(clock: Clock) {
  /** The last change whose automatic save is due, and the latest change. A key in a field and its edit soon after count as one. */
  const changes = new WeakMap<TableDocument, readonly number[]>();
  return {
    changed(document: TableDocument): void {
      const now = clock.now();
      // A change during its delay makes VS Code wait anew.
      const earlier = (changes.get(document) ?? []).filter(changedAt => changedAt <= now - delayMs());
      changes.set(document, [...earlier.slice(-1), now]);
    },

    /** Whether a save of a document may be automatic. Call it once for each save. */
    mayBeAutomatic(document: TableDocument): boolean {
      const files = vscode.workspace.getConfiguration('files');
      switch (files.get('autoSave')) {
        case 'off':
          return false;
        case 'onFocusChange':
        case 'onWindowChange':
          return !isInFront(document.uri);
        default: {
          // VS Code saves once after each change.
          const [changedAt, ...later] = changes.get(document) ?? [];
          if (changedAt === undefined || clock.now() < changedAt + delayMs() - earlyMs) return false;
          changes.set(document, later);
          return true;
        }
      }
    },
  };
}

const delayMs = (): number =>
  asCount(vscode.workspace.getConfiguration('files').get('autoSaveDelay')) ?? defaultDelayMs;

function isInFront(uri: vscode.Uri): boolean {
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  const input: unknown = activeTab?.input;
  return (
    vscode.window.state.focused && input instanceof vscode.TabInputCustom && input.uri.toString() === uri.toString()
  );
}
