/* One file: all calls find their rows and cells with the same few functions. */
import * as vscode from 'vscode';
import { asProjectError, messageOf, misuse } from '../../base/errors.ts';
import { oneLine } from '../../base/oneLine.ts';
import type { BrowseRun } from '../../model/browsing/browseRun.ts';
import { type ClipboardCell, clipboardCells } from '../../model/editing/clipboardCells.ts';
import { namedKeyOf } from '../../model/editing/exactRows.ts';
import { equalRows } from '../../model/editing/rowChecks.ts';
import { pageIdIn } from '../../model/editing/rowIds.ts';
import type { CellTarget, EditedRow } from '../../model/editing/tableEditing.ts';
import { type TypedEdit, typedEdit } from '../../model/editing/typedEdit.ts';
import type { CellName, ValueFault } from '../../model/editing/valueChecks.ts';
import { wireValueOf } from '../../model/editing/wireValues.ts';
import { type ParamsOf, type ServedMethods, serveMethods } from '../../protocol/bridge.ts';
import type { EditValue, TypedKind } from '../../protocol/editValues.ts';
import { type Edited, editingMethods } from '../../protocol/browsing.ts';
import type { CellRange } from '../../protocol/rowQueries.ts';
import type { RowPlace } from '../../model/browsing/rowOverlay.ts';
import type { Row } from '../../wire/values.ts';
import { staleOrder } from '../results/resultCalls.ts';
import { faultText } from './problemText.ts';
import type { EditPrompts } from './editPrompts.ts';
import { editingVersion, ProblemTour, rowHidden, sentName } from './editingView.ts';
import type { TableDocument } from './tableDocument.ts';
import { numberText } from '../numbers.ts';

/** Nobody changes more cells by hand. Each takes memory until it is saved. */
const maxEditedCells = 200_000;

interface EditingCallsOptions {
  readonly document: TableDocument;
  readonly run: BrowseRun;
  readonly runId: () => string;
  /** The rows that the page got last, by their ids. A filter may hide some of them now. */
  readonly sentRows: ReadonlyMap<string, EditedRow>;
  /** Why no row may be edited now. Undefined if rows may be edited. */
  readonly refusal: () => string | undefined;
  readonly prompts: EditPrompts;
  readonly actions: EditingActions;
}

export interface EditingActions {
  save(): Promise<void>;
  checkOutcome(): Promise<void>;
  review(): Promise<void>;
  discard(): Promise<void>;
  undo(isRedo: boolean): Promise<void>;
  /** Goes to the last new row. */
  goToNewRow(): void;
}

type EditedCell = Omit<CellTarget, 'value'>;

/** A text for a cell whose column refuses it. */
interface Refusal extends EditedCell {
  readonly text: string;
  readonly fault: ValueFault;
}

interface PlaceRef {
  readonly runId: string;
  readonly orderVersion: number;
  readonly ids?: readonly string[] | undefined;
}

