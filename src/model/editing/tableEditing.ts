import { misuse } from '../../base/errors.ts';
import { lazy } from '../../base/lazy.ts';
import type { Project } from '../../client/index.ts';
import type { EditValue, StoredValue } from '../../protocol/editValues.ts';
import { isSameName } from '../../sql/text/names.ts';
import type { Row } from '../../wire/values.ts';
import type { RowPlace } from '../browsing/rowOverlay.ts';
import type { CellProblem } from './cellProblems.ts';
import { type Conflict, findConflicts, maxComparedBytes } from './conflicts.ts';
import type { SaveStep } from './draft.ts';
import {
  type EditableColumn,
  type EditableTable,
  type TableForeignKey,
  readEditableTable,
  type ReadOnlyReason,
} from '../catalog/editableTable.ts';
import { type ExactRow, readExactRows, readExpression, wantedOf, wantedOfEdited } from './exactRows.ts';
import {
  type DeletedRow,
  type InsertedRow,
  type NamedValue,
  PendingEdits,
  type PendingRow,
  revertedRow,
  type RowChange,
  type UpdatedRow,
  withCell,
} from './pendingEdits.ts';
import { requireDistinct, requireUnchanged, rowChanged } from './rowChecks.ts';
import { isTableRowId, rowIdIn } from './rowIds.ts';
import { saveSteps } from './saveSteps.ts';
import { type TypedText, TypedTexts } from './typedTexts.ts';
import { type CellName, faultOfValue, missingCells, unknownCells, type ValueFault } from './valueChecks.ts';

const rowsPerRead = 2000;
/** Shared, because a hundred thousand rows may have an empty list. */
const none: readonly never[] = [];

export type EditedRow =
  | { readonly kind: 'table'; readonly row: Row; readonly place?: RowPlace }
  | { readonly kind: 'new'; readonly id: string };

export interface CellTarget {
  readonly row: EditedRow;
  readonly column: string;
  readonly value: EditValue;
}

