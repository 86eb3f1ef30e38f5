import * as vscode from 'vscode';
import { misuse } from '../../base/errors.ts';
import { oneLine } from '../../base/oneLine.ts';
import type { BrowseRun } from '../../model/browsing/browseRun.ts';
import { type ClipboardCell, clipboardCells } from '../../model/editing/clipboardCells.ts';
import { equalRows } from '../../model/editing/rowChecks.ts';
import type { CellTarget, EditedRow } from '../../model/editing/tableEditing.ts';
import { typedEdit } from '../../model/editing/typedEdit.ts';
import { type ServedMethods, serve } from '../../protocol/bridge.ts';
import type { EditValue, TypedKind } from '../../protocol/editValues.ts';
import { editingMethods } from '../../protocol/editing.ts';
import type { CellRange } from '../../protocol/rowQueries.ts';
import { staleOrder } from '../results/resultCalls.ts';
import { faultText } from './faultText.ts';
import type { EditPrompts } from './editPrompts.ts';
import { type ProblemPlace, ProblemTour } from './problemMarks.ts';
import type { TableDocument } from './tableDocument.ts';
import { numberText } from '../numbers.ts';

/** More cells than anybody changes by hand. Each takes memory until it is saved. */
const maxEditedCells = 200_000;

interface EditingCallsOptions {
  readonly document: TableDocument;
  readonly run: BrowseRun;
  readonly runId: () => string;
  /** Why no row may be edited now, besides the table itself. */
  readonly refusal: () => string | undefined;
  readonly prompts: EditPrompts;
  /** Shows a cell, whose row may have yet to be fetched. */
  readonly goToCell: (place: ProblemPlace) => void;
  readonly actions: EditingActions;
}

export interface EditingActions {
  save(): Promise<void>;
  checkOutcome(): Promise<void>;
  review(): Promise<void>;
  discard(): Promise<void>;
}

type EditedCell = Omit<CellTarget, 'value'>;

interface PlaceRef {
  readonly runId: string;
  readonly orderVersion: number;
}

