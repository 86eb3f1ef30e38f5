import * as vscode from 'vscode';
import { type ReadOnlyReason, serviceOrderOf } from '../../model/catalog/editableTable.ts';
import type { Profile } from '../../model/profiles.ts';
import type { CellProblemView, EditableColumnView, EditingView, RowEdits } from '../../protocol/browsing.ts';
import type { Column, Row } from '../../wire/values.ts';
import { misuse } from '../../base/errors.ts';
import type { BrowseRun } from '../../model/browsing/browseRun.ts';
import type { EditedRow } from '../../model/editing/tableEditing.ts';
import type { CellProblem } from '../../model/editing/cellProblems.ts';
import { pageIdIn, keyTerm, rowIdTerm } from '../../model/editing/rowIds.ts';
import type { RowWindow } from '../../protocol/results.ts';
import type { TableDocument } from './tableDocument.ts';
import { problemText } from './problemText.ts';

const readOnlyTexts: Readonly<Record<ReadOnlyReason, () => string>> = {
  view: () => vscode.l10n.t('A view is read-only. Edit the tables that it reads.'),
  virtualTable: () => vscode.l10n.t('A virtual table is read-only here. Change it with statements.'),
  noIdentity: () => vscode.l10n.t('The table has no key that distinguishes its rows, so they are read-only.'),
  unknownSchema: () => vscode.l10n.t('The service does not show the schema of this table, so its rows are read-only.'),
};

/** Why no cell of a table can be edited. Undefined if it can. */
export function readOnlyText(reason: ReadOnlyReason | undefined, { name, protection }: Profile): string | undefined {
  if (protection === 'readOnly') return vscode.l10n.t("'{0}' is read-only.", name);
  return reason && readOnlyTexts[reason]();
}

export function editingView(
  document: TableDocument,
  columns: readonly Column[],
  readOnly: string | undefined,
): EditingView {
  const { editing, isSaving, isOutcomeUnknown, problem, problems } = document;
  const { updated, deleted, inserted } = editing.edits.counts;
  return {
    ...(readOnly !== undefined && { readOnly }),
    columns: columns.map(({ name }) => columnView(document, name)),
    version: editingVersion(document),
    updated,
    deleted,
    inserted,
    ...(isSaving && { isSaving }),
    ...(isOutcomeUnknown && { isOutcomeUnknown }),
    ...(problem !== undefined && { problem }),
    problems: problems.all.length,
  };
}

/** Changes with everything that the rows show: edits, problems, and the ids that the schema gives them. */
export const editingVersion = ({ editing, overlay, problems }: TableDocument): number =>
  overlay.version + problems.version + (editing.table ? 1 : 0);

function columnView({ editing }: TableDocument, name: string): EditableColumnView | null {
  const column = editing.columnOf(name);
  if (!column) return null;
  const { isGenerated, notNull, defaultValue } = column;
  const references = editing.foreignKeyOf(name);
  return {
    isGenerated,
    canBeNull: !notNull && editing.table?.rowIdColumn !== name,
    needsValue: !isGenerated && editing.faultOf(name, { kind: 'default' }) !== undefined,
    ...(defaultValue !== null && { defaultValue }),
    ...(references && { references: references.table }),
  };
}

/** The page has more rows, but the user edits one that came lately. Each has two names. */
const maxSentNames = 800;

/** The name of a row in one order of the rows. In a later order, another row may have its id. */
export const sentName = (id: string, orderVersion: number): string => `${orderVersion} ${id}`;

/** The ids and marks of the rows from `start` on. Marks are pending edits, and problems at cells. Adds the rows to `sentRows`. */
export function editedRows(
  document: TableDocument,
  run: Pick<BrowseRun, 'columns' | 'placeAt' | 'queries'>,
  rows: readonly (Row | undefined)[],
  start: number,
  sentRows: Map<string, EditedRow>,
): Pick<RowWindow, 'ids' | 'edits'> {
  const { table, edits } = document.editing;
  const ids = rows.map((row, index) => {
    const place = run.placeAt(start + index);
    if (!row || !table) return edits.inserted[start + index]?.id ?? '';
    const id = pageIdIn(table, row, place.number);
    for (const name of [id, sentName(id, run.queries.orderVersion)]) {
      sentRows.delete(name);
      sentRows.set(name, { kind: 'table', row, place });
    }
    return id;
  });
  for (const oldest of sentRows.keys()) {
    if (sentRows.size <= maxSentNames) break;
    sentRows.delete(oldest);
  }
  const marks = rowMarks(document, run, rows, start);
  return { ...(table && { ids }), ...(marks.length > 0 && { edits: marks }) };
}