export function editingCalls(options: EditingCallsOptions): ServedMethods<typeof editingMethods> {
  const { document, run, prompts, actions } = options;
  const { editing } = document;
  const tour = new ProblemTour(document, run);
  const { calls } = document;
  const inOrder =
    <Ref>(work: (ref: Ref) => Promise<string | void>) =>
    (ref: Ref): Promise<Edited> =>
      calls.run(async () => {
        const refusal = await work(ref);
        return { version: editingVersion(document), ...(refusal !== undefined && { refusal }) };
      });
  /** Waits for a running save: it gives new rows their keys, by which they are found afterwards. */
  const afterSave = <Ref>(work: (ref: Ref) => Promise<string | void>) =>
    inOrder(async (ref: Ref) => {
      await document.saveEnded();
      return work(ref);
    });
  const requireEditable = (ref: Pick<PlaceRef, 'runId'>): void => {
    const refusal = options.refusal();
    if (refusal !== undefined) throw misuse('read_only', refusal);
    if (ref.runId !== options.runId()) throw misuse('no_such_result', vscode.l10n.t('This result is closed.'));
  };
  const isNamed = (id: string, row: Row, number: number): boolean =>
    editing.table !== undefined && pageIdIn(editing.table, row, number) === id;
  /** Finds a row that was new when the page got it, and has been saved since. */
  const savedRow = (id: string): EditedRow | undefined => {
    const key = editing.savedKeys.get(id);
    const { table } = editing;
    if (!key || table?.identity.kind !== 'key') return undefined;
    const values = namedKeyOf(table, key).map(({ column, value }) => [column, wireValueOf(value)] as const);
    return { kind: 'table', row: Object.fromEntries(values) };
  };
  const tableRow = (row: Row, place: RowPlace): EditedRow => {
    return { kind: 'table', row: document.overlay.movedRow(row, place), place };
  };
  /** Finds the row with an id, wherever the row is now. */
  const rowNamed = (id: string, orderVersion: number): EditedRow => {
    if (editing.edits.get(id)?.kind === 'insert') return { kind: 'new', id };
    const sent = options.sentRows.get(sentName(id, orderVersion)) ?? options.sentRows.get(id);
    const moved = sent?.kind === 'table' && sent.place ? tableRow(sent.row, sent.place) : undefined;
    // The page has the row from before a save of its key, and another row may have the old key.
    if (sent && moved && editing.idOf(moved) !== editing.idOf(sent)) return moved;
    const loaded = run.findLoaded((row, number) => isNamed(id, row, number));
    const found = loaded ? tableRow(loaded.row, loaded.place) : (sent ?? savedRow(id));
    if (found) return found;
    throw misuse('row_gone', vscode.l10n.t('The row is no longer shown. Clear the filters or refresh the table.'));
  };
  /** The rows with these numbers. If the page sends ids, the id counts, not the number. The first row has the id at `firstId`. */
  const rowsOf = async (ref: PlaceRef, numbers: readonly number[], firstId = 0): Promise<EditedRow[]> => {
    requireEditable(ref);
    const isOrdered = ref.orderVersion === run.queries.orderVersion;
    const { inserted } = editing.edits;
    const rows = isOrdered ? await run.tableRows(numbers) : [];
    return numbers.map((number, index) => {
      const id = ref.ids?.[firstId + index];
      const row = rows[index];
      const place = run.placeAt(number);
      if (row && (id === undefined || isNamed(id, row, place.number))) return tableRow(row, place);
      if (id !== undefined) return rowNamed(id, ref.orderVersion);
      if (!isOrdered) throw staleOrder();
      return { kind: 'new', id: inserted[number]?.id ?? '' };
    });
  };
  /** Throws as `requireNoEqualRow` does. */
  const cellNameOf = ({ row, column }: EditedCell): CellName => {
    requireNoEqualRow(row);
    const rowId = editing.idOf(row);
    if (rowId === undefined) throw misuse('no_such_row', 'The table has no such row.');
    return { rowId, column };
  };
  const nameOf = (column: number): string => {
    const name = run.columns[column]?.name;
    if (name === undefined) throw misuse('no_such_column', 'The table has no such column.');
    return name;
  };
  /** Refuses the edit of a row without a key if it equals an edited row: their edits could not be told apart. */
  const requireNoEqualRow = (row: EditedRow): void => {
    if (row.kind === 'table' && row.place && !document.overlay.claim(row.row, row.place)) throw equalRows();
  };
  const refusedCells = (targets: readonly CellTarget[]) =>
    targets.flatMap(({ row, column, value }) => {
      const fault = editing.faultOf(column, value);
      const rowId = editing.idOf(row);
      if (!fault || rowId === undefined) return [];
      return [{ rowId, column, fault: { kind: 'value', fault } as const }];
    });
  /** Makes the edit if all columns take their values. Otherwise marks the refused cells, and returns the first reason. */
  const setCells = async (label: string, targets: readonly CellTarget[]): Promise<string | undefined> => {
    const refused = refusedCells(targets);
    if (refused.length === 0) return setTyped(label, { targets: [...targets], refusals: [] });
    document.problems.replace(refused);
    return faultText(refused[0]!.fault.fault, refused[0]!.column);
  };
  /** Sets the values that columns take. A refused text stays in its cell. Returns the first reason. */
  const setTyped = async (
    label: string,
    { targets, refusals }: CheckedCells,
    make = () => editing.setCells(targets),
  ): Promise<string | undefined> => {
    const texts = [
      ...targets.map(cellNameOf),
      ...refusals.map(refusal => ({
        ...cellNameOf(refusal),
        text: refusal.text,
        fault: { kind: 'value', fault: refusal.fault } as const,
      })),
    ];
    await document.edit(label, make, texts);
    const [first] = refusals;
    return first && faultText(first.fault, first.column);
  };
  /** Only a new row can leave a column to its default. A row of the table gets the value that the default has now. */
  const valueFor = async (row: EditedRow, column: string, value: EditValue): Promise<EditValue> =>
    value.kind === 'default' && row.kind === 'table' ? editing.defaultOf(column) : value;

  const targetsOf = async (ref: PlaceRef, ranges: readonly CellRange[]): Promise<EditedCell[]> => {
    const cells = await cellsOf(ref, ranges, rowsOf);
    return cells.flatMap(({ rows, columns }) =>
      rows.flatMap(row => columns.map(column => ({ row, column: nameOf(column) }))),
    );
  };
  const typedValue = (text: string, { row, column: name }: EditedCell, kind?: TypedKind): TypedEdit => {
    const column = editing.columnOf(name);
    if (!column) throw misuse('no_such_column', vscode.l10n.t('The table has no such column. Refresh it.'));
    return typedEdit(text, column, kind, isNumber(row, name));
  };
  /** A quoted empty cell is an empty text. Others are NULL, or empty texts in columns of texts that cannot be NULL. */
  const pastedValue = (copied: ClipboardCell, cell: EditedCell): CheckedValue => {
    if (copied !== null && copied !== '') return typedValue(copied, cell);
    const { affinity, notNull } = editing.columnOf(cell.column) ?? {};
    const isText = copied === '' || (notNull && affinity === 'text');
    return { value: isText ? { kind: 'text', text: '' } : { kind: 'null' } };
  };
  const addChecked = (checked: CheckedCells, cell: EditedCell, text: string, typed: CheckedValue): void => {
    const fault = 'fault' in typed ? typed.fault : editing.faultOf(cell.column, typed.value);
    if (fault) checked.refusals.push({ ...cell, text, fault });
    else if ('value' in typed) checked.targets.push({ ...cell, value: typed.value });
  };
  /** The values of a copied block for cells. A row of the block may have fewer cells than others. */
  const checkedBlock = (
    block: readonly (readonly (ClipboardCell | undefined)[])[],
    rows: readonly EditedRow[],
    columns: readonly string[],
  ): CheckedCells => {
    const checked: CheckedCells = { targets: [], refusals: [] };
    for (const [index, row] of rows.entries()) {
      for (const [place, column] of columns.entries()) {
        const copied = block[index]?.[place];
        if (copied === undefined) continue;
        addChecked(checked, { row, column }, copied ?? '', pastedValue(copied, { row, column }));
      }
    }
    return checked;
  };
  const editCells = async (ref: ParamsOf<typeof editingMethods.editCells>): Promise<string | undefined> => {
    const cells = await targetsOf(ref, ref.ranges);
    try {
      await editing.schema();
      const checked: CheckedCells = { targets: [], refusals: [] };
      for (const cell of cells) addChecked(checked, cell, ref.text, typedValue(ref.text, cell, ref.kind));
      const [first] = cells;
      const isOne = first && cells.length === 1;
      return await setTyped(isOne ? vscode.l10n.t('Edit {0}', first.column) : vscode.l10n.t('Set Cells'), checked);
    } catch (thrown) {
      // Equal rows would all show the text.
      const code = asProjectError(thrown)?.code;
      // Without a key, the id of a changed row leads to no row any more.
      if (code === 'equal_rows' || (code === 'row_changed' && editing.table?.identity.kind !== 'key')) throw thrown;
      const message = messageOf(thrown);
      for (const cell of cells) {
        await document.hold({ ...cellNameOf(cell), text: ref.text, fault: { kind: 'message', message } });
      }
      return message;
    }
  };

  /** Sets values that the user chooses in a prompt. Other calls go on while the prompt is open. */
  const afterPrompt =
    (choose: (ref: ChoiceRef) => Promise<ChosenValues | undefined>) =>
    async (ref: ChoiceRef): Promise<Edited> => {
      const [row] = await calls.run(() => rowsOf(ref, [ref.row]));
      const choice = await choose(ref);
      if (!choice || !row) return { version: editingVersion(document) };
      const targets = choice.values.map(([column, value]) => ({ row, column, value }));
      return afterSave(() => setCells(choice.label, targets))(ref);
    };

  return serveMethods(editingMethods, {
    editedValue: ref =>
      calls.run(async () => {
        const [row] = await rowsOf(ref, [ref.row]);
        const name = nameOf(ref.column);
        const nothing: EditValue = { kind: 'null' };
        return row ? ((await editing.valuesOf(row, [name])).get(name) ?? nothing) : nothing;
      }),
    holdText: ref =>
      calls.run(async () => {
        const [row] = await rowsOf(ref, [ref.row]);
        if (!row) return;
        const cell = cellNameOf({ row, column: nameOf(ref.column) });
        await document.hold({ ...cell, ...(ref.text !== undefined && { text: ref.text }) });
      }),
    editCells: afterSave(async ref => {
      try {
        return await editCells(ref);
      } catch (thrown) {
        throw withText(thrown, ref.text);
      }
    }),
    setCells: afterSave(async ref => {
      await editing.schema();
      const targets: CellTarget[] = [];
      for (const { row, column } of await targetsOf(ref, ref.ranges)) {
        targets.push({ row, column, value: await valueFor(row, column, ref.value) });
      }
      return setCells(vscode.l10n.t('Set Cells'), targets);
    }),
    fillDown: afterSave(async ref => {
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
    }),
    pasteCells: afterSave(async ref => {
      await editing.schema();
      const block = clipboardCells(ref.text);
      const [copied = null] = block[0] ?? [];
      const isSingle = block.length === 1 && block[0]!.length === 1 && cellCountOf(ref.ranges) > 1;
      const selected = isSingle ? await targetsOf({ ...ref, ids: undefined }, ref.ranges) : [];
      if (selected.length > 1) {
        const checked: CheckedCells = { targets: [], refusals: [] };
        for (const cell of selected) addChecked(checked, cell, copied ?? '', pastedValue(copied, cell));
        return setTyped(vscode.l10n.t('Paste'), checked);
      }
      const width = Math.max(0, ...block.map(({ length }) => length));
      const columns = ref.columns.slice(0, width).map(nameOf);
      requireFewCells(block.length * columns.length);
      if (!run.hasEnd) await run.jump(ref.row + block.length - 1);
      const rowCount = Math.min(block.length, run.rowCount - ref.row);
      const rows = await rowsOf(ref, numbersFrom(ref.row, rowCount));
      const reason = await setTyped(vscode.l10n.t('Paste'), checkedBlock(block, rows, columns));
      const missingColumns = width - columns.length;
      const leftOut = vscode.l10n.t('Columns that do not fit and are left out: {0}.', missingColumns);
      const refusal = reason ?? (missingColumns > 0 ? leftOut : undefined);
      const missing = block.slice(rowCount);
      if (missing.length === 0 || !(await prompts.confirmNewRows(missing.length))) return refusal;
      const ids = missing.map(() => editing.newRowId());
      // Where nothing was copied, a new row gets its default.
      const given = missing.map(cells => cells.map(cell => cell ?? undefined));
      const newRows = ids.map(id => ({ kind: 'new', id }) as const);
      const checked = checkedBlock(given, newRows, columns);
      const ofNew = await setTyped(vscode.l10n.t('Add Rows'), checked, () => editing.addRows(ids, checked.targets));
      actions.goToNewRow();
      return refusal ?? ofNew;
    }),
    loadFile: afterPrompt(async ref => {
      const column = nameOf(ref.column);
      const hex = await prompts.pickFile(column);
      return hex === undefined
        ? undefined
        : { label: vscode.l10n.t('Load File'), values: [[column, { kind: 'blob', hex }]] };
    }),
    pickReference: afterPrompt(async ref => {
      await editing.schema();
      const key = editing.foreignKeyOf(nameOf(ref.column), run.keyOf(ref.column)?.references?.table);
      const values = key && (await prompts.pickReference(key.table, key.targets));
      if (!values) return undefined;
      // All columns of the key change together: a part of it would refer to another row, or to none.
      const label = vscode.l10n.t('Edit {0}', key.columns.join(', '));
      return { label, values: key.columns.map((name, index) => [name, values[index]!] as const) };
    }),
    addRow: inOrder(async ref => {
      requireEditable(ref);
      await document.edit(vscode.l10n.t('Add Row'), () => editing.addRow());
    }),
    duplicateRows: afterSave(async ref => {
      const rows = (await cellsOf(ref, ref.ranges, rowsOf)).flatMap(range => range.rows);
      await document.edit(vscode.l10n.t('Duplicate Rows'), () => editing.duplicate(rows));
    }),
    deleteRows: afterSave(async ref => {
      const rows = (await cellsOf(ref, ref.ranges, rowsOf)).flatMap(range => range.rows);
      for (const row of rows) requireNoEqualRow(row);
      await document.edit(vscode.l10n.t('Delete Rows'), () => editing.delete(rows));
    }),
    revertCells: inOrder(async ref => {
      for (const { rows, columns } of await cellsOf(ref, ref.ranges, rowsOf)) {
        const ids = rows.flatMap(row => editing.idOf(row) ?? []);
        const names = columns.map(nameOf);
        const texts = ids.flatMap(rowId => names.map(column => ({ rowId, column })));
        await document.edit(vscode.l10n.t('Revert'), () => (ref.onlyTexts ? [] : editing.revert(ids, names)), texts);
      }
    }),
    undo: inOrder(async ref => {
      requireEditable(ref);
      await actions.undo(ref.isRedo);
    }),
    discardEdits: async ref => {
      requireEditable(ref);
      await actions.discard();
    },
    saveEdits: async ref => {
      requireEditable(ref);
      // VS Code saves only a document that it knows to be edited, so wait for the edits.
      await calls.run(() => Promise.resolve());
      await actions.save();
    },
    checkOutcome: async ref => {
      requireEditable(ref);
      await actions.checkOutcome();
    },
    // Other calls go on while the list is open.
    reviewEdits: () => calls.run(() => Promise.resolve(void actions.review())),
    goToProblem: async ref => {
      const next = await calls.run(() => {
        // The rows may be in another order since a save. The problem is found by its row in any case.
        requireEditable({ runId: ref.runId });
        return tour.next(ref, ref.backwards);
      });
      if (!next || 'row' in next) return next ?? null;
      // No cell shows a text whose row is gone, so the user can take it back only here.
      const { rowId, column } = next;
      const typed = editing.texts.of(rowId).find(text => text.column === column);
      if (!typed) throw rowHidden();
      if (await prompts.confirmTakeBack(typed, { shows: 'edits', run: () => actions.review() }))
        await document.edit(vscode.l10n.t('Revert'), () => [], [{ rowId, column: typed.column }]);
      return null;
    },
  });
}

