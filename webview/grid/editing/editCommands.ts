import { t } from '@vscode/l10n';
import { isJsonContainer } from '../../../src/base/jsonText.ts';
import { type EditingView, type Edited, maxNamedRows, maxTypedLength } from '../../../src/protocol/browsing.ts';
import type { EditValue, TypedKind } from '../../../src/protocol/editValues.ts';
import type { CellRange } from '../../../src/protocol/rowQueries.ts';
import { textOf } from '../../../src/protocol/shownValues.ts';
import { isBlobType } from '../../../src/wire/values.ts';
import type { MenuItem } from '../../ui/menu.ts';
import type { Shortcut } from '../../ui/keys.ts';
import { visibleText } from '../../ui/visibleText.ts';
import type { GridParts } from '../gridView.ts';
import type { HostCalls } from '../hostCalls.ts';
import { activeCellId, problemAt } from '../rows/gridRow.ts';
import { type Cell, cellBeside } from '../selection/selection.ts';
import { isBase64 } from '../values/blob.ts';
import { CellEditor, type NextCell } from './cellEditor.ts';
import { KeyTurns, refused } from './keyTurns.ts';

export const nextProblemKeys: Shortcut = 'F8';
export const previousProblemKeys: Shortcut = 'Shift+F8';

export const nullValue: EditValue = { kind: 'null' };
export const emptyText: EditValue = { kind: 'text', text: '' };
export const defaultValue: EditValue = { kind: 'default' };

interface EditCommandsOptions extends GridParts {
  readonly parent: HTMLElement;
  /** Fetches a row and activates a cell of it. */
  readonly jump: (row: number, column: number | undefined) => Promise<void>;
  /** Says something to screen readers. */
  readonly announce: (text: string) => void;
}

/** An open field with its cell, wherever the cell is shown. */
interface OpenField {
  readonly editor: CellEditor;
  readonly cell: NamedCell;
  /** Whether the host was given its typed text to keep. */
  isKept: boolean;
}

/** A cell as calls name it. */
interface NamedCell {
  readonly row: number;
  readonly column: number;
  readonly ids?: readonly string[];
  readonly orderVersion: number;
}

/** The commands that edit cells and rows. They are in one class, because each may need the open field and the turns. */
export class EditCommands {
  readonly #options: EditCommandsOptions;
  readonly #turns: KeyTurns;
  #editing: EditingView | undefined;
  #field: OpenField | undefined;
  /** Typed texts that were not sent yet, by their cells. */
  readonly #unkept = new Map<string, { readonly cell: NamedCell; readonly text: string | undefined }>();
  #isKeeping = false;
  #leavesByTab = false;