function rowMarks(
  { editing, overlay, problems }: TableDocument,
  run: Pick<BrowseRun, 'columns' | 'placeAt'>,
  rows: readonly (Row | undefined)[],
  start: number,
): RowEdits[] {
  const { columns } = run;
  const marks = overlay.marksOf(rows, start, columns, row => run.placeAt(row));
  if (problems.all.length === 0) return marks;
  const byPlace = new Map(marks.map(mark => [mark.row, mark]));
  return rows.flatMap((row, index): RowEdits[] => {
    const place = start + index;
    const id = row
      ? editing.idOf({ kind: 'table', row: overlay.movedRow(row, run.placeAt(place)) })
      : editing.edits.inserted[place]?.id;
    const ofRow = id === undefined ? [] : problems.of(id).map(problem => problemView(problem, columns));
    const mark = byPlace.get(place);
    // Equal rows without a key have one id, and only one of them has the edits.
    const isOther = !mark && id !== undefined && editing.edits.get(id) !== undefined;
    if (ofRow.length === 0 || isOther) return mark ? [mark] : [];
    return [{ ...(mark ?? { row: place, state: 'unchanged', columns: [] }), problems: ofRow }];
  });
}

function problemView(problem: CellProblem, columns: readonly Column[]): CellProblemView {
  const column = columns.findIndex(({ name }) => name === problem.column);
  return { ...(column !== -1 && { column }), message: problemText(problem), ...(problem.isText && { isText: true }) };
}

/** The cell of a problem among the shown rows. */
interface ProblemPlace {
  readonly row: number;
  readonly column?: number;
}

export const rowHidden = (): Error =>
  misuse('row_hidden', vscode.l10n.t('The row is not among the shown rows. Clear the filters to see it.'));

/** Goes through the problems of a table, from the one at the active cell or the one visited last. */
export class ProblemTour {
  readonly #document: TableDocument;
  readonly #run: BrowseRun;
  #version = -1;
  #index = -1;

  constructor(document: TableDocument, run: BrowseRun) {
    this.#document = document;
    this.#run = run;
  }

  /** The place of the next problem, whose row may have to be fetched first, or the problem if its row is not among the shown rows. */
  async next(from: ProblemPlace, isBackwards: boolean): Promise<ProblemPlace | CellProblem | undefined> {
    const { problems } = this.#document;
    const { all } = problems;
    if (all.length === 0) return undefined;
    if (this.#version !== problems.version) this.#index = isBackwards ? 0 : -1;
    this.#version = problems.version;
    const here = await this.#indexAt(from);
    if (here !== -1) this.#index = here;
    this.#index = (this.#index + (isBackwards ? -1 : 1) + all.length) % all.length;
    const problem = all[this.#index]!;
    return (await this.placeOf(problem)) ?? problem;
  }

  /** The cell of a problem or of an edit among the shown rows. Undefined if its row is not among them. */
  async placeOf({ rowId, column: name }: Pick<CellProblem, 'rowId' | 'column'>): Promise<ProblemPlace | undefined> {
    const row = await this.#rowOf(rowId);
    if (row === undefined) return undefined;
    const column = this.#run.columns.findIndex(other => other.name === name);
    return column === -1 ? { row } : { row, column };
  }

  async #indexAt({ row, column = -1 }: ProblemPlace): Promise<number> {
    const { editing, problems } = this.#document;
    if (row >= this.#run.rowCount) return -1;
    const [found] = await this.#run.tableRows([row]);
    const id = found ? editing.idOf({ kind: 'table', row: found }) : editing.edits.inserted[row]?.id;
    const name = this.#run.columns[column]?.name;
    const isHere = (problem: CellProblem): boolean => problem.rowId === id && problem.column === name;
    // A cell may have several problems. Stay at the one visited last.
    return isHere(problems.all[this.#index] ?? problems.all[0]!) ? this.#index : problems.all.findIndex(isHere);
  }

  async #rowOf(rowId: string): Promise<number | undefined> {
    const { editing } = this.#document;
    const inserted = editing.edits.inserted.findIndex(({ id }) => id === rowId);
    if (inserted !== -1) return inserted;
    const pending = editing.edits.get(rowId);
    const { table } = editing;
    if (!table) return undefined;
    return this.#run.placeOf({
      isRow: row => editing.idOf({ kind: 'table', row }) === rowId,
      key: pending && pending.kind !== 'insert' ? keyTerm(table, pending.key) : rowIdTerm(table, rowId),
      serviceOrder: serviceOrderOf(table),
    });
  }
}
