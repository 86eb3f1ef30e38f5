import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { isSameValue, type StoredValue } from '../../protocol/editValues.ts';
import { isSameName } from '../../sql/text/names.ts';
import { type ConstrainedTable, rowsThatBreakCheck, rowsWithTakenKeys } from './brokenConstraints.ts';
import type { CollatedKeyColumn, EditableColumn, EditableTable } from './editableTable.ts';
import type { CellEdit, PendingRow, UpdatedRow } from './pendingEdits.ts';
import { rowIdOfKey } from './rowIds.ts';
import { valuesAfter, valuesBefore } from './saveOrder.ts';
import { keyText, storedAs } from './storedAs.ts';

/** Rows whose keys other edited rows take are given temporary keys first, because SQLite checks keys with each row. */

/** Makes a temporary value for a column in the place of another one. */
type TemporaryValue = (column: EditableColumn, present: StoredValue) => StoredValue;

/** A row whose key another edited row takes. */
interface Move {
  readonly row: UpdatedRow;
  /** The columns that it leaves first, with values that no row has. */
  readonly freeValues: ReadonlyMap<string, StoredValue>;
}

export type Moves = ReadonlyMap<string, Move>;

/** The rows to move away, by their ids. */
export function movesOf(
  table: EditableTable,
  rows: readonly UpdatedRow[],
  temporaryValue: TemporaryValue = randomValue,
): Moves {
  const moves = new Map<string, Move>();
  const editedKeys = table.uniqueKeys.map(key => editedKeyOf(table, key, rows));
  for (const { names, holders, takers } of editedKeys) {
    for (const [row, taken] of takers) {
      const holder = holders.get(taken);
      if (!holder || holder === row) continue;
      const freeValues = moves.get(holder.id)?.freeValues ?? new Map<string, StoredValue>();
      const left = holder.cells.filter(({ column }) => names.has(column));
      if (left.some(({ column }) => freeValues.has(column))) continue;
      const { column, base } = easiestToLeave(table, left);
      const declared = table.columns.find(({ name }) => name === column)!;
      const moveTo = (value: StoredValue): Move => ({
        row: holder,
        freeValues: new Map([...freeValues, [column, value]]),
      });
      const move = canBeNull(table, declared)
        ? moveTo({ kind: 'null' })
        : moveToFreeKeys(
            table,
            editedKeys.filter(key => key.names.has(column)),
            () => moveTo(temporaryValue(declared, base)),
          );
      moves.set(holder.id, move ?? moveTo(randomValue(declared, base)));
    }
  }
  return moves;
}

/** A unique key whose columns are edited. */
interface EditedKey {
  readonly key: readonly CollatedKeyColumn[];
  readonly names: ReadonlySet<string>;
  /** The rows by the keys that they have, as texts. */
  readonly holders: ReadonlyMap<string, UpdatedRow>;
  /** The keys that the rows get. */
  readonly takers: ReadonlyMap<UpdatedRow, string>;
  /** The keys that edited rows have, get or are given for a time. */
  readonly used: Set<string>;
}

function editedKeyOf(table: EditableTable, key: readonly CollatedKeyColumn[], rows: readonly UpdatedRow[]): EditedKey {
  const names = new Set(key.map(({ name }) => name));
  const holders = new Map<string, UpdatedRow>();
  const takers = new Map<UpdatedRow, string>();
  for (const row of rows) {
    if (!row.cells.some(({ column }) => names.has(column))) continue;
    const held = keyText(table, key, valuesBefore(table, row));
    const taken = keyText(table, key, valuesAfter(table, row));
    if (held !== undefined) holders.set(held, row);
    if (taken !== undefined) takers.set(row, taken);
  }
  return { key, names, holders, takers, used: new Set([...holders.keys(), ...takers.values()]) };
}

/** How often a value is chosen for a row. Among few values, most may be used. */
const maxChoices = 20;

/** Moves a row to keys that no edited row uses. Small temporary values would otherwise meet each other. */
function moveToFreeKeys(
  table: EditableTable,
  editedKeys: readonly EditedKey[],
  chooseMove: () => Move,
): Move | undefined {
  for (let choice = 0; choice < maxChoices; choice++) {
    const move = chooseMove();
    const valueOf = valuesAfter(table, rowMovedAway(move));
    const moved = editedKeys.flatMap(({ key, used }) => {
      const text = keyText(table, key, valueOf);
      return text === undefined ? [] : [{ text, used }];
    });
    if (moved.some(({ text, used }) => used.has(text))) continue;
    for (const { text, used } of moved) used.add(text);
    return move;
  }
  return undefined;
}