/** Answers the calls by which a page edits rows. */
export function editingCalls(options: EditingCallsOptions): ServedMethods<typeof editingMethods> {
  const { document, run, prompts, goToCell, actions } = options;
  const { editing } = document;
  const tour = new ProblemTour(document, run);
  const goToFirstRow = (): void => goToCell({ row: 0, column: undefined });
  const requireEditable = (ref: Pick<PlaceRef, 'runId'> & Partial<PlaceRef>): void => {
    const refusal = options.refusal();
    if (refusal !== undefined) throw misuse('read_only', refusal);
    if (ref.runId !== options.runId()) throw misuse('no_such_result', vscode.l10n.t('This result is closed.'));
    if (ref.orderVersion !== undefined && ref.orderVersion !== run.queries.orderVersion) {
      throw staleOrder();
    }
  };
  const rowsOf = async (ref: PlaceRef, numbers: readonly number[]): Promise<EditedRow[]> => {
    requireEditable(ref);
    const { inserted } = editing.edits;
    const rows = await run.tableRows(numbers);
    return rows.map((row, index) =>
      row
        ? { kind: 'table', row, place: run.placeAt(numbers[index]!) }
        : { kind: 'new', id: inserted[numbers[index]!]?.id ?? '' },
    );
  };
  const nameOf = (column: number): string => {
    const name = run.columns[column]?.name;
    if (name === undefined) throw misuse('no_such_column', 'The table has no such column.');
    return name;
  };
  /** Rejects the edit of a row that equals an edited one and has no key: the edits of both would be taken for one. */
  const requireOwner = (row: EditedRow): void => {
    if (row.kind === 'table' && row.place && !document.overlay.claim(row.row, row.place)) throw equalRows();
  };
  const refusedCells = (targets: readonly CellTarget[]) =>
    targets.flatMap(({ row, column, value }) => {
      const fault = editing.faultOf(column, value);
      const rowId = editing.idOf(row);
      if (!fault || rowId === undefined) return [];
      return [{ rowId, column, fault: { kind: 'value', fault } as const, isCertain: true }];
    });
  /** Makes the edit unless a value is refused, and gives the reason if one is. The cells are marked then. */
  const setCells = async (label: string, targets: readonly CellTarget[]): Promise<string | null> => {
    const refused = refusedCells(targets);
    if (refused.length > 0) {
      document.problems.replace(refused);
      return faultText(refused[0]!.fault.fault, refused[0]!.column);
    }
    for (const { row } of targets) requireOwner(row);
    await document.edit(label, () => editing.setCells(targets));
    return null;
  };
  /** A row of the table has no default to leave out: it gets the value that the default gives now. */
  const valueFor = async (row: EditedRow, column: string, value: EditValue): Promise<EditValue> =>
    value.kind === 'default' && row.kind === 'table' ? editing.defaultOf(column) : value;

  const targetsOf = async (ref: PlaceRef, ranges: readonly CellRange[]): Promise<EditedCell[]> => {
    const cells = await cellsOf(ref, ranges, rowsOf);
    return cells.flatMap(({ rows, columns }) =>
      rows.flatMap(row => columns.map(column => ({ row, column: nameOf(column) }))),
    );
  };
  /** The cells with the values that a text stands for in their columns, or why a column cannot have it. */
  const typedCells = (
    text: string,
    cells: readonly EditedCell[],
    kind?: TypedKind,
  ): { readonly targets: readonly CellTarget[] } | { readonly refusal: string } => {
    const targets: CellTarget[] = [];
    for (const { row, column: name } of cells) {
      const column = editing.columnOf(name);
      if (!column) return { refusal: vscode.l10n.t('The table has no such column. Refresh it.') };
      const typed = typedEdit(text, column, kind, isNumber(row, name));
      if ('fault' in typed) return { refusal: faultText(typed.fault, name) };
      targets.push({ row, column: name, value: typed.value });
    }
    return { targets };
  };
  /** An empty cell is NULL, unless the user wants empty texts in the columns that hold texts. One in quotes is an empty text. */
  const pastedCells = (
    cell: ClipboardCell,
    cells: readonly EditedCell[],
    emptyIsText: boolean,
  ): ReturnType<typeof typedCells> => {
    if (cell !== null && cell !== '') return typedCells(cell, cells);
    const valueIn = (column: string): EditValue => {
      const affinity = editing.columnOf(column)?.affinity;
      const isText = cell === '' || (emptyIsText && (affinity === 'text' || affinity === 'blob'));
      return isText ? { kind: 'text', text: '' } : { kind: 'null' };
    };
    return { targets: cells.map(({ row, column }) => ({ row, column, value: valueIn(column) })) };
  };

  return serve(editingMethods, {
    editedValue: async ref => {
      const [row] = await rowsOf(ref, [ref.row]);
      const name = nameOf(ref.column);
      const nothing: EditValue = { kind: 'null' };
      return row ? ((await editing.valuesOf(row, [name])).get(name) ?? nothing) : nothing;
    },
    editCell: async ref => {
      const [row] = await rowsOf(ref, [ref.row]);
      const name = nameOf(ref.column);
      await editing.schema();
      const cells = ref.ranges ? await targetsOf(ref, ref.ranges) : row ? [{ row, column: name }] : [];
      const typed = typedCells(ref.text, cells, ref.kind);
      if ('refusal' in typed) return typed.refusal;
      return setCells(ref.ranges ? vscode.l10n.t('Set Cells') : vscode.l10n.t('Edit {0}', name), typed.targets);
    },
    setCells: async ref => {
      await editing.schema();
      const targets: CellTarget[] = [];
      for (const { row, column } of await targetsOf(ref, ref.ranges)) {
        targets.push({ row, column, value: await valueFor(row, column, ref.value) });
      }
      return setCells(vscode.l10n.t('Set Cells'), targets);
    },
    fillDown: async ref => {
      await editing.schema();
      const targets: CellTarget[] = [];
      for (const { rows, columns } of await cellsOf(ref, ref.ranges, rowsOf)) {
        const [first, ...others] = rows;
        if (!first) continue;
        const names = columns.map(nameOf);
        const values = await editing.valuesOf(first, names);
        for (const row of others) {
          for (const column of names) targets.push({ row, column, value: values.get(column) ?? { kind: 'null' } });
        }
      }
      return setCells(vscode.l10n.t('Fill Down'), targets);
    },
    pasteCells: async ref => {
      await editing.schema();
      const block = clipboardCells(ref.text);
      const [copied] = block[0] ?? [];
      const isSingle = block.length === 1 && block[0]!.length === 1;
      const selected = isSingle ? await targetsOf(ref, ref.ranges) : [];
      if (selected.length > 1) {
        const pasted = pastedCells(copied ?? null, selected, false);
        const refusal = 'refusal' in pasted ? pasted.refusal : await setCells(vscode.l10n.t('Paste'), pasted.targets);
        if (refusal !== null) throw misuse('wrong_value', refusal);
        return;
      }
      const width = Math.max(0, ...block.map(({ length }) => length));
      const columns = ref.columns.slice(0, width).map(nameOf);
      const rowCount = Math.min(block.length, run.rowCount - ref.row);
      requireFewCells(rowCount * columns.length);
      const rows = await rowsOf(ref, numbersFrom(ref.row, rowCount));
      const missingRows = block.length - rowCount;
      const missingColumns = width - columns.length;
      const choice = await prompts.confirmPaste({
        block,
        columns,
        row: ref.row,
        rowCount,
        missingRows,
        missingColumns,
      });
      if (choice === 'cancel') return;
      const targets: CellTarget[] = [];
      for (const [index, row] of rows.entries()) {
        for (const [place, column] of columns.entries()) {
          const cell = block[index]?.[place];
          if (cell === undefined) continue;
          const pasted = pastedCells(cell, [{ row, column }], choice === 'emptyIsText');
          if ('refusal' in pasted) throw misuse('wrong_value', `${pasted.refusal} ${oneLine(cell ?? '', 100)}`);
          targets.push(...pasted.targets);
        }
      }
      const problem = await setCells(vscode.l10n.t('Paste'), targets);
      if (problem !== null) throw misuse('wrong_value', problem);
    },
    loadFile: async ref => {
      const [row] = await rowsOf(ref, [ref.row]);
      const column = nameOf(ref.column);
      const hex = await prompts.pickFile(column);
      if (hex === undefined || !row) return;
      const problem = await setCells(vscode.l10n.t('Load File'), [{ row, column, value: { kind: 'blob', hex } }]);
      if (problem !== null) throw misuse('wrong_value', problem);
    },
    pickReference: async ref => {
      const [row] = await rowsOf(ref, [ref.row]);
      const column = nameOf(ref.column);
      await editing.schema();
      const key = editing.foreignKeyOf(column, run.keyOf(ref.column)?.references?.table);
      if (!key || !row) return;
      const values = await prompts.pickReference(key.table, key.targets);
      if (!values) return;
      // All columns of the key change together: a part of it would refer to another row, or to none.
      const targets = key.columns.map((name, index) => ({ row, column: name, value: values[index]! }));
      const problem = await setCells(vscode.l10n.t('Edit {0}', key.columns.join(', ')), targets);
      if (problem !== null) throw misuse('wrong_value', problem);
    },
    addRow: async ref => {
      requireEditable(ref);
      await document.edit(vscode.l10n.t('Add Row'), () => editing.addRow());
      goToFirstRow();
    },
    duplicateRows: async ref => {
      const rows = (await cellsOf(ref, ref.ranges, rowsOf)).flatMap(range => range.rows);
      await document.edit(vscode.l10n.t('Duplicate Rows'), () => editing.duplicate(rows));
      goToFirstRow();
    },
    deleteRows: async ref => {
      const rows = (await cellsOf(ref, ref.ranges, rowsOf)).flatMap(range => range.rows);
      for (const row of rows) requireOwner(row);
      await document.edit(vscode.l10n.t('Delete Rows'), () => editing.delete(rows));
    },
    revertCells: async ref => {
      for (const { rows, columns } of await cellsOf(ref, ref.ranges, rowsOf)) {
        const ids = rows.flatMap(row => editing.idOf(row) ?? []);
        await document.edit(vscode.l10n.t('Revert'), () => editing.revert(ids, columns.map(nameOf)));
      }
    },
    discardEdits: async ref => {
      requireEditable(ref);
      await actions.discard();
    },
    saveEdits: async ref => {
      requireEditable(ref);
      await actions.save();
    },
    checkOutcome: async ref => {
      requireEditable(ref);
      await actions.checkOutcome();
    },
    reviewEdits: () => actions.review(),
    goToProblem: async ref => {
      // The rows may be in another order since a save. The problem is found by its row all the same.
      requireEditable({ runId: ref.runId });
      const next = await tour.next(ref, ref.backwards);
      if (next) goToCell(next);
    },
  });
}

