import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { monotonicClock } from '../../base/clock.ts';
import { AutoSaves } from '../editing/autoSaves.ts';
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
  readonly #autoSaves = new AutoSaves(monotonicClock);

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
