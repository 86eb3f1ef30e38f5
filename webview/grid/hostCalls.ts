import { ProjectError } from '../../src/base/errors.ts';
import { type CellPart, decodeCellPart, resultsMethods } from '../../src/protocol/results.ts';
import {
  type Arrangement,
  type CellRange,
  type CopyFormat,
  decodeColumns,
  decodeFound,
  decodeSummary,
  type FindStep,
  type Found,
  type Summary,
} from '../../src/protocol/rowQueries.ts';

export type CallHost = (method: string, params: object, signal?: AbortSignal) => Promise<unknown>;

export interface CopyRequest {
  readonly ranges: readonly CellRange[];
  readonly format: CopyFormat;
  readonly headers: boolean;
}

export interface CellRequest {
  readonly row: number;
  readonly column: number;
  /** In characters. */
  readonly most: number;
}

/** What the grid of one result asks of the host, in the order that the rows stand in when it asks. */
export class HostCalls {
  readonly #call: CallHost;
  readonly #runId: string;
  /** The order that rows and places are counted in. */
  order: number;

  constructor(call: CallHost, runId: string, order: number) {
    this.#call = call;
    this.#runId = runId;
    this.order = order;
  }

  async arrange(arrangement: Arrangement, signal: AbortSignal): Promise<void> {
    await this.#ask(resultsMethods.arrange, { arrangement }, signal);
  }

  async find(step: FindStep, signal: AbortSignal): Promise<Found> {
    return known(decodeFound(await this.#ask(resultsMethods.find, { step, order: this.order }, signal)));
  }

  async summarize(ranges: readonly CellRange[], signal: AbortSignal): Promise<Summary> {
    return known(decodeSummary(await this.#ask(resultsMethods.summarize, { ranges, order: this.order }, signal)));
  }

  async cell(request: CellRequest, signal: AbortSignal): Promise<CellPart> {
    return known(decodeCellPart(await this.#ask(resultsMethods.cell, { ...request, order: this.order }, signal)));
  }

  async copy(request: CopyRequest, signal: AbortSignal): Promise<void> {
    await this.#ask(resultsMethods.copy, { ...request, order: this.order }, signal);
  }

  /** Undefined when the user would rather leave them as they are. */
  async chooseColumns(columns: readonly number[], shown: readonly number[]): Promise<readonly number[] | undefined> {
    return decodeColumns(await this.#ask(resultsMethods.chooseColumns, { columns, shown }));
  }

  async export(columns: readonly number[]): Promise<void> {
    await this.#ask(resultsMethods.export, { columns });
  }

  #ask(method: string, params: object, signal?: AbortSignal): Promise<unknown> {
    return this.#call(method, { runId: this.#runId, ...params }, signal);
  }
}

/** Whether rows came to stand elsewhere while the host was asked. The message that says so has it asked again. */
export const isOutdated = (thrown: unknown): boolean => thrown instanceof ProjectError && thrown.code === 'stale_order';

function known<T>(answer: T | undefined): T {
  if (answer === undefined) throw new ProjectError('protocol', 'bad_answer', 'The host gave no answer to that.');
  return answer;
}
