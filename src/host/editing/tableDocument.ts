/* One file: edits, typed texts, drafts, saves and undo come one after another, in one queue. */
import * as vscode from 'vscode';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { isAbort, messageOf, misuse } from '../../base/errors.ts';
import { WorkQueue } from '../../base/workQueue.ts';
import type { Project } from '../../client/index.ts';
import type { BrowsedTable } from '../../model/browsing/browsedTable.ts';
import { CellProblems } from '../../model/editing/cellProblems.ts';
import { EditOverlay } from '../../model/editing/editOverlay.ts';
import type { RowChange } from '../../model/editing/pendingEdits.ts';
import type { KeyedStep } from '../../model/editing/draft.ts';
import { TableEditing } from '../../model/editing/tableEditing.ts';
import type { CellText, TextChange } from '../../model/editing/typedTexts.ts';
import { undoableEdit } from '../../model/editing/undoableEdit.ts';
import { errorMessage } from '../errorMessages.ts';
import { type EditDrafts, TableDraft } from './editDrafts.ts';

/** A window requests the draft again after this time. */
const requestAgainMs = 500;
/** If the other window has not taken the draft after this time, take it back. */
const takeOverMs = 5000;

interface TableDocumentOptions {
  readonly uri: vscode.Uri;
  readonly profileId: string;
  readonly project: Pick<Project, 'query'>;
  readonly table: BrowsedTable;
  readonly drafts: EditDrafts;
  readonly clock: Clock;
  /** Whether VS Code has a backup from an earlier window, and marks the tab. */
  readonly isFromBackup: boolean;
  /** Called when the last editor of the document is closed. */
  readonly onClosed: () => void;
  /** Has VS Code mark the tab. Without an edit, the document differs from the table for another reason. */
  readonly onEdit: (document: TableDocument, edit?: DocumentEdit) => void;
  /** Called when VS Code may mark the tab although nothing is pending: a typed text or an undone edit is gone. */
  readonly onEmptyUndo: () => void;
}

export interface DocumentEdit {
  readonly label: string;
  undo(): void | Promise<void>;
  redo(): void | Promise<void>;
}

/** The edits of a table. All editors of the table share them. VS Code has it save, revert and back up. */
export class TableDocument implements vscode.CustomDocument {
  readonly uri: vscode.Uri;
  readonly profileId: string;
  readonly table: BrowsedTable;
  readonly isFromBackup: boolean;
  readonly editing: TableEditing;
  readonly overlay: EditOverlay;
  readonly problems = new CellProblems();
  readonly #options: TableDocumentOptions;
  readonly #changes = new Emitter<void>();
  readonly #owned = new DisposableStore();
  /** Edits, saves and discards come one after another: an edit that is made during a save would count as saved. */
  readonly #work = new WorkQueue();
  /** Calls of pages, in their order. A save waits for the calls that arrived before it. */
  readonly calls = new WorkQueue();
  /** Held while there are edits. */
  readonly #draft: TableDraft;
  #cancelRetry: (() => void) | undefined;
  /** The statements of a save that has not ended. */
  unfinishedSave: readonly KeyedStep[] | undefined;
  /** Saves that run or wait. */
  #saveCount = 0;
  /** Settles when VS Code has heard of the end of the save. Undefined without a save. */
  #lastSave: Promise<void> | undefined;
  /** Whether VS Code marks the tab because of a typed text, which is no edit. */
  #isMarkedForText = false;
  /** Undos and redos that the user asked for during a save. They are made after it. */
  #delayedChanges: (() => void)[] = [];
  /** Why the last save did not end. */
  problem: string | undefined;
  #draftFault: string | undefined;
  #lastWrite: Promise<void> = Promise.resolve();
  #isWriteQueued = false;
  /** Replaced when edits are discarded, or taken by another window. Edits made before cannot be undone then. */
  #undoToken = {};

  readonly onDidChange = this.#changes.on;