  constructor(options: EditCommandsOptions) {
    this.#options = options;
    const { view, cache, selection, onFailed } = options;
    const { root } = view;
    this.#turns = new KeyTurns({
      isShown: version => {
        const { row } = selection.active;
        const [first, end] = view.visibleRows();
        const isInView = row >= first && row < end;
        return (this.#editing?.version ?? 0) >= version && (!isInView || cache.isCurrent(row));
      },
      onFailed,
    });
    root.addEventListener('paste', event => {
      const text = event.clipboardData?.getData('text/plain');
      if (!this.#editing || text === undefined || text === '') return;
      event.preventDefault();
      const paste = (): void => (this.#field ? this.#field.editor.insert(text) : this.#paste(text));
      if (!this.#turns.hold(paste)) paste();
    });
    root.addEventListener('scroll', () => this.#placeField(), { passive: true });
  }

  /** Whether the rows are those of a table. Its cells can be edited unless there is a reason against it. */
  get isOffered(): boolean {
    return this.#editing !== undefined;
  }

  get isEditable(): boolean {
    return this.#editing !== undefined && this.#editing.readOnly === undefined;
  }

  get movesByTab(): boolean {
    return this.isEditable && !this.#leavesByTab;
  }

  /** Has Tab leave the grid, or go to the next cell again. */
  switchTab(): void {
    this.#leavesByTab = !this.#leavesByTab;
    this.#options.announce(this.#leavesByTab ? t('Tab leaves the grid') : t('Tab goes to the next cell'));
  }

  show(editing: EditingView | undefined): void {
    this.#editing = editing;
    this.#options.view.setEditable(this.isEditable);
    this.#turns.check();
  }

  /** Rows have come, perhaps in another order. An open field moves with its row. */
  onRows(): void {
    this.#followRow();
    this.#turns.check();
  }

  /** Holds a key during a turn. A key that needs rows also waits for the outcome of earlier keys. Returns whether it is held. */
  hold(event: KeyboardEvent, needsRows: boolean): boolean {
    if (!this.isEditable) return false;
    if (needsRows && !this.#turns.isTaken && this.#turns.hasPending) void this.#turns.take();
    return this.#turns.hold(() => {
      if (this.#field) this.#field.editor.press(event);
      else this.#options.view.root.dispatchEvent(new KeyboardEvent('keydown', event));
    });
  }

  /** Opens the active cell for editing. `typed` is the first character that the user typed. */
  async edit(typed?: string): Promise<void> {
    if (!this.#require()) return;
    const { view, selection, layout, cache } = this.#options;
    const { active } = selection;
    const column = layout.columnAt(active.position);
    const shown = cache.get(active.row)?.[column];
    // Typed text replaces any value. Waiting for the value would lose the next keys.
    if (typed !== undefined && cache.idOf(active.row) !== undefined) {
      return this.#open(active, { typed, text: shown ? textOf(shown) : '', kind: undefined });
    }
    await this.#turns.take(async () => {
      view.reveal(active);
      await this.#turns.until(() => this.#turns.isSettled && cache.isCurrent(active.row));
      const value = await this.#valueOf(active.row, column);
      if (selection.active === active) this.#open(active, { typed, ...value });
    });
  }

  #open(
    { row, position }: Cell,
    { typed, text, kind }: { typed: string | undefined; text: string; kind: TypedKind | undefined },
  ): void {
    const { parent, view, layout, cache } = this.#options;
    const column = layout.columnAt(position);
    const cell = this.#named(row, column);
    const shown = cache.get(row)?.[column];
    this.#field?.editor.finish();
    const editor = new CellEditor({
      column: visibleText(view.columns[column]?.name ?? ''),
      text,
      isNull: shown?.kind === 'null',
      kind,
      typedText: typed,
      isJson: /json/i.test(view.columns[column]?.type ?? '') || (typed === undefined && isJsonContainer(text)),
      problem: this.activeProblem,
      isRefused: this.#hasRefusedText(row, column),
      onTyped: typedText => this.#keep(field, typedText),
      commit: (value, chosenKind, toAll) => this.#commit(cell, value, chosenKind, toAll),
      save: () => this.save(),
      onClose: next => this.#onClosed(field, next),
    });
    const field: OpenField = { editor, cell, isKept: false };
    this.#field = field;
    parent.append(editor.root);
    view.settle();
    const activeCell = document.getElementById(activeCellId);
    if (activeCell) editor.open(activeCell.getBoundingClientRect(), view.root.getBoundingClientRect());
    else editor.cancel();
  }

  /** Returns false if the table cannot be edited. */
  open(): boolean {
    if (!this.isEditable) return false;
    void this.edit();
    return true;
  }

  setCells(value: EditValue): void {
    this.#send(calls => calls.send('setCells', { ...this.#selected(), value }));
  }

  fillDown(): void {
    this.#send(calls => calls.send('fillDown', this.#selected()));
  }

  revert(): void {
    this.#send(calls => calls.send('revertCells', { ...this.#selected(), onlyTexts: false }));
  }

  /** Reverts a refused text in the active cell. Returns false if there is none. */
  revertText(): boolean {
    const { selection, layout } = this.#options;
    const { row, position } = selection.active;
    const isRefused = this.#hasRefusedText(row, layout.columnAt(position));
    if (isRefused) this.#send(calls => calls.send('revertCells', { ...this.#selected(), onlyTexts: true }));
    return isRefused;
  }

  addRow(): void {
    this.#takeTurn(calls => calls.send('addRow', {}), 'needed');
  }

  duplicateRows(): void {
    this.#takeTurn(calls => calls.send('duplicateRows', this.#selected()), 'same');
  }

  deleteRows(): void {
    this.#takeTurn(calls => calls.send('deleteRows', this.#selected()));
  }

  undo(isRedo: boolean): void {
    this.#takeTurn(calls => calls.send('undo', { isRedo }));
  }

  /** Whether an edit has no answer yet, or the page does not show its outcome yet. */
  get hasPending(): boolean {
    return this.#turns.hasPending;
  }

  save(): void {
    if (this.#require()) this.#options.calls.send('saveEdits', {}).catch(this.#options.onFailed);
  }

  goToProblem(backwards: boolean): void {
    if (!this.hasProblems || !this.#require()) return;
    const { calls, selection, layout, jump } = this.#options;
    const { row, position } = selection.active;
    void this.#turns.take(async () => {
      const next = await calls.send('goToProblem', { row, column: layout.columnAt(position), backwards });
      if (next) await jump(next.row, next.column);
    });
  }

  get hasProblems(): boolean {
    return (this.#editing?.problems ?? 0) > 0;
  }

  /** The problem of the active cell or of its row. */
  get activeProblem(): string | undefined {
    const { cache, selection, layout } = this.#options;
    const edits = cache.editsOf(selection.active.row);
    return problemAt(edits, layout.columnAt(selection.active.position)) ?? problemAt(edits, undefined);
  }

  menuItems(): MenuItem[] {
    if (!this.isEditable) return [];
    const { selection, layout, view } = this.#options;
    const column = layout.columnAt(selection.active.position);
    const { canBeNull = false, defaultValue: defaultSql, references } = this.#editing?.columns[column] ?? {};
    return [
      {
        label: t('Edit'),
        items: [
          {
            label: t('Edit {0}', visibleText(view.columns[column]?.name ?? '')),
            keys: 'F2',
            run: () => void this.edit(),
          },
          { label: t('Set NULL'), keys: 'Delete', disabled: !canBeNull, run: () => this.setCells(nullValue) },
          { label: t('Set Empty Text'), keys: 'Backspace', run: () => this.setCells(emptyText) },
          {
            label: defaultSql === undefined ? t('Set Default') : `${t('Set Default')}: ${visibleText(defaultSql)}`,
            keys: 'Shift+Delete',
            run: () => this.setCells(defaultValue),
          },
          { label: t('Load File…'), keys: 'Mod+O', run: () => this.loadFile() },
          ...(references === undefined
            ? []
            : [
                {
                  label: t('Choose Row of {0}…', visibleText(references)),
                  keys: 'F4' as const,
                  run: () => this.pickReference(),
                },
              ]),
          'line',
          { label: t('Fill Down'), keys: 'Mod+D', run: () => this.fillDown() },
          { label: t('Revert'), run: () => this.revert() },
          ...(this.hasProblems
            ? [
                'line' as const,
                { label: t('Next Problem'), keys: nextProblemKeys, run: () => this.goToProblem(false) },
                { label: t('Previous Problem'), keys: previousProblemKeys, run: () => this.goToProblem(true) },
              ]
            : []),
        ],
      },
      { label: t('Add Row'), keys: 'Insert', run: () => this.addRow() },
      { label: t('Duplicate Rows'), keys: 'Mod+Shift+D', run: () => this.duplicateRows() },
      { label: t('Delete Rows'), keys: 'Mod+Delete', run: () => this.deleteRows() },
      'line',
    ];
  }

  loadFile(): void {
    this.#choose((calls, cell) => calls.send('loadFile', cell));
  }

  pickReference(): void {
    this.#choose((calls, cell) => calls.send('pickReference', cell));
  }

  /** The user chooses a value for the active cell in VS Code. */
  #choose(call: (calls: HostCalls, cell: NamedCell) => Promise<Edited>): void {
    if (!this.#require()) return;
    const { selection, layout, calls, restoreFocus, onFailed } = this.#options;
    const { row, position } = selection.active;
    // Keys do not wait for the choice.
    const chosen = call(calls, this.#named(row, layout.columnAt(position))).finally(restoreFocus);
    chosen.then(edited => this.#turns.send(Promise.resolve(edited))).catch(onFailed);
  }

  #paste(text: string): void {
    const { selection, layout } = this.#options;
    const { ranges } = this.#selected();
    const [range] = ranges;
    const row = range?.firstRow ?? selection.active.row;
    const first = range ? (layout.positionOf(range.columns[0]!) ?? 0) : selection.active.position;
    // Lines within quotes make the count too high, which does no harm.
    const ids = this.#idsOf(numbersFrom(row, text.split(/\r\n?|\n/).length));
    this.#send(calls => calls.send('pasteCells', { row, columns: layout.shown.slice(first), ranges, text, ...ids }));
  }

  /** Takes a typed text for a cell, or for all selected cells. The page shows the text while the host checks it. */
  #commit(cell: NamedCell, text: string, kind: TypedKind | undefined, toAll: boolean): void {
    if (!this.#require()) return;
    const { cache, view } = this.#options;
    this.#unkept.delete(nameOf(cell));
    const { row, column, ids, orderVersion } = cell;
    const edited = toAll
      ? this.#selected()
      : { ranges: [{ firstRow: row, endRow: row + 1, columns: [column] }], orderVersion, ...(ids && { ids }) };
    const onTaken = toAll ? undefined : cache.showTyped(ids ?? [], [column], text);
    view.refresh();
    this.#send(async calls => {
      try {
        return await calls.send('editCells', { ...edited, text, ...(kind && { kind }) });
      } finally {
        onTaken?.();
        view.refresh();
      }
    });
  }

  /** The host keeps the typed text of a field. While a call is pending, only the latest text waits. */
  #keep(field: OpenField, text: string | undefined): void {
    if (text === undefined && !field.isKept) return;
    field.isKept = text !== undefined;
    this.#unkept.set(nameOf(field.cell), { cell: field.cell, text });
    if (!this.#isKeeping) void this.#keepTexts();
  }

  async #keepTexts(): Promise<void> {
    const { calls, onFailed } = this.#options;
    this.#isKeeping = true;
    try {
      for (const [name, { cell, text }] of this.#unkept) {
        this.#unkept.delete(name);
        await calls.send('holdText', { ...cell, ...(text !== undefined && { text }) });
      }
    } catch (thrown) {
      onFailed(thrown);
    } finally {
      this.#isKeeping = false;
    }
  }

