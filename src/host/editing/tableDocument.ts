import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { misuse } from '../../base/errors.ts';
import { lazy } from '../../base/lazy.ts';
import type { Project } from '../../client/index.ts';
import type { BrowsedTable } from '../../model/browsing/browsedTable.ts';
import { CellProblems } from '../../model/editing/cellProblems.ts';
import { EditOverlay } from '../../model/editing/editOverlay.ts';
import type { RowChange } from '../../model/editing/pendingEdits.ts';
import type { KeyedStep } from '../../model/editing/save.ts';
import { TableEditing } from '../../model/editing/tableEditing.ts';
import { UndoableEdit } from '../../model/editing/undoableEdit.ts';
import type { StoredValue } from '../../protocol/editValues.ts';
import type { EditDrafts } from './editDrafts.ts';

export interface TableDocumentOptions {
  readonly uri: vscode.Uri;
  readonly profileId: string;
  readonly project: Pick<Project, 'query'>;
  readonly table: BrowsedTable;
  readonly drafts: EditDrafts;
  /** Called when the last editor of the document is closed. */
  readonly onClosed: () => void;
  /** Tells VS Code of an edit, or with none that the document differs from the table. */
  readonly onEdit: (document: TableDocument, edit?: DocumentEdit) => void;
}

export interface DocumentEdit {
  readonly label: string;
  undo(): void;
  redo(): void;
}

/** The edits of a table, which all of its editors share. VS Code asks it to save, to revert and to back up. */
export class TableDocument implements vscode.CustomDocument {
  readonly uri: vscode.Uri;
  readonly profileId: string;
  readonly table: BrowsedTable;
  readonly editing: TableEditing;
  readonly overlay: EditOverlay;
  readonly problems = new CellProblems();
  readonly #options: TableDocumentOptions;
  readonly #changes = new Emitter<void>();
  readonly #owned = new DisposableStore();
  /** The statements of a save that has not ended. */
  #save: readonly KeyedStep[] | undefined;
  #isSaving = false;
  #problem: string | undefined;
  /** Why the last draft could not be written. */
  #draftFault: string | undefined;
  /** The keys that new rows got when they were saved. */
  readonly #savedKeys = new Map<string, readonly StoredValue[]>();
  #written: Promise<void> = Promise.resolve();
  #isWriteQueued = false;

  /** Fires when an edit or the state of the save changed. */
  readonly onDidChange = this.#changes.on;
  readonly #restore = lazy(() => this.#readDraft());

  constructor(options: TableDocumentOptions) {
    const { uri, profileId, project, table } = options;
    this.#options = options;
    this.uri = uri;
    this.profileId = profileId;
    this.table = table;
    this.editing = new TableEditing(project, table.name);
    this.overlay = new EditOverlay(this.editing);
    this.#owned.add(this.#changes);
    this.#owned.add(this.overlay.onChange(() => this.#changes.fire()));
    this.#owned.add(this.problems.onChange(() => this.#changes.fire()));
  }

  get unfinishedSave(): readonly KeyedStep[] | undefined {
    return this.#save;
  }

  /** Whether statements of the last save may have run without an answer. */
  get isOutcomeUnknown(): boolean {
    return !this.#isSaving && this.#save?.some(({ state }) => state === 'sent') === true;
  }

  get isSaving(): boolean {
    return this.#isSaving;
  }

  /** Why the last save did not end. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Whether the edits are those of a draft, which VS Code does not know of. */
  get isDirty(): boolean {
    return !this.editing.edits.isEmpty || this.#save !== undefined;
  }

  /** Takes the edits of a draft that an earlier window has left. Later calls do nothing. */
  async restore(): Promise<void> {
    await this.#restore();
  }