/** NULL is never taken, and neither CHECK constraints nor foreign keys forbid it. A row needs the columns of its identity. */
const canBeNull = ({ identity, rowIdColumn }: EditableTable, { name, notNull }: EditableColumn): boolean =>
  !notNull && name !== rowIdColumn && !identity.columns.some(column => isSameName(column.name, name));

/** A cell of a key that can be NULL, or else one that refers to no other table. */
function easiestToLeave(table: EditableTable, cells: readonly CellEdit[]): CellEdit {
  const ease = ({ column }: CellEdit): number => {
    const declared = table.columns.find(({ name }) => name === column)!;
    if (canBeNull(table, declared)) return 2;
    return table.foreignKeys.some(({ columns }) => columns.some(name => isSameName(name, column))) ? 0 : 1;
  };
  return cells.reduce((best, cell) => (ease(cell) >= ease(best) ? cell : best));
}

/** The cells that a row gets when it is moved away. */
export function cellsMovedAway({ row, freeValues }: Move): CellEdit[] {
  return row.cells.flatMap(edit => {
    const value = freeValues.get(edit.column);
    return value ? [{ ...edit, value }] : [];
  });
}

const rowMovedAway = (move: Move): UpdatedRow => ({ ...move.row, cells: cellsMovedAway(move) });

/** The update of a row after it was moved away. */
export function afterMove(table: EditableTable, row: UpdatedRow, moves: Moves): UpdatedRow {
  const freeValues = moves.get(row.id)?.freeValues;
  if (!freeValues) return row;
  const key = table.identity.columns.map(({ name }, index) => freeValues.get(name) ?? row.key[index]!);
  const isOtherKey = table.identity.kind === 'key' && key.some((value, index) => value !== row.key[index]);
  const movedCells = row.cells.filter(({ column }) => freeValues.has(column));
  return {
    ...row,
    // The grid shows the row with its temporary key, and finds its edits by that.
    id: isOtherKey ? rowIdOfKey(key) : row.id,
    key,
    cells: row.cells.map(edit => ({ ...edit, base: freeValues.get(edit.column) ?? edit.base })),
    // An earlier save that stopped has left temporary values too. The oldest values are the user's.
    displacedValues: [
      ...(row.displacedValues ?? []),
      ...movedCells
        .filter(({ column }) => !row.displacedValues?.some(old => old.column === column))
        .map(({ column, base }) => ({ column, value: base })),
    ],
  };
}

/** Random bits as an integer, fewer than the 53 of a REAL. */
const randomInteger = (bits: number): bigint => BigInt(`0x${randomUUID().replaceAll('-', '')}`) % 2n ** BigInt(bits);

/** A value that, most probably, no row has. A column stores it exactly as it is. */
const randomValue: TemporaryValue = (column, present) => {
  const random = randomUUID().replaceAll('-', '');
  if (column.affinity === 'real') return { kind: 'real', text: String(-(randomInteger(51) + 2n ** 51n)) };
  if (column.affinity === 'text') return { kind: 'text', text: `moving ${random}` };
  const isBlob = column.affinity === 'blob' && (present.kind === 'blob' || column.type.toUpperCase() === 'BLOB');
  if (isBlob) return { kind: 'blob', hex: random };
  return { kind: 'integer', text: String(-randomInteger(61) - 2n ** 62n) };
};

/** A number of the same storage class as the present value, with as many bits. */
const randomNumber =
  (bits: number): TemporaryValue =>
  (column, present) => {
    if (present.kind !== 'integer' && present.kind !== 'real') return likeValue(column, present);
    return { kind: numberKind(column, present.kind), text: String(randomInteger(bits) + 1n) };
  };

/** The storage class in which a column keeps a whole number. */
function numberKind({ affinity }: EditableColumn, present: 'integer' | 'real'): 'integer' | 'real' {
  if (affinity === 'blob') return present;
  return affinity === 'real' ? 'real' : 'integer';
}

