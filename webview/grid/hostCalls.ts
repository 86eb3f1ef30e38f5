import { ProjectError } from '../../src/base/errors.ts';
import type { AnswerOf, ParamsOf } from '../../src/protocol/bridge.ts';
import type { BridgeClient } from '../../src/protocol/bridgeClient.ts';
import type { GridEvents, GridMethods } from '../../src/protocol/gridBridge.ts';
import type { Arrangement, CellRange, FindStep } from '../../src/protocol/rowQueries.ts';

export type CallHost = BridgeClient<GridMethods, GridEvents>['call'];

/** The parameters of a method, without those that name the result and the order of its rows. */
type RequestOf<Name extends keyof GridMethods> = Omit<ParamsOf<GridMethods[Name]>, 'runId' | 'orderVersion'>;
type PromiseOf<Name extends keyof GridMethods> = Promise<AnswerOf<GridMethods[Name]>>;

export type CellRequest = RequestOf<'cell'>;

/** The grid's calls about one result. Row numbers refer to the order in which the grid shows the rows. */
export class HostCalls {
  readonly #call: CallHost;
  readonly #runId: string;
  orderVersion: number;

  constructor(call: CallHost, runId: string, orderVersion: number) {
    this.#call = call;
    this.#runId = runId;
    this.orderVersion = orderVersion;
  }

  arrange(arrangement: Arrangement, signal: AbortSignal): PromiseOf<'arrange'> {
    return this.#call('arrange', { runId: this.#runId, arrangement }, signal);
  }

  find(step: FindStep, signal: AbortSignal): PromiseOf<'find'> {
    return this.#call('find', { ...this.#place(), step }, signal);
  }

  summarize(ranges: readonly CellRange[], signal: AbortSignal): PromiseOf<'summarize'> {
    return this.#call('summarize', { ...this.#place(), ranges }, signal);
  }

  values(query: RequestOf<'values'>['query'], signal: AbortSignal): PromiseOf<'values'> {
    return this.#call('values', { runId: this.#runId, query }, signal);
  }

  cell(request: CellRequest, signal: AbortSignal): PromiseOf<'cell'> {
    return this.#call('cell', { ...this.#place(), ...request }, signal);
  }

  copy(request: RequestOf<'copy'>, signal: AbortSignal): PromiseOf<'copy'> {
    return this.#call('copy', { ...this.#place(), ...request }, signal);
  }

  chooseColumns(columns: readonly number[], shown: readonly number[]): PromiseOf<'chooseColumns'> {
    return this.#call('chooseColumns', { runId: this.#runId, columns, shown });
  }

  showFilterRow(shown: boolean): PromiseOf<'showFilterRow'> {
    return this.#call('showFilterRow', { shown });
  }

  promptForRow(): PromiseOf<'promptForRow'> {
    return this.#call('promptForRow', { runId: this.#runId });
  }

  editedValue(request: RequestOf<'editedValue'>): PromiseOf<'editedValue'> {
    return this.#call('editedValue', { ...this.#place(), ...request });
  }

  holdText(request: RequestOf<'holdText'>): PromiseOf<'holdText'> {
    return this.#call('holdText', { ...this.#place(), ...request });
  }

  editCells(request: RequestOf<'editCells'>): PromiseOf<'editCells'> {
    return this.#call('editCells', { ...this.#place(), ...request });
  }

  setCells(request: RequestOf<'setCells'>): PromiseOf<'setCells'> {
    return this.#call('setCells', { ...this.#place(), ...request });
  }

  fillDown(request: RequestOf<'fillDown'>): PromiseOf<'fillDown'> {
    return this.#call('fillDown', { ...this.#place(), ...request });
  }

  pasteCells(request: RequestOf<'pasteCells'>): PromiseOf<'pasteCells'> {
    return this.#call('pasteCells', { ...this.#place(), ...request });
  }

  loadFile(request: RequestOf<'loadFile'>): PromiseOf<'loadFile'> {
    return this.#call('loadFile', { ...this.#place(), ...request });
  }

  pickReference(request: RequestOf<'pickReference'>): PromiseOf<'pickReference'> {
    return this.#call('pickReference', { ...this.#place(), ...request });
  }

  addRow(): PromiseOf<'addRow'> {
    return this.#call('addRow', { runId: this.#runId });
  }

  undo(isRedo: boolean): PromiseOf<'undo'> {
    return this.#call('undo', { runId: this.#runId, isRedo });
  }

  duplicateRows(request: RequestOf<'duplicateRows'>): PromiseOf<'duplicateRows'> {
    return this.#call('duplicateRows', { ...this.#place(), ...request });
  }

  deleteRows(request: RequestOf<'deleteRows'>): PromiseOf<'deleteRows'> {
    return this.#call('deleteRows', { ...this.#place(), ...request });
  }

  revertCells(request: RequestOf<'revertCells'>): PromiseOf<'revertCells'> {
    return this.#call('revertCells', { ...this.#place(), ...request });
  }

  showReferencing(row: number): PromiseOf<'showReferencing'> {
    return this.#call('showReferencing', { ...this.#place(), row });
  }

  goToProblem(request: RequestOf<'goToProblem'>): PromiseOf<'goToProblem'> {
    return this.#call('goToProblem', { ...this.#place(), ...request });
  }

  saveEdits(): PromiseOf<'saveEdits'> {
    return this.#call('saveEdits', { runId: this.#runId });
  }

  /** Asks for a row of a browsed table, which may not be loaded yet. The event `goTo` shows it. */
  askRow(): PromiseOf<'askRow'> {
    return this.#call('askRow');
  }

  /** Goes to the statement of a line in a script log, or to its error. */
  goToLine(row: number, error: boolean): PromiseOf<'goToLine'> {
    return this.#call('goToLine', { ...this.#place(), row, error });
  }

  /** Opens the row that the foreign key in a cell refers to. */
  follow(row: number, column: number): PromiseOf<'follow'> {
    return this.#call('follow', { ...this.#place(), row, column });
  }

  /** `ranges` are the selected cells, if there are several. */
  export(columns: readonly number[], ranges: readonly CellRange[]): PromiseOf<'export'> {
    const selection = ranges.length > 0 ? { orderVersion: this.orderVersion, ranges } : undefined;
    return this.#call('export', { runId: this.#runId, columns, ...(selection && { selection }) });
  }

  #place(): { readonly runId: string; readonly orderVersion: number } {
    return { runId: this.#runId, orderVersion: this.orderVersion };
  }
}

/** Whether the rows moved during a call. The event with the new order repeats the call. */
export const isOutdated = (thrown: unknown): boolean => thrown instanceof ProjectError && thrown.code === 'stale_order';