interface RangeCells {
  readonly rows: readonly EditedRow[];
  readonly columns: readonly number[];
}

/** The rows and columns of each range. */
async function cellsOf(
  ref: PlaceRef,
  ranges: readonly CellRange[],
  rowsOf: (ref: PlaceRef, numbers: readonly number[]) => Promise<EditedRow[]>,
): Promise<RangeCells[]> {
  requireFewCells(
    ranges.reduce((sum, { firstRow, endRow, columns }) => sum + (endRow - firstRow) * Math.max(1, columns.length), 0),
  );
  const cells: RangeCells[] = [];
  for (const { firstRow, endRow, columns } of ranges) {
    cells.push({ rows: await rowsOf(ref, numbersFrom(firstRow, endRow - firstRow)), columns });
  }
  return cells;
}

const numbersFrom = (first: number, count: number): number[] =>
  Array.from({ length: Math.max(0, count) }, (_, index) => first + index);

function requireFewCells(count: number): void {
  if (count > maxEditedCells) {
    throw misuse(
      'too_many_cells',
      vscode.l10n.t('At most {0} cells can be edited at once. Use an UPDATE statement.', numberText(maxEditedCells)),
    );
  }
}

const isNumber = (row: EditedRow, column: string): boolean =>
  row.kind === 'table' && Object.hasOwn(row.row, column) && ['number', 'bigint'].includes(typeof row.row[column]);