  constructor(options: TableDocumentOptions) {
    const { uri, profileId, project, table, drafts, clock } = options;
    this.#options = options;
    this.uri = uri;
    this.profileId = profileId;
    this.table = table;
    this.isFromBackup = options.isFromBackup;
    this.editing = new TableEditing(project, table.name);
    this.overlay = new EditOverlay(this.editing);
    this.#draft = new TableDraft(drafts, {
      profileId,
      table: table.name,
      clock,
      onRequest: () => this.#work.run(() => this.#handOver()),
    });
    this.#owned.add(this.#changes);
    this.#owned.add(this.overlay.onChange(() => this.#changes.fire()));
    this.#owned.add(this.editing.texts.onChange(() => this.#updateTextProblems()));
    this.#owned.add(this.editing.edits.onChange(() => this.#updateTextProblems()));
    this.#owned.add(this.problems.onChange(() => this.#changes.fire()));
  }

  /** Whether statements of the last save may have run without an answer. */
  get isOutcomeUnknown(): boolean {
    return !this.isSaving && this.unfinishedSave?.some(({ state }) => state === 'sent') === true;
  }

  get isSaving(): boolean {
    return this.#saveCount > 0;
  }

  /** Whether there are pending edits, typed texts, or a save that has not ended. */
  get isDirty(): boolean {
    return !this.editing.edits.isEmpty || this.unfinishedSave !== undefined || this.editing.shownTexts.length > 0;
  }

  /** Makes an edit that can be undone, with the typed texts that its cells get or lose. Waits for the end of a save. */
  async edit(
    label: string,
    make: () => Promise<readonly RowChange[]> | readonly RowChange[],
    texts: readonly CellText[] = [],
  ): Promise<void> {
    if (this.#lastSave) await this.saveEnded();
    await this.#work.run(async () => {
      // The draft of an edit would replace that of an earlier window.
      await this.#requireDraft();
      if (this.unfinishedSave)
        throw misuse('unfinished_save', this.problem ?? vscode.l10n.t('The last save has not ended.'));
      const changes = await make();
      const textChanges = this.editing.texts.set(texts);
      if (changes.length + textChanges.length === 0) return;
      this.problem = undefined;
      this.problems.dropRows(changes.map(({ id }) => id));
      this.#options.onEdit(this, this.#documentEdit(label, changes, textChanges));
      await this.writeDraft();
    });
    await this.#releaseDraft();
  }

  /**
   * Keeps the text of an open field, or a refused text with the reason. Without a text, the cell gets back what it had before.
   * This is no edit, since nobody wants to undo each key.
   */
  async hold(cell: CellText): Promise<void> {
    const change = (): void => {
      const wasDirty = this.isDirty;
      this.editing.texts.hold(cell);
      if (!wasDirty) this.#markTabForText();
    };
    if (this.#draft.isClaimed) change();
    else if (cell.text !== undefined) {
      await this.#work.run(async () => {
        await this.#requireDraft();
        change();
      });
    }
    this.#unmarkTab();
    await this.#writeAndRelease();
  }

  /** Runs a save after the edits that the user has begun. Other edits wait for its end. */
  async whileSaving<T>(work: () => Promise<T>): Promise<T> {
    if (!this.calls.isIdle) await this.calls.run(() => Promise.resolve());
    const saved = this.#whileSaving(work);
    // VS Code would count an edit as saved if it was made before VS Code hears of the end of the save.
    const saveEnd = Promise.allSettled([saved]).then(() => nextTurn());
    this.#lastSave = saveEnd;
    void saveEnd.finally(() => {
      if (this.#lastSave === saveEnd) this.#lastSave = undefined;
    });
    return saved;
  }

  async #whileSaving<T>(work: () => Promise<T>): Promise<T> {
    this.#saveCount++;
    this.#changes.fire();
    try {
      return await this.#work.run(work);
    } finally {
      this.#saveCount--;
      this.#changes.fire();
      if (!this.isSaving && !this.unfinishedSave) await this.#applyDelayed();
      await this.#releaseDraft();
    }
  }

  /** Resolves when no save runs, and VS Code has heard of the end of the last one. */
  async saveEnded(): Promise<void> {
    while (this.#lastSave) await this.#lastSave;
  }

  /** Runs a save, and keeps why edits are left: the answer of the work, or its fault. */
  async reportSave(work: () => Promise<string | undefined>): Promise<string | undefined> {
    this.problem = undefined;
    this.problems.replace([]);
    this.#changes.fire();
    try {
      this.problem = await work();
      return this.problem;
    } catch (thrown) {
      this.problem = errorMessage(thrown);
      throw thrown;
    } finally {
      this.#changes.fire();
    }
  }

  /** Keeps the statements of a save until their outcome is known. Rejects if they cannot be stored: nothing is sent then. */
  async keepSave(steps: readonly KeyedStep[]): Promise<void> {
    this.unfinishedSave = steps;
    await this.writeDraft();
    if (this.#draftFault !== undefined) throw new Error(this.#draftFault);
  }

  async clearSave(): Promise<void> {
    this.unfinishedSave = undefined;
    await this.writeDraft();
  }

  /** Discards all edits after the end of a running save. */
  async revert(): Promise<void> {
    await this.#work.run(() => {
      this.#dropEdits(undefined);
      return this.writeDraft();
    });
    await this.#releaseDraft();
  }

  #dropEdits(problem: string | undefined): void {
    this.unfinishedSave = undefined;
    this.#delayedChanges = [];
    this.#undoToken = {};
    this.problem = problem;
    this.problems.replace([]);
    this.editing.texts.clear();
    this.editing.edits.replace([]);
    this.#changes.fire();
  }

  /** Writes the edits to the draft, or removes it if nothing is pending. Edits made meanwhile are written afterwards. */
  writeDraft(): Promise<void> {
    if (this.#isWriteQueued) return this.#lastWrite;
    this.#isWriteQueued = true;
    this.#lastWrite = this.#lastWrite
      .then(() => this.#writeNow())
      .catch((thrown: unknown) => this.#reportDraft(thrown));
    return this.#lastWrite;
  }

  async #writeNow(): Promise<void> {
    this.#isWriteQueued = false;
    // Otherwise the draft is that of another window.
    if (!this.#draft.isClaimed) return;
    if (!this.isDirty) return this.#draft.remove();
    const save = this.unfinishedSave && [...this.unfinishedSave];
    const { keyColumns, shownTexts } = this.editing;
    await this.#draft.write({
      rows: [...this.editing.edits.rows],
      ...(keyColumns && { key: keyColumns }),
      ...(save && { save }),
      ...(shownTexts.length > 0 && { texts: shownTexts.map(({ rowId, column, text }) => ({ rowId, column, text })) }),
    });
    this.#draftFault = undefined;
  }

  /** Takes the edits of a draft that another window has left, or with `requestsIt`, that another window has. */
  async restore(requestsIt = true): Promise<void> {
    try {
      await this.#work.run(async () => {
        if (this.#draft.isClaimed || !(await this.#draft.read())) return;
        if ((await this.#takeDraft(requestsIt)) || !requestsIt || this.#owned.isDisposed) return;
        // A save may still run in the other window.
        this.#cancelRetry = this.#options.clock.after(requestAgainMs, () => void this.restore());
      });
    } catch (thrown) {
      if (!isAbort(thrown)) this.#reportDraft(thrown);
    }
    await this.#releaseDraft();
  }

  announceChange(): void {
    this.#options.onEdit(this);
  }

  /** Takes the draft with its edits. False while another window keeps the draft. */
  async #takeDraft(requestsIt: boolean): Promise<boolean> {
    if (this.#draft.isClaimed) return true;
    if (!(await (requestsIt ? this.#draft.claim() : this.#draft.claimIfFree()))) return false;
    const draft = await this.#draft.read();
    if (!draft || draft === 'unreadable' || this.isDirty) return true;
    // Statements that were not sent are made again with the next save.
    this.unfinishedSave = draft.save?.some(({ state }) => state === 'sent') ? draft.save : undefined;
    this.problem =
      this.unfinishedSave &&
      vscode.l10n.t(
        'The last save was interrupted. It is unknown whether the changes were saved. Choose Check Outcome; nothing is saved twice.',
      );
    this.editing.restore(draft.rows, draft.key);
    this.editing.texts.markNotEntered(draft.texts);
    this.#options.onEdit(this);
    return true;
  }

  async #requireDraft(): Promise<void> {
    const isTaken = await this.#takeDraft(true).catch((thrown: unknown) => {
      throw misuse('no_draft', draftFaultText(thrown));
    });
    if (isTaken) return;
    const message = vscode.l10n.t(
      "Another window has unsaved changes of '{0}' and does not give them. Save or discard them there, and edit again.",
      this.table.name,
    );
    throw misuse('edited_elsewhere', message);
  }

  /** Gives the edits to the window that has requested them. Takes them back if that window ends first. */
  async #handOver(): Promise<void> {
    await this.writeDraft();
    if (!this.isDirty || this.#draftFault !== undefined) return;
    this.#draft.release();
    const message = vscode.l10n.t(
      'The changes that were not saved have moved to another window, which shows this table.',
    );
    this.#dropEdits(message);
    this.#cancelRetry = this.#options.clock.after(takeOverMs, () => void this.restore(false));
  }

  /** Another window may edit the table when nothing is pending here. */
  async #releaseDraft(): Promise<void> {
    await this.#lastWrite;
    if (!this.isDirty && this.#work.isIdle) this.#draft.release();
  }

  #documentEdit(label: string, changes: readonly RowChange[], texts: readonly TextChange[]): DocumentEdit {
    const editedRows = changes.map(({ id }) => id);
    const apply = undoableEdit(this.editing, changes, count => this.#reportUnrestorable(count));
    const token = this.#undoToken;
    const undoOrRedo = (isBackwards: boolean): Promise<void> | void => {
      if (token !== this.#undoToken && !this.isDirty) return this.#options.onEmptyUndo();
      return this.#whenSaved(() => {
        if (token !== this.#undoToken) return;
        apply(isBackwards);
        this.editing.texts.apply(texts, isBackwards);
        this.problems.dropRows(editedRows);
        this.#markTabForText();
        this.#unmarkTab();
      });
    };
    return {
      label,
      undo: () => undoOrRedo(true),
      redo: () => undoOrRedo(false),
    };
  }

  /** Undoes or redoes. A save continues with the edits that it began with, so the change waits for its end. */
  #whenSaved(change: () => void): Promise<void> | void {
    if (this.isSaving || this.unfinishedSave) {
      this.#delayedChanges.push(change);
      // VS Code counts the edit as undone already, and would mark the tab as saved.
      this.#options.onEdit(this);
      return;
    }
    if (this.#draft.isClaimed) {
      change();
      return this.#writeAndRelease();
    }
    const changed = this.#work.run(async () => {
      await this.#requireDraft();
      change();
    });
    return changed.then(() => this.#writeAndRelease());
  }

  async #applyDelayed(): Promise<void> {
    const delayed = this.#delayedChanges;
    if (delayed.length === 0) return;
    this.#delayedChanges = [];
    await this.#work.run(async () => {
      await this.#requireDraft();
      for (const change of delayed) change();
      await this.writeDraft();
    });
    if (this.isDirty) this.#options.onEdit(this);
  }

  async #writeAndRelease(): Promise<void> {
    await this.writeDraft();
    await this.#releaseDraft();
  }

  #updateTextProblems(): void {
    const { shownTexts } = this.editing;
    this.problems.setTexts(
      shownTexts.flatMap(({ rowId, column, fault }) => (fault ? [{ rowId, column, fault, isText: true }] : [])),
    );
  }

  /** VS Code takes a table without edits for saved, although a typed text is pending. */
  #markTabForText(): void {
    if (!this.isDirty || !this.editing.edits.isEmpty || this.unfinishedSave) return;
    this.#isMarkedForText = true;
    this.#options.onEdit(this);
  }

  /** Otherwise VS Code would keep the mark of a typed text that is gone. */
  #unmarkTab(): void {
    if (!this.#isMarkedForText || this.isDirty) return;
    this.#isMarkedForText = false;
    this.#options.onEmptyUndo();
  }

  #reportUnrestorable(count: number): void {
    this.problem =
      count === 1
        ? vscode.l10n.t('1 deleted row does not come back: its values were too long to be kept.')
        : vscode.l10n.t('{0} deleted rows do not come back: their values were too long to be kept.', count);
    this.#changes.fire();
  }

  #reportDraft(thrown: unknown): void {
    this.#draftFault = draftFaultText(thrown);
    this.problem = this.#draftFault;
    this.#changes.fire();
  }

  dispose(): void {
    this.#owned.dispose();
    this.#cancelRetry?.();
    // The next window takes the pending edits.
    void this.#work.run(() => this.#lastWrite).then(() => this.#draft.dispose());
    this.#options.onClosed();
  }
}

const draftFaultText = (thrown: unknown): string =>
  vscode.l10n.t('The edits could not be stored for a restart: {0}', messageOf(thrown));
