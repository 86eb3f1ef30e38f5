import { asProjectError } from '../../base/errors.ts';
import { untilAborted } from '../../base/untilAborted.ts';
import type { Project, RowBatch } from '../../client/index.ts';
import type { SearchProgress } from '../../protocol/results.ts';
import { asServiceError } from '../../wire/serviceError.ts';
import { type Column, exactText, type SqlValue } from '../../wire/values.ts';
import type { BrowsedTable } from '../browsing/browsedTable.ts';
import type { CatalogColumn } from '../catalog/catalog.ts';
import { type SpooledRunParts, StatementRun, type StatementRunParts } from '../results/statementRun.ts';
import { type FoundCell, rowsPerSign, type SearchRequest, searchStatements, shownKey } from './searchStatement.ts';

interface SearchLimits {
  /** The time for each table. */
  readonly tableMs: number;
  /** The cells that are found in each table, and in all of them. */
  readonly tableCells: number;
  readonly allCells: number;
}

/** Why a table was not searched to its end, or a search not to its last table. */
export type SearchNote =
  | { readonly kind: 'time'; readonly rows: number }
  | { readonly kind: 'cells' }
  | { readonly kind: 'allCells'; readonly tables: number }
  | { readonly kind: 'fault'; readonly fault: unknown };

interface SearchParts extends SpooledRunParts {
  readonly project: Project;
  readonly columnsOf: (table: string) => Promise<readonly CatalogColumn[]>;
  readonly request: SearchRequest;
  readonly limits: SearchLimits;
  /** The names of the columns of the result: table, column, row, value and note. */
  readonly names: readonly [string, string, string, string, string];
  readonly noteText: (note: SearchNote) => string;
}

const valueColumn = 3;
/** Comes with the first note. */
const noteColumn = 4;

/** The columns of so many tables are fetched before their turn, so that a distant service delays no table for them. */
const tablesAhead = 4;

type SendOptions = Parameters<StatementRunParts['send']>[0];

/** Searches tables one after another. The rows of its run are the found cells, and notes on tables that were not searched to their end. */
export class TableSearch {
  readonly run: StatementRun;
  readonly #parts: SearchParts;
  #searchedTables = 0;
  /** The table that is searched now. */
  #table: string | undefined;
  /** The cell of each row of the run. */
  readonly #cells: (FoundCell | undefined)[] = [];
  #hasNotes = false;
  #foundCells = 0;

  constructor(parts: SearchParts) {
    this.#parts = parts;
    const columns = parts.names.map((name, nth): Column => ({ name, type: '', key: `c${nth}` }));
    const shownColumns = (): readonly Column[] => (this.#hasNotes ? columns : columns.slice(0, noteColumn));
    this.run = new StatementRun({
      ...parts,
      limits: { maxRows: Infinity, maxBytes: Infinity },
      send: async options => ({
        get columns() {
          return shownColumns();
        },
        rawBatches: () => this.#batches(options),
      }),
    });
  }

  get progress(): SearchProgress {
    const { text, tables } = this.#parts.request;
    return {
      text,
      column: valueColumn,
      tables: tables.length,
      searched: this.#searchedTables,
      table: this.#table,
    };
  }

  /** The cell in a row of the run, in the order in which they arrived. Undefined for a note. */
  cellAt(row: number): FoundCell | undefined {
    return this.#cells[row];
  }

  async *#batches(options: SendOptions): AsyncGenerator<RowBatch, void, undefined> {
    const { request, columnsOf, limits } = this.#parts;
    const fetched: Promise<readonly CatalogColumn[]>[] = [];
    for (const [nth, table] of request.tables.entries()) {
      this.#table = table.name;
      options.onProgress();
      for (const { name } of request.tables.slice(fetched.length, nth + tablesAhead)) {
        const columns = columnsOf(name);
        // The turn of the table reports the fault.
        columns.catch(() => undefined);
        fetched.push(columns);
      }
      yield* this.#searchTable(table, fetched[nth]!, options);
      this.#searchedTables++;
      const left = request.tables.length - this.#searchedTables;
      if (this.#foundCells >= limits.allCells && left > 0) {
        yield this.#note(table, { kind: 'allCells', tables: left });
        break;
      }
    }
    this.#table = undefined;
  }

  /** A fault of the table alone becomes a note. */
  async *#searchTable(
    table: BrowsedTable,
    columns: Promise<readonly CatalogColumn[]>,
    { signal, onWait, onProgress }: SendOptions,
  ): AsyncGenerator<RowBatch, void, undefined> {
    const { project, request, limits, clock } = this.#parts;
    const timeOver = new AbortController();
    const cancelTimer = clock.after(limits.tableMs, () => timeOver.abort());
    const timed = AbortSignal.any([signal, timeOver.signal]);
    const maxCells = Math.min(limits.tableCells, limits.allCells - this.#foundCells);
    let tableCells = 0;
    let signs = 0;
    try {
      for (const statement of searchStatements(table, await untilAborted(columns, timed), request)) {
        await using scanner = await project.stream(statement.sql, statement.params, {
          signal: timed,
          isReadOnly: true,
          onWait,
        });
        signs = 0;
        for await (const rows of scanner.batches()) {
          const found = rows.map(row => statement.foundIn(row));
          signs += found.filter(cells => cells.length === 0).length;
          const cells = found.flat().slice(0, maxCells - tableCells);
          tableCells += cells.length;
          this.#foundCells += cells.length;
          if (cells.length > 0) yield this.#batch(cells);
          // Closing the scanner ends the statement.
          if (tableCells === maxCells) break;
          onProgress();
        }
        const fault = scanner.err();
        if (fault) throw fault;
        if (tableCells === maxCells) break;
      }
      if (tableCells === limits.tableCells) yield this.#note(table, { kind: 'cells' });
    } catch (thrown) {
      if (signal.aborted || (!timeOver.signal.aborted && endsSearch(thrown))) throw thrown;
      const note = { kind: 'time', rows: signs * rowsPerSign } as const;
      yield this.#note(table, timeOver.signal.aborted ? note : { kind: 'fault', fault: thrown });
    } finally {
      cancelTimer();
    }
  }

  #note({ name }: BrowsedTable, note: SearchNote): RowBatch {
    this.#hasNotes = true;
    return this.#batch([undefined], [name, null, null, null, this.#parts.noteText(note)]);
  }

  /** Without a cell, a row has the values of a note. */
  #batch(cells: readonly (FoundCell | undefined)[], note: readonly SqlValue[] = []): RowBatch {
    this.#cells.push(...cells);
    const texts = cells.map(cell => {
      const values = cell ? [cell.table.name, cell.column, shownKey(cell), cell.value, null] : note;
      return `{${values.map((value, nth) => `"c${nth}":${exactText(value)}`).join(',')}}`;
    });
    return { bytes: Buffer.from(texts.join(',')), rowCount: cells.length };
  }
}

/** Whether every other table would have the fault, too: nobody answers, or the key does not open the project. */
function endsSearch(thrown: unknown): boolean {
  const service = asServiceError(thrown);
  if (service) return service.status === 401 || service.status === 403 || service.code === 'project_not_found';
  return asProjectError(thrown)?.kind !== 'protocol';
}
