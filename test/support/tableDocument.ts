import { after } from 'node:test';
import type { Uri } from 'vscode';
import { type Clock, monotonicClock } from '../../src/base/clock.ts';
import type { Project } from '../../src/client/index.ts';
import { EditDrafts } from '../../src/host/editing/editDrafts.ts';
import type { DocumentEdit, TableDocument } from '../../src/host/editing/tableDocument.ts';
import type { BrowsedTable } from '../../src/model/browsing/browsedTable.ts';
import type { Profile } from '../../src/model/profiles.ts';
import type { RecordedBrowsingHost } from './recordedBrowsingHost.ts';
import { temporaryFolder } from './temporaryFolder.ts';
import { stubVscode } from './vscodeStub.ts';

stubVscode();
const { TableDocument: Document } = await import('../../src/host/editing/tableDocument.ts');
const { saveEdits } = await import('../../src/host/editing/saveEdits.ts');
const { checkOutcome } = await import('../../src/host/editing/saveEdits.ts');

export interface TestDocumentOptions {
  readonly project: Pick<Project, 'sql' | 'query'>;
  readonly profile: Profile;
  readonly table: BrowsedTable;
  readonly host: RecordedBrowsingHost;
  /** The folder of an earlier document's drafts. The window of that document is killed, unless it stays open. */
  readonly draftsFolder?: string;
  readonly keepsEarlier?: boolean;
  readonly clock?: Clock;
}

export interface TestDocument extends AsyncDisposable {
  readonly document: TableDocument;
  readonly draftsFolder: string;
  /** The drafts that could not be read: their tables, and the files in which they are kept. */
  readonly unreadable: readonly (readonly [table: string, file: string])[];
  /** The edits that VS Code could undo, the last one last. */
  readonly edits: readonly DocumentEdit[];
  /** How often VS Code was notified that the document differs from the table, without an edit. */
  readonly changeCount: () => number;
  /** How often VS Code undid or made again an edit that is gone, while nothing was pending. */
  readonly emptyUndoCount: () => number;
  /** Ends the window. The system ends its locks. */
  kill(): void;
  save(): Promise<void>;
  /** Discards the edits. VS Code has none to undo then. */
  discard(): Promise<void>;
  /** Undoes the last edit, or makes it again, as VS Code does. */
  undo(isRedo: boolean): Promise<void>;
  checkOutcome(): Promise<void>;
}

/** Ends the last window with a folder. */
const windows = new Map<string, () => void>();
after(() => {
  for (const kill of windows.values()) kill();
});

/** The document of a table, with its drafts in a folder of its own. */
export async function openTestDocument(options: TestDocumentOptions): Promise<TestDocument> {
  const { project, profile, table, host } = options;
  const draftsFolder = options.draftsFolder ?? temporaryFolder();
  const edits: DocumentEdit[] = [];
  const unreadable: (readonly [string, string])[] = [];
  const undoable: DocumentEdit[] = [];
  let undone = 0;
  let changes = 0;
  let emptyUndos = 0;
  if (!options.keepsEarlier) windows.get(draftsFolder)?.();
  const drafts = new EditDrafts(draftsFolder, (...draft) => unreadable.push(draft));
  const document = new Document({
    uri: { toString: () => `sqltable:/${table.name}` } as Uri,
    profileId: profile.id,
    project,
    table,
    drafts,
    clock: options.clock ?? monotonicClock,
    isFromBackup: false,
    onClosed: () => undefined,
    onEmptyUndo: () => void emptyUndos++,
    onEdit: (_document, edit) => {
      if (!edit) return void changes++;
      edits.push(edit);
      undoable.splice(undoable.length - undone, undone, edit);
      undone = 0;
    },
  });
  // The system ends the locks of a killed window, and its timers.
  const kill = (): void => {
    drafts.dispose();
    document.dispose();
  };
  windows.set(draftsFolder, kill);
  const { signal } = new AbortController();
  const saveOptions = { document, project, profile, prompts: host.savePrompts, signal };
  const save = (): Promise<void> => saveEdits(saveOptions);
  host.onSave = save;
  return {
    document,
    draftsFolder,
    unreadable,
    edits,
    changeCount: () => changes,
    emptyUndoCount: () => emptyUndos,
    kill,
    save,
    discard: async () => {
      undoable.length = 0;
      undone = 0;
      await document.revert();
    },
    undo: async isRedo => {
      const edit = undoable[isRedo ? undoable.length - undone : undoable.length - undone - 1];
      if (!edit) return;
      undone += isRedo ? -1 : 1;
      await (isRedo ? edit.redo() : edit.undo());
    },
    checkOutcome: () => checkOutcome(saveOptions),
    async [Symbol.asyncDispose]() {
      await document.writeDraft();
      document.dispose();
    },
  };
}
