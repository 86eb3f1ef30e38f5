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
export function tableSearch(parts: SearchParts) {
  const { project, columnsOf, request, limits, clock, noteText } = parts;
  let searchedTables = 0;
  /** The table that is searched now. */
  let current: string | undefined;
  /** The cell of each row of the run. */
  const allCells: (FoundCell | undefined)[] = [];
  let hasNotes = false;
  let foundCells = 0;
  const columns = parts.names.map((name, nth): Column => ({ name, type: '', key: `c${nth}` }));
  return {
    run: new StatementRun({
      ...parts,
      limits: { maxRows: Infinity, maxBytes: Infinity },
      send: async options => ({
        get columns() {
          return hasNotes ? columns : columns.slice(0, noteColumn);
        },
        rawBatches: () => batches(options),
      }),
    }),
    get progress(): SearchProgress {
      const { text, tables } = request;
      return { text, column: valueColumn, tables: tables.length, searched: searchedTables, table: current };
    },
    /** The cell in a row of the run, in the order in which they arrived. Undefined for a note. */
    cellAt: (row: number): FoundCell | undefined => allCells[row],
  };

  async function* batches(options: SendOptions): AsyncGenerator<RowBatch, void, undefined> {
    const fetched: Promise<readonly CatalogColumn[]>[] = [];
    for (const [nth, table] of request.tables.entries()) {
      current = table.name;
      options.onProgress();
      for (const { name } of request.tables.slice(fetched.length, nth + tablesAhead)) {
        const tableColumns = columnsOf(name);
        // The turn of the table reports the fault.
        tableColumns.catch(() => undefined);
        fetched.push(tableColumns);
      }
      yield* searchTable(table, fetched[nth]!, options);
      searchedTables++;
      const left = request.tables.length - searchedTables;
      if (foundCells >= limits.allCells && left > 0) {
        yield noteRow(table, { kind: 'allCells', tables: left });
        break;
      }
    }
    current = undefined;
  }

  /** A fault of the table alone becomes a note. */
  async function* searchTable(
    table: BrowsedTable,
    tableColumns: Promise<readonly CatalogColumn[]>,
    { signal, onWait, onProgress }: SendOptions,
  ): AsyncGenerator<RowBatch, void, undefined> {
    const timeOver = new AbortController();
    const cancelTimer = clock.after(limits.tableMs, () => timeOver.abort());
    const timed = AbortSignal.any([signal, timeOver.signal]);
    const maxCells = Math.min(limits.tableCells, limits.allCells - foundCells);
    let tableCells = 0;
    let signs = 0;
    try {
      for (const statement of searchStatements(table, await untilAborted(tableColumns, timed), request)) {
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
          foundCells += cells.length;
          if (cells.length > 0) yield batch(cells);
          // Closing the scanner ends the statement.
          if (tableCells === maxCells) break;
          onProgress();
        }
        const fault = scanner.err();
        if (fault) throw fault;
        if (tableCells === maxCells) break;
      }
      if (tableCells === limits.tableCells) yield noteRow(table, { kind: 'cells' });
    } catch (thrown) {
      if (signal.aborted || (!timeOver.signal.aborted && endsSearch(thrown))) throw thrown;
      const note = { kind: 'time', rows: signs * rowsPerSign } as const;
      yield noteRow(table, timeOver.signal.aborted ? note : { kind: 'fault', fault: thrown });
    } finally {
      cancelTimer();
    }
  }

  function noteRow({ name }: BrowsedTable, note: SearchNote): RowBatch {
    hasNotes = true;
    return batch([undefined], [name, null, null, null, noteText(note)]);
  }

  /** Without a cell, a row has the values of a note. */
  function batch(cells: readonly (FoundCell | undefined)[], note: readonly SqlValue[] = []): RowBatch {
    allCells.push(...cells);
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
