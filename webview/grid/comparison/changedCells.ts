import { t } from '@vscode/l10n';
import type { Comparison, GridColumn } from '../../../src/protocol/results.ts';
import type { ColumnFilter } from '../../../src/protocol/rowQueries.ts';
import { type ShownValue, textOf } from '../../../src/protocol/shownValues.ts';
import { element, setAttribute } from '../../ui/element.ts';
import { shownTextOf } from '../values/cellContent.ts';

/** The column with the names of the columns that changed in a row. */
const changesColumn = 1;

/** The value of a changed cell before, and the storage classes if nothing else shows the change. */
interface CellChange {
  readonly before: ShownValue;
  readonly classes?: readonly [before: string, after: string];
}

/** Finds the changed cells in the rows of a comparison. */
export class ChangedCells {
  readonly comparison: () => Comparison;
  readonly #beforeOf: ReadonlyMap<number, number>;
  readonly #columns: readonly GridColumn[];

  constructor(comparison: () => Comparison, columns: readonly GridColumn[]) {
    this.comparison = comparison;
    this.#columns = columns;
    this.#beforeOf = new Map(comparison().changes.map(({ column, before }) => [column, before]));
  }

  /** The columns that are drawn in the cells of others. The user may show them, too. */
  get hiddenColumns(): number[] {
    return this.#beforeOf.size === 0 ? [] : [changesColumn, ...this.#beforeOf.values()];
  }

  /** Whether a change has been found in the column. */
  isChanged(column: number): boolean {
    return this.comparison().summary?.changedColumns.includes(column) ?? this.#beforeOf.has(column);
  }

  /** Each column with changes before the column with its values before. */
  withBefore(columns: readonly number[]): number[] {
    return columns.flatMap(column => {
      const before = this.isChanged(column) ? this.#beforeOf.get(column) : undefined;
      return before === undefined || columns.includes(before) ? [column] : [column, before];
    });
  }

  /** The filter for the rows in which a column changed. Undefined for a column without changes. */
  filterOf(column: number): ColumnFilter | undefined {
    const text = JSON.stringify(this.#columns[column]?.name);
    return this.isChanged(column) ? { kind: 'contains', column: changesColumn, text } : undefined;
  }

  /** A value with the room that a changed cell needs. */
  measured(row: readonly ShownValue[], column: number): ShownValue {
    const value = row[column]!;
    const change = this.of(row, column);
    if (!change) return value;
    const { type = '' } = this.#columns[column] ?? {};
    const texts = [shownTextOf(change.before, type), change.classes?.join(' '), '→', shownTextOf(value, type)];
    return { kind: 'text', text: texts.filter(Boolean).join(' ') };
  }

  of(row: readonly ShownValue[], column: number): CellChange | undefined {
    const before = row[this.#beforeOf.get(column) ?? -1];
    const changes = row[changesColumn];
    if (!before || changes?.kind !== 'json') return undefined;
    const name = this.#columns[column]?.name ?? '';
    // The list of a row with many changes is cut. Then the values tell.
    if (changes.length !== undefined) return textOf(before) === textOf(row[column]!) ? undefined : { before };
    const entry = (JSON.parse(changes.text) as (string | [string, string, string])[]).find(
      other => other === name || other[0] === name,
    );
    if (entry === undefined) return undefined;
    return typeof entry === 'string' ? { before } : { before, classes: [entry[1], entry[2]] };
  }
}

/** Shows the value before in front of the value. Attributes, so that Find takes no value before for one of the result. */
export function showChange(cell: HTMLElement, change: CellChange | undefined, type: string): void {
  setAttribute(cell, 'data-changed', change && '');
  if (!change) return;
  const [classBefore, classAfter] = change.classes ?? [];
  const text = [shownTextOf(change.before, type), classBefore].filter(Boolean).join(' ');
  const before = element('span', 'value-before');
  before.dataset['text'] = text;
  cell.prepend(before);
  setAttribute(cell, 'data-class', classAfter);
  const descriptions = [cell.getAttribute('aria-description'), classAfter, t('changed from {0}', text)];
  cell.setAttribute('aria-description', descriptions.filter(Boolean).join(', '));
}