/** The value that a text stands for, or why it stands for none. A column may still refuse the value. */
type CheckedValue = { readonly value: EditValue } | { readonly fault: ValueFault };

/** The cells of an edit: those with values, and those whose texts are refused. */
interface CheckedCells {
  readonly targets: CellTarget[];
  readonly refusals: Refusal[];
}

/** No cell is known that could keep the text, so the message has it. */
const withText = (thrown: unknown, text: string): Error =>
  misuse(asProjectError(thrown)?.code ?? 'not_taken', `${messageOf(thrown)} ${oneLine(text, 100)}`);

type ChoiceRef = ParamsOf<typeof editingMethods.loadFile>;

interface ChosenValues {
  readonly label: string;
  readonly values: readonly (readonly [column: string, value: EditValue])[];
}

const cellCountOf = (ranges: readonly CellRange[]): number =>
  ranges.reduce((sum, { firstRow, endRow, columns }) => sum + (endRow - firstRow) * Math.max(1, columns.length), 0);

interface RangeCells {
  readonly rows: readonly EditedRow[];
  readonly columns: readonly number[];
}

async function cellsOf(
  ref: PlaceRef,
  ranges: readonly CellRange[],
  rowsOf: (ref: PlaceRef, numbers: readonly number[], firstId: number) => Promise<EditedRow[]>,
): Promise<RangeCells[]> {
  requireFewCells(cellCountOf(ranges));
  const cells: RangeCells[] = [];
  let firstId = 0;
  for (const { firstRow, endRow, columns } of ranges) {
    cells.push({ rows: await rowsOf(ref, numbersFrom(firstRow, endRow - firstRow), firstId), columns });
    firstId += endRow - firstRow;
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