/** A value in the form of the present one: with as many letters and digits at the same places, or as many bytes. */
const likeValue: TemporaryValue = (column, present) => {
  switch (present.kind) {
    case 'text':
      return { kind: 'text', text: present.text.replaceAll(/[a-z\d]/gi, likeCharacter) };
    case 'blob':
      return { kind: 'blob', hex: present.hex.replaceAll(/../g, () => hexByte(Number(randomInteger(8)))) };
    case 'integer':
    case 'real':
      return { kind: numberKind(column, present.kind), text: likeNumber(present.text) };
    case 'null':
      return randomValue(column, present);
  }
};

const hexByte = (byte: number): string => byte.toString(16).padStart(2, '0');

function likeCharacter(character: string): string {
  const alphabet = /\d/.test(character) ? '0123456789' : 'abcdefghijklmnopqrstuvwxyz';
  const random = alphabet[Number(randomInteger(20)) % alphabet.length]!;
  return /[A-Z]/.test(character) ? random.toUpperCase() : random;
}

/** A whole number with the sign and about the size of another one. */
function likeNumber(text: string): string {
  const size = Math.trunc(Math.min(Math.abs(Number(text)), 2 ** 50));
  const random = Number(randomInteger(50)) % (2 * size + 100);
  return String(text.startsWith('-') ? -random : random + 1);
}

/** The ways to make temporary values. CHECK constraints may forbid some. Small values may be taken, so they are tried twice. */
const temporaryValues: readonly TemporaryValue[] = [
  randomValue,
  randomNumber(40),
  likeValue,
  likeValue,
  randomNumber(16),
  randomNumber(8),
  randomNumber(6),
  randomNumber(6),
  randomNumber(4),
  randomNumber(4),
];

interface ChosenMoves {
  readonly table: EditableTable;
  readonly rows: readonly UpdatedRow[];
  readonly moves: Moves;
}

/** The temporary keys of a table's edits. The review shows those that the save sends: they stay while edits and schema do. */
export class TemporaryKeys {
  #chosenMoves: ChosenMoves | undefined;

  /** The rows to move away. Edited rows are immutable, so the same objects are the same edits. */
  async choose(constrained: ConstrainedTable, edits: readonly PendingRow[]): Promise<Moves> {
    const rows = edits.filter(row => row.kind === 'update');
    const chosen = this.#chosenMoves;
    const isUnchanged =
      chosen !== undefined &&
      chosen.rows.length === rows.length &&
      chosen.rows.every((row, index) => row === rows[index]) &&
      isDeepStrictEqual(chosen.table, constrained.table);
    if (isUnchanged) return chosen.moves;
    const moves = await chooseMoves(constrained, rows);
    // Most edits need no temporary keys, and the list of their rows may be long.
    this.#chosenMoves =
      moves.size === 0
        ? undefined
        : {
            table: constrained.table,
            rows,
            moves,
          };
    return moves;
  }

  /** Another client may have taken a temporary key since it was chosen. After a refusal, the next save has others. */
  forget(): void {
    this.#chosenMoves = undefined;
  }
}

/**
 * The rows to move away, with temporary values that the CHECK constraints of the table allow. If no tried value fits, the
 * service refuses the first ones.
 */
async function chooseMoves(constrained: ConstrainedTable, rows: readonly UpdatedRow[]): Promise<Moves> {
  const { table } = constrained;
  const first = movesOf(table, rows);
  if (first.size === 0 || table.checks.length === 0) return first;
  for (const temporaryValue of temporaryValues) {
    const moves = movesOf(table, rows, temporaryValue);
    if (areExact(table, moves) && (await isAllowed(constrained, moves))) return moves;
  }
  return first;
}

/** Whether a column stores each temporary value as it is, so that the second statement finds the row again. */
const areExact = (table: EditableTable, moves: Moves): boolean =>
  [...moves.values()].every(({ freeValues }) =>
    [...freeValues].every(([name, value]) => {
      const column = table.columns.find(other => other.name === name)!;
      return isSameValue(storedAs(table, column, value), value);
    }),
  );

async function isAllowed(constrained: ConstrainedTable, moves: Moves): Promise<boolean> {
  const { table } = constrained;
  const away = [...moves.values()].map(rowMovedAway);
  for (const check of table.checks) {
    const checked = await rowsThatBreakCheck(constrained, check, away);
    if (checked.some(({ isBroken }) => isBroken)) return false;
  }
  for (const key of table.uniqueKeys) {
    const names = key.map(({ name }) => name);
    const movedRows = away.filter(({ cells }) => cells.some(({ column }) => names.includes(column)));
    if ((await rowsWithTakenKeys(constrained, names, movedRows)).length > 0) return false;
  }
  return true;
}