/** The edits of one table: what can be edited, what is edited, and the statements that save it. */
export class TableEditing {
  readonly edits = new PendingEdits();
  readonly texts = new TypedTexts();
  /** The keys of saved new rows, by the ids of their edits. */
  readonly savedKeys = new Map<string, readonly StoredValue[]>();
  readonly #project: Pick<Project, 'query'>;
  readonly #name: string;
  schema = lazy(() => this.#readSchema());
  table: EditableTable | undefined;
  #newRows = 0;
  #keyColumns: readonly string[] | undefined;

  constructor(project: Pick<Project, 'query'>, name: string) {
    this.#project = project;
    this.#name = name;
  }

  forgetSchema(): void {
    this.schema = lazy(() => this.#readSchema());
  }

  pendingOf(row: Row): PendingRow | undefined {
    return this.table && this.edits.get(rowIdIn(this.table, row));
  }

  /** The id that a row of a table without a key shares with all rows of the same values. Undefined for other rows. */
  keylessIdOf(row: Row): string | undefined {
    return this.table?.identity.kind === 'rowId' ? rowIdIn(this.table, row) : undefined;
  }

  columnOf(name: string): EditableColumn | undefined {
    return this.table?.columns.find(column => isSameName(column.name, name));
  }

  /** The foreign key of a column. If it has several, the one to `preferredTable`. */
  foreignKeyOf(name: string, preferredTable?: string): TableForeignKey | undefined {
    const keys = (this.table?.foreignKeys ?? []).filter(({ columns }) =>
      columns.some(other => isSameName(other, name)),
    );
    return keys.find(({ table }) => preferredTable !== undefined && isSameName(table, preferredTable)) ?? keys[0];
  }

  faultOf(name: string, value: EditValue): ValueFault | undefined {
    const column = this.columnOf(name);
    return column && this.table ? faultOfValue(this.table, column, value) : undefined;
  }

  /** Reads the present values first, for the save to compare. Rejects if a row has changed since it was shown. */
  async setCells(targets: readonly CellTarget[]): Promise<readonly RowChange[]> {
    const table = await this.#requireTable();
    const inserted = targets.flatMap(target => (target.row.kind === 'new' ? [{ ...target, id: target.row.id }] : []));
    const updated = targets.flatMap(target =>
      target.row.kind === 'table' ? [{ ...target, row: target.row.row }] : [],
    );
    const changes = [...this.#changesOfNewRows(inserted), ...(await this.#changesOfTableRows(table, updated))];
    return this.#apply(changes);
  }

  async addRow(values: readonly NamedValue<EditValue>[] = []): Promise<readonly RowChange[]> {
    await this.#requireTable();
    return this.#apply([this.#insertion(values)]);
  }

  newRowId(): string {
    return `new ${++this.#newRows} ${Date.now()}`;
  }

  /** Adds rows with ids of {@link newRowId}, and the values of their cells. */
  async addRows(ids: readonly string[], targets: readonly CellTarget[]): Promise<readonly RowChange[]> {
    await this.#requireTable();
    const byId = Map.groupBy(targets, ({ row }) => this.idOf(row));
    return this.#apply(ids.map(id => this.#insertion(byId.get(id) ?? [], id)));
  }

  /** Adds copies of rows, without the values that SQLite makes itself. */
  async duplicate(rows: readonly EditedRow[]): Promise<readonly RowChange[]> {
    const table = await this.#requireTable();
    const copied = table.columns.filter(({ isGenerated, name }) => !isGenerated && name !== table.rowIdColumn);
    const columns = copied.map(({ name }) => name);
    const ofTable = rows.flatMap(row => (row.kind === 'table' ? [row.row] : []));
    const exact = await this.#read(table, ofTable, columns);
    const copies: RowChange[] = [];
    for (const row of rows) {
      if (row.kind === 'new') {
        const pending = this.edits.get(row.id);
        if (pending?.kind === 'insert') copies.push(this.#insertion(pending.values));
        continue;
      }
      const pending = this.pendingOf(row.row);
      const edited = pending?.kind === 'update' ? pending.cells : [];
      const { values } = exact[ofTable.indexOf(row.row)]!;
      copies.push(this.#insertion(values.map(named => edited.find(({ column }) => column === named.column) ?? named)));
    }
    return this.#apply(copies);
  }

  async delete(rows: readonly EditedRow[]): Promise<readonly RowChange[]> {
    const table = await this.#requireTable();
    // Selected ranges may overlap.
    const ofTable = [...new Set(rows.flatMap(row => (row.kind === 'table' ? [row.row] : [])))];
    requireDistinct(table, ofTable);
    const exact = await this.#read(table, ofTable, storedColumnsOf(table), maxComparedBytes);
    const changes = ofTable.map((row, index): RowChange => {
      const { key, values, long } = exact[index]!;
      for (const named of values) requireUnchanged(row, named);
      const id = rowIdIn(table, row);
      const before = this.edits.get(id);
      const cells = before?.kind === 'update' ? before.cells : [];
      const after: PendingRow = {
        kind: 'delete',
        id,
        key,
        seenValues: values,
        cells,
        ...(long.length > 0 && { long }),
      };
      return { id, before, after };
    });
    const removed = rows.flatMap(row => (row.kind === 'new' ? this.#reversion(row.id) : []));
    return this.#apply([...changes, ...removed]);
  }

  idOf(row: EditedRow): string | undefined {
    return row.kind === 'new' ? row.id : this.table && rowIdIn(this.table, row.row);
  }

  /** The present values of a row, with its pending edits, by column. */
  async valuesOf(row: EditedRow, columns: readonly string[]): Promise<Map<string, EditValue>> {
    const table = await this.#requireTable();
    if (row.kind === 'new') {
      const pending = this.edits.get(row.id);
      const given = pending?.kind === 'insert' ? pending.values : [];
      const valueOf = (name: string): EditValue =>
        given.find(({ column }) => column === name)?.value ?? { kind: 'default' };
      return new Map(columns.map(name => [name, valueOf(name)]));
    }
    const [exact] = await this.#read(table, [row.row], columns);
    const pending = this.pendingOf(row.row);
    const edited = pending?.kind === 'update' ? pending.cells : [];
    return new Map<string, EditValue>([...exact!.values, ...edited].map(({ column, value }) => [column, value]));
  }

  /** Reverts edits of cells and deletions of rows. `columns` limits it to some columns. */
  revert(ids: readonly string[], columns?: readonly string[]): readonly RowChange[] {
    return this.#apply(ids.flatMap(id => this.#reversion(id, columns)));
  }

  get missingCells(): readonly (CellProblem & CellName)[] {
    return this.table ? missingCells(this.table, this.edits.inserted) : [];
  }

  /** Removed and deleted rows keep their typed texts out of view, until they come back. */
  get shownTexts(): readonly TypedText[] {
    return this.texts.all.filter(({ rowId }) => {
      const pending = this.edits.get(rowId);
      return pending ? pending.kind !== 'delete' : isTableRowId(rowId);
    });
  }

  /** The columns of the keys in the pending edits, as a draft keeps them. */
  get keyColumns(): readonly string[] | undefined {
    return this.edits.isEmpty ? undefined : this.#keyColumns;
  }

  restore(rows: readonly PendingRow[], keyColumns: readonly string[] | undefined): void {
    this.edits.replace(rows);
    this.#keyColumns = keyColumns;
  }

  /** Edited cells whose column the table has lost since, and edited rows whose key has changed. Rows have no `column`. */
  async unknownCells(): Promise<readonly CellProblem[]> {
    const table = await this.#requireTable();
    return unknownCells(table, [...this.edits.rows], this.#keyColumns);
  }

  async steps(): Promise<readonly SaveStep[]> {
    return saveSteps(await this.#requireTable(), [...this.edits.rows]);
  }

  /** The number of deleted rows with values that are not kept: undo cannot restore them once their deletion is saved. */
  get unrestorableCount(): number {
    return [...this.edits.rows].filter(row => row.kind === 'delete' && hasLongValues(row)).length;
  }

  /** Whether a save compares values of rows by their type, length and start. */
  get comparesStarts(): boolean {
    return [...this.edits.rows].some(row => row.kind !== 'insert' && hasLongValues(row));
  }

  /** Compares the rows of a statement that changed nothing with the table as it is now. */
  async conflicts({ rowIds }: SaveStep, signal?: AbortSignal): Promise<readonly Conflict[]> {
    const rows = rowIds.flatMap(id => {
      const row = this.edits.get(id);
      return row && row.kind !== 'insert' ? [row] : [];
    });
    return findConflicts(this.#project, await this.#requireTable(), rows, signal);
  }

  async defaultOf(name: string): Promise<StoredValue> {
    const expression = this.columnOf(name)?.defaultValue;
    if (expression === null || expression === undefined) return { kind: 'null' };
    return readExpression(this.#project, expression);
  }

  async #readSchema(): Promise<EditableTable | ReadOnlyReason> {
    const schema = await readEditableTable(this.#project, this.#name);
    this.table = typeof schema === 'string' ? undefined : schema;
    return schema;
  }

  #apply(changes: readonly RowChange[]): readonly RowChange[] {
    const { updated, deleted } = this.edits.counts;
    if (updated + deleted === 0 && this.table) this.#keyColumns = this.table.identity.columns.map(({ name }) => name);
    this.edits.apply(changes);
    return changes;
  }

  #insertion(values: readonly NamedValue<EditValue>[], id = this.newRowId()): RowChange {
    const named = values.map(({ column, value }) => ({ column, value }));
    return { id, before: undefined, after: { kind: 'insert', id, values: named } };
  }

  #reversion(id: string, columns?: readonly string[]): RowChange[] {
    const before = this.edits.get(id);
    return before ? [{ id, before, after: revertedRow(before, columns) }] : [];
  }

  #changesOfNewRows(targets: readonly (CellTarget & { readonly id: string })[]): RowChange[] {
    const byId = Map.groupBy(targets, ({ id }) => id);
    return [...byId].flatMap(([id, ofRow]): RowChange[] => {
      const before = this.edits.get(id);
      if (before?.kind !== 'insert') throw rowChanged();
      const columns = new Set(ofRow.map(({ column }) => column));
      const after: InsertedRow = {
        ...before,
        values: [
          ...before.values.filter(({ column }) => !columns.has(column)),
          ...ofRow.filter(({ value }) => value.kind !== 'default').map(({ column, value }) => ({ column, value })),
        ],
      };
      return [{ id, before, after }];
    });
  }

  async #changesOfTableRows(
    table: EditableTable,
    targets: readonly { readonly row: Row; readonly column: string; readonly value: EditValue }[],
  ): Promise<RowChange[]> {
    if (targets.length === 0) return [];
    const rows = [...new Set(targets.map(({ row }) => row))];
    const edited = [...new Set(targets.map(({ column }) => column))];
    const keyColumns = table.uniqueKeys
      .map(key => key.map(({ name }) => name))
      .filter(key => key.some(name => edited.includes(name)))
      .flat();
    requireDistinct(table, rows);
    const needed = [...new Set([...edited, ...keyColumns])];
    const comparesAll = table.identity.kind === 'rowId';
    const columns = comparesAll ? storedColumnsOf(table) : needed;
    const exact = await this.#read(table, rows, columns, maxComparedBytes, needed);
    const byRow = Map.groupBy(targets, ({ row }) => row);
    return rows.map((row, index): RowChange => {
      const { key, values, long: longNow } = exact[index]!;
      const id = rowIdIn(table, row);
      const before = this.edits.get(id);
      if (before?.kind === 'delete') throw misuse('row_deleted', 'This row is marked for deletion.');
      const former = before?.kind === 'update' ? before.cells : [];
      const ofKeys = comparesAll ? values : values.filter(({ column }) => keyColumns.includes(column));
      const long = (before?.kind === 'update' && before.long) || longNow;
      // Keep the values that earlier edits of the row compare: they may belong to other keys.
      const earlier = before?.kind === 'update' ? before.seenValues : none;
      const others = earlier.filter(({ column }) => !ofKeys.some(named => named.column === column));
      const present: UpdatedRow = {
        kind: 'update',
        id,
        key: before?.kind === 'update' ? before.key : key,
        seenValues: ofKeys.length + others.length === 0 ? none : [...others, ...ofKeys],
        cells: former,
        ...(long.length > 0 && { long }),
      };
      let after: UpdatedRow | undefined = present;
      for (const { column, value } of byRow.get(row)!) {
        const edit = former.find(cell => cell.column === column);
        const shown = values.find(named => named.column === column);
        if (!edit && shown) requireUnchanged(row, shown);
        const base: StoredValue = edit?.base ?? shown?.value ?? { kind: 'null' };
        after = withCell(after ?? { ...present, cells: none }, { column, base, value });
      }
      return { id, before, after };
    });
  }

  /** Reads rows of the grid as they are stored. Rejects if one is no longer there. */
  async #read(
    table: EditableTable,
    rows: readonly Row[],
    columns: readonly string[],
    maxBytes?: number,
    whole: readonly string[] = [],
  ): Promise<ExactRow[]> {
    const exact: ExactRow[] = [];
    for (let start = 0; start < rows.length; start += rowsPerRead) {
      const part = rows.slice(start, start + rowsPerRead);
      const requestedRows = part.map(row => {
        const pending = this.edits.get(rowIdIn(table, row));
        // Find a row without a key by its values only the first time: several rows may have them.
        return pending && pending.kind !== 'insert' ? wantedOfEdited(table, pending) : wantedOf(table, row);
      });
      const found: (ExactRow | undefined)[] = requestedRows.map(() => undefined);
      const namesAt = (place: number): string => JSON.stringify(requestedRows[place]!.map(({ column }) => column));
      const groups = Map.groupBy([...requestedRows.keys()], namesAt);
      for (const places of groups.values()) {
        const read = await readExactRows(this.#project, {
          table,
          requestedRows: places.map(place => requestedRows[place]!),
          columns,
          maxBytes,
          whole,
        });
        for (const [index, place] of places.entries()) found[place] = read[index];
      }
      for (const row of found) {
        if (!row) throw rowChanged();
        exact.push(row);
      }
    }
    return exact;
  }

  async #requireTable(): Promise<EditableTable> {
    const schema = await this.schema();
    if (typeof schema === 'string') throw misuse('read_only', 'The rows of this table cannot be edited.');
    return schema;
  }
}

const storedColumnsOf = ({ columns }: EditableTable): string[] =>
  columns.filter(({ isGenerated }) => !isGenerated).map(({ name }) => name);

const hasLongValues = ({ long = [] }: UpdatedRow | DeletedRow): boolean => long.length > 0;