  /** Makes an edit that can be undone. */
  async edit(label: string, make: () => Promise<readonly RowChange[]> | readonly RowChange[]): Promise<void> {
    // The draft of an edit would replace that of an earlier window.
    await this.restore();
    if (this.#isSaving) throw misuse('saving', vscode.l10n.t('The changes are being saved. Edit when that has ended.'));
    if (this.#save) throw misuse('unfinished_save', this.#problem ?? vscode.l10n.t('The last save has not ended.'));
    const changes = await make();
    if (changes.length === 0) return;
    this.#problem = undefined;
    const editedRows = changes.map(({ id }) => id);
    this.problems.dropRows(editedRows);
    const made = new UndoableEdit(
      {
        edits: this.editing.edits,
        table: () => this.editing.table,
        savedKey: id => this.#savedKeys.get(id),
        longValues: row => this.editing.longValues.of(row),
        onUnrestorable: count => this.#reportUnrestorable(count),
      },
      changes,
    );
    // A save goes on with the edits that it began with.
    const unlessSaving = (change: () => void) => () => {
      if (this.#isSaving || this.#save) return;
      change();
      this.problems.dropRows(editedRows);
      void this.writeDraft();
    };
    this.#options.onEdit(this, {
      label,
      undo: unlessSaving(() => made.undo()),
      redo: unlessSaving(() => made.redo()),
    });
    await this.writeDraft();
  }

  /** Applies changes that are not undone: saved rows leave, and conflicts are resolved. */
  settle(changes: readonly RowChange[]): void {
    this.editing.edits.apply(changes);
  }

  /** Takes the keys that new rows have got, by the ids of their edits. */
  learnKeys(keys: ReadonlyMap<string, readonly StoredValue[]>): void {
    for (const [id, key] of keys) this.#savedKeys.set(id, key);
  }

  beginSave(): void {
    this.#isSaving = true;
    this.#problem = undefined;
    this.problems.replace([]);
    this.#changes.fire();
  }

  /** Keeps the statements of a save until their outcome is known. Rejects if they cannot be stored: nothing is sent then. */
  async keepSave(steps: readonly KeyedStep[] | undefined): Promise<void> {
    this.#save = steps;
    await this.writeDraft();
    if (steps && this.#draftFault !== undefined) throw new Error(this.#draftFault);
  }

  endSave(problem?: string): void {
    this.#isSaving = false;
    this.#problem = problem;
    this.#changes.fire();
  }

  /** Gives all edits up. Rows with temporary keys are left to save, so that they get their old ones back. */
  async revert(): Promise<void> {
    this.#save = undefined;
    this.#problem = undefined;
    this.problems.replace([]);
    this.editing.edits.discard();
    const { moved } = this.editing.edits;
    if (moved.length > 0) {
      this.#problem = vscode.l10n.t(
        'A save that stopped half way has left temporary keys (rows: {0}). Save to put the old keys back.',
        moved.length,
      );
    }
    this.#changes.fire();
    await this.writeDraft();
  }

  /** Writes the present edits to the draft, or removes it without any. Edits made meanwhile are written once more. */
  writeDraft(): Promise<void> {
    if (this.#isWriteQueued) return this.#written;
    this.#isWriteQueued = true;
    this.#written = this.#written.then(() => this.#writeNow()).catch((thrown: unknown) => this.#reportDraft(thrown));
    return this.#written;
  }

  async #writeNow(): Promise<void> {
    this.#isWriteQueued = false;
    const { profileId, table } = this;
    const { drafts } = this.#options;
    if (!this.isDirty) return drafts.remove(profileId, table.name);
    const save = this.#save && [...this.#save];
    const { keyColumns } = this.editing;
    await drafts.write({
      version: 1,
      profileId,
      table: table.name,
      rows: [...this.editing.edits.rows],
      ...(keyColumns && { key: keyColumns }),
      ...(save && { save }),
    });
    this.#draftFault = undefined;
  }

  async #readDraft(): Promise<void> {
    const draft = await this.#options.drafts.read(this.profileId, this.table.name);
    if (!draft || this.isDirty) return;
    // Statements that were not sent are made again with the next save.
    this.#save = draft.save?.some(({ state }) => state === 'sent') ? draft.save : undefined;
    if (this.#save) {
      this.#problem = vscode.l10n.t(
        'The last save was interrupted. It is unknown whether the changes were saved. Choose Check Outcome; nothing is saved twice.',
      );
    }
    this.editing.restore(draft.rows, draft.key);
    this.#options.onEdit(this);
  }

  #reportUnrestorable(count: number): void {
    this.#problem =
      count === 1
        ? vscode.l10n.t('1 deleted row does not come back: its values were too long to be kept.')
        : vscode.l10n.t('{0} deleted rows do not come back: their values were too long to be kept.', count);
    this.#changes.fire();
  }

  #reportDraft(thrown: unknown): void {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    this.#draftFault = vscode.l10n.t('The edits could not be stored for a restart: {0}', message);
    this.#problem = this.#draftFault;
    this.#changes.fire();
  }

  dispose(): void {
    this.#owned.dispose();
    this.#options.onClosed();
  }
}
