import type * as vscode from 'vscode';
import type { Project } from '../../client/index.ts';
import type { BrowseRun } from '../../model/browsing/browseRun.ts';
import type { TableStatement } from '../../model/browsing/tableStatements.ts';
import type { Profile } from '../../model/profiles.ts';
import type { Remedy } from '../../protocol/settings.ts';
import type { FilteredTable } from './referencedRow.ts';
import type { Referencing } from './referencingRows.ts';
import type { EditPrompts } from '../editing/editPrompts.ts';
import type { SavePrompts } from '../editing/savePrompts.ts';
import type { TableDocument } from '../editing/tableDocument.ts';
import type { ExportRows } from '../results/exportRows.ts';

/** A remedy that is a command of the extension. */
export type CommandRemedy = Exclude<Remedy, 'tryAgain'>;

/** The part of a run that prompts and messages name. */
export type RowRange = Pick<BrowseRun, 'table' | 'hasEnd' | 'rowCount'>;

/** Everything that table editors show or ask outside of their pages. */
export interface BrowsingHost {
  /** Shows the editor of a table, or opens it. A preview leaves the focus where it is, and the next one takes its place. */
  openEditor(uri: vscode.Uri, isPreview: boolean): Promise<void>;
  /** Keeps the active editor, so that no preview takes its place. */
  keepEditor(): Promise<void>;
  editPrompts(project: Pick<Project, 'query'>): EditPrompts;
  readonly savePrompts: SavePrompts;
  /** Saves the document with this URI, in whichever editor the user is, because the user wants it. */
  save(uri: vscode.Uri): Promise<void>;
  /** Undoes the last edit of the active editor, or makes it again. */
  undo(isRedo: boolean): Promise<void>;
  /** Whether a save of a document may write: the user wants it, or VS Code saves nothing by itself. */
  mayWrite(uri: vscode.Uri): boolean;
  /** Has VS Code take a document without pending edits for saved. It writes nothing, even if an edit has come since. */
  markSaved(uri: vscode.Uri): Promise<void>;
  /** Takes VS Code's mark of unsaved changes off a restored tab without pending edits. */
  clearMark(document: TableDocument): Promise<void>;
  /** Whether VS Code saves a document only to mark it as saved. */
  isMarkedOnly(uri: vscode.Uri): boolean;
  /** Asks whether to discard the pending edits of a table. */
  confirmDiscard(document: TableDocument): Promise<boolean>;
  /** Says that discarded edits may have been saved. */
  warnOfUnknownOutcome(document: TableDocument): void;
  /** Shows the statements that a save will send. */
  review(document: TableDocument): Promise<void>;
  /** The number of rows that are fetched at a time. */
  pageSize(): number;
  /** Resolves to the row to go to, or to undefined when the user cancels. */
  promptForRow(rows: RowRange): Promise<number | undefined>;
  /** Says that a table does not have the row that the user wanted to go to. */
  showMissingRow(rows: RowRange, row: number): void;
  /** Asks which of the rows that refer to a row of a table to show. Says so if there are none. */
  chooseReferencing(table: string, referencing: Referencing): Promise<FilteredTable | undefined>;
  /** Says why a command failed, and offers what helps. */
  offerRemedy(thrown: unknown, profile: Profile): Promise<void>;
  /** Runs the command of a remedy. Settles when the user is done. */
  applyRemedy(remedy: CommandRemedy, profile: Profile): Promise<void>;
  /** Opens a statement with its values in a document of the project. */
  openStatement(statement: TableStatement, profile: Profile): Promise<void>;
  readonly exportRows: ExportRows;
}