  /** The text for the editor, '' for NULL. `kind` is undefined if the column's type determines it. */
  async #valueOf(
    row: number,
    column: number,
  ): Promise<{ readonly text: string; readonly kind: TypedKind | undefined }> {
    const { cache, calls, view } = this.#options;
    const shown = cache.get(row)?.[column];
    // The service sends BLOBs as base64, in columns of any type.
    const mayBeBlob =
      !this.#hasRefusedText(row, column) &&
      shown?.kind === 'text' &&
      shown.text !== '' &&
      isBase64(shown.text, shown.length ?? shown.text.length);
    if (mayBeBlob) {
      const value = await calls.send('editedValue', { row, column });
      if (value.kind === 'blob') return { text: `x'${value.hex}'`, kind: 'blob' };
      const isForBlobs = isBlobType(view.columns[column]?.type ?? '');
      if (value.kind === 'text') return { text: value.text, kind: isForBlobs ? 'text' : undefined };
    }
    const isWhole = shown !== undefined && shown.length === undefined;
    const cell = { row, column, maxLength: maxTypedLength };
    const value = isWhole ? shown : await calls.send('cell', cell, new AbortController().signal);
    return { text: textOf(value), kind: undefined };
  }

  #onClosed(field: OpenField, next: NextCell | undefined): void {
    const { selection, view, layout, restoreFocus } = this.#options;
    if (this.#field === field) this.#field = undefined;
    if (next === undefined) return;
    const { active } = selection;
    const extent = { rows: view.rowCount, positions: layout.shown.length };
    const target =
      next === 'below'
        ? { ...active, row: Math.min(active.row + 1, view.rowCount - 1) }
        : cellBeside(active, next === 'left', extent);
    if (target && next !== 'same') {
      selection.start(target);
      view.reveal(target);
    }
    restoreFocus();
  }

  /** Moves the field with its row. If the row is no longer shown, the field ends, and its text goes to the row. */
  #followRow(): void {
    const { cache, view, selection } = this.#options;
    const [id] = this.#field?.cell.ids ?? [];
    const [first, end] = view.visibleRows();
    if (!this.#field || id === undefined || !cache.isCurrent(first) || !cache.isCurrent(end - 1)) return;
    const row = cache.rowOf(id);
    const { active } = selection;
    if (row === undefined) return this.#field.editor.finish();
    if (row === active.row) return;
    selection.start({ row, position: active.position });
    view.reveal(selection.active);
    this.#placeField();
  }

  /** Places the field over its cell again. If the cell is out of view, the field ends: it never covers another row. */
  #placeField(): void {
    const { view } = this.#options;
    if (!this.#field) return;
    view.settle();
    const cell = document.getElementById(activeCellId)?.getBoundingClientRect();
    const room = view.root.getBoundingClientRect();
    const isInView =
      cell && cell.bottom > room.top && cell.top < room.bottom && cell.right > room.left && cell.left < room.right;
    if (isInView) this.#field.editor.place(cell, room);
    else this.#field.editor.finish();
  }

  #hasRefusedText(row: number, column: number): boolean {
    const problems = this.#options.cache.editsOf(row)?.problems ?? [];
    return problems.some(problem => problem.column === column && problem.isText);
  }

  #selected(): { readonly ranges: CellRange[]; readonly ids?: readonly string[] } {
    const { selection, view, layout } = this.#options;
    const ranges = [...selection.ranges(view.rowCount, layout.shown)];
    const count = ranges.reduce((sum, { firstRow, endRow }) => sum + endRow - firstRow, 0);
    const rows =
      count > maxNamedRows ? [] : ranges.flatMap(range => numbersFrom(range.firstRow, range.endRow - range.firstRow));
    return { ranges, ...this.#idsOf(rows) };
  }

  #named(row: number, column: number): NamedCell {
    return { row, column, ...this.#idsOf([row]), orderVersion: this.#options.calls.orderVersion };
  }

  /** Empty unless all rows are loaded. */
  #idsOf(rows: readonly number[]): { readonly ids?: readonly string[] } {
    const ids = rows.flatMap(row => this.#options.cache.idOf(row) ?? []);
    return ids.length > 0 && ids.length === rows.length && ids.length <= maxNamedRows ? { ids } : {};
  }

  #send(call: (calls: HostCalls) => Promise<Edited>): void {
    if (this.#require()) void this.#turns.send(call(this.#options.calls));
  }

  /** Makes an edit that may change the shown rows. With `column`, activates the first row, which is new, at a column. */
  #takeTurn(call: (calls: HostCalls) => Promise<Edited>, column?: 'same' | 'needed'): void {
    if (!this.#require()) return;
    const { selection, view, calls, layout } = this.#options;
    void this.#turns.take(async () => {
      const isMade = await this.#turns.send(call(calls));
      await this.#turns.until(() => this.#turns.isSettled);
      if (!isMade || !column) return;
      const { columns = [] } = this.#editing ?? {};
      const needed = column === 'same' ? -1 : layout.shown.findIndex(shown => columns[shown]?.needsValue);
      selection.start({ row: 0, position: needed === -1 ? selection.active.position : needed });
      view.reveal(selection.active);
    });
  }

  /** Shows the reason if nothing can be edited. */
  #require(): boolean {
    const reason = this.#editing?.readOnly;
    if (reason !== undefined) this.#options.onFailed(refused(reason));
    return this.isEditable;
  }
}

const nameOf = ({ row, column, ids }: NamedCell): string => JSON.stringify([ids ?? row, column]);

const numbersFrom = (first: number, count: number): number[] =>
  Array.from({ length: Math.min(count, maxNamedRows + 1) }, (_, index) => first + index);
