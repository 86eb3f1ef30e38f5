import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quoteIdentifierIfNeeded } from '../../../src/sql/text/quoting.ts';
import type { Project } from '../../../src/client/index.ts';
import type { PendingRow } from '../../../src/model/editing/pendingEdits.ts';
import type { SaveStep } from '../../../src/model/editing/draft.ts';
import { storedAs } from '../../../src/model/editing/storedAs.ts';
import type { CellTarget } from '../../../src/model/editing/tableEditing.ts';
import type { StoredValue } from '../../../src/protocol/editValues.ts';
import type { Row } from '../../../src/wire/values.ts';
import { seeded, upTo } from '../../fuzz/random.ts';
import {
  otherWrite,
  type RandomNumber,
  type RandomTable,
  randomTable,
  randomValue,
  sqlOf,
  tagColumn,
} from '../../support/randomSavedTables.ts';
import { SavedTable, text } from '../../support/savedTable.ts';
import {
  changedCells,
  changedTags,
  isSameSnapshot,
  print,
  type Snapshot,
  snapshotOf,
  tagOf,
} from '../../support/tableSnapshot.ts';
import { seedsOf } from '../../support/seeds.ts';
import { startTestService } from '../../support/testService.ts';

/**
 * Random edits of random tables, saved while another client writes the same rows, also between the statements of a save. The test
 * compares the table with a model of the saved edits, and each message with what was done.
 */

const service = await startTestService();
const direct = service.client.project(service.projectId);
const snapshot = (): Promise<Snapshot> => snapshotOf(direct);
const rowCount = 10;

/** A statement of a save, with the table before and after it. */
interface SentStep {
  readonly step: SaveStep;
  readonly rows: readonly PendingRow[];
  readonly before: Snapshot;
  readonly after: Snapshot;
  readonly isRefused: boolean;
}

/** Something that another client has written, for the model. */
type OtherWrite = (model: Snapshot) => void;

class RandomSave {
  readonly #random: RandomNumber;
  readonly #tested: RandomTable;
  #table!: SavedTable;
  #otherWriteCount = 0;
  /** Everything that was written, in its order. */
  readonly #writes: (SentStep | OtherWrite)[] = [];
  /** The tags of edited rows, by the ids of their edits. */
  readonly #tags = new Map<string, string>();

  constructor(random: RandomNumber) {
    this.#random = random;
    this.#tested = randomTable(random);
  }

  async run(): Promise<void> {
    await using table = await SavedTable.open(service, 't', await this.#script(), this.#project);
    this.#table = table;
    table.host.deletesForGood = true;
    await this.#edit();
    // Edits that were not saved are saved again, over what the other client has written.
    for (let attempt = 0; attempt < 2; attempt++) {
      await this.#save(attempt);
      if (!table.document.isDirty) break;
      table.host.resolve = conflicts => new Set(conflicts);
    }
  }

  async #script(): Promise<string[]> {
    const { script, edited, keyOf } = this.#tested;
    const rows = Array.from({ length: rowCount }, (_, number) => {
      const values: Record<string, StoredValue> = { ...keyOf(number), [tagColumn]: text(`row ${number}`) };
      for (const column of edited) values[column] = validValue(column, this.#random);
      values['a'] = text(`first ${number}`);
      return `INSERT INTO t(${Object.keys(values).join(', ')}) VALUES (${Object.values(values).map(sqlOf).join(', ')})`;
    });
    return [...script.filter(sql => !isTrigger(sql)), ...rows, ...script.filter(isTrigger)];
  }

  async #edit(): Promise<void> {
    const { document } = this.#table;
    const { editing } = document;
    const rows = await this.#table.rows();
    for (const row of rows) this.#tags.set(editing.idOf({ kind: 'table', row })!, tagOf(row));
    const targets: CellTarget[] = [];
    for (const row of rows.slice(0, 6)) {
      for (const column of this.#tested.edited) {
        if (this.#random(3) > 0) continue;
        targets.push({ row: { kind: 'table', row }, column, value: randomValue(column, this.#random) });
      }
    }
    // Two rows swap their keys, and perhaps one gets a new key.
    const keyOf = (row: Row): Readonly<Record<string, StoredValue>> =>
      this.#tested.keyOf(Number(tagOf(row).replace('row ', '')));
    const [one, two, three] = rows as [Row, Row, Row];
    const moved: (readonly [Row, Readonly<Record<string, StoredValue>>])[] = [];
    if (this.#random(2) === 0) moved.push([one, keyOf(two)], [two, keyOf(one)]);
    if (this.#random(3) === 0) moved.push([three, this.#tested.keyOf(50)]);
    for (const [row, key] of moved) {
      for (const [column, value] of Object.entries(key)) targets.push({ row: { kind: 'table', row }, column, value });
    }
    await document.edit('Edit', () => editing.setCells(targets));
    const deleted = rows.slice(6, 6 + this.#random(4));
    await document.edit('Delete', () => editing.delete(deleted.map(row => ({ kind: 'table', row }))));
    for (let added = this.#random(4); added > 0; added--) {
      const values: Record<string, StoredValue> = {
        ...this.#tested.keyOf(100 + added),
        [tagColumn]: text(`new ${added}`),
      };
      for (const column of this.#tested.edited) {
        if (this.#random(2) === 0) values[column] = randomValue(column, this.#random);
      }
      await this.#table.add(values);
      this.#tags.set(editing.edits.inserted[0]!.id, `new ${added}`);
    }
  }

  /** Another client writes before and after each statement of the save. */
  readonly #project: Pick<Project, 'sql' | 'query'> = {
    query: (sql, params, options) => direct.query(sql, params, options),
    sql: async (sql, params, options) => {
      const { document } = this.#table;
      const key = options?.idempotencyKey;
      const { step } = document.unfinishedSave!.find(keyed => keyed.key.text === key)!;
      const rows = step.rowIds.map(id => document.editing.edits.get(id)!);
      if (this.#random(3) === 0) await this.#writeAsOther();
      await this.#requireNamedRows(step);
      const before = await snapshot();
      const answer = await direct.sql(sql, params, options).catch((error: unknown) => ({ error }));
      const after = await snapshot();
      this.#writes.push({ step, rows, before, after, isRefused: 'error' in answer });
      if (this.#random(6) === 0) await this.#writeAsOther();
      if ('error' in answer) throw answer.error;
      return answer;
    },
  };

  async #save(attempt: number): Promise<void> {
    const { document } = this.#table;
    const { edits } = document.editing;
    this.#writes.length = 0;
    const model = await snapshot();
    const pendingBefore = [...edits.rows];
    if (attempt === 0 && this.#random(3) === 0) await this.#writeAsOther();
    const message = await this.#table.save().then(
      () => undefined,
      (thrown: unknown) => (thrown as Error).message,
    );
    const sent = this.#writes.filter(written => typeof written !== 'function');
    for (const one of sent) {
      this.#requireOnlyItsRows(one);
      this.#requireUndisturbed(one);
    }
    for (const written of this.#writes) {
      if (typeof written === 'function') written(model);
      else if (!written.isRefused) this.#applyTo(model, written);
    }
    assert.deepEqual(await snapshot(), model, message ?? 'saved');
    if (message === undefined) {
      assert.ok(edits.isEmpty);
      const saved = sent.reduce((sum, one) => sum + changeCount(one), 0);
      if (attempt === 0) assert.equal(saved, pendingBefore.length);
      return;
    }
    assert.ok(!edits.isEmpty);
    await this.#requireTrue(message, sent, model);
  }

  /** The edits that are no longer pending are in the table. */
  #applyTo(model: Snapshot, { rows, before, after }: SentStep): void {
    if (isSameSnapshot(before, after)) return;
    const { editing } = this.#table.document;
    const table = editing.table!;
    const printed = (column: string, value: StoredValue): string =>
      print(
        storedAs(
          table,
          table.columns.find(({ name }) => name === column)!,
          value,
        ),
      );
    for (const row of rows) {
      const tag = this.#tags.get(row.id)!;
      // A pending edit was not saved, and a message said so.
      if (editing.edits.get(row.id)) continue;
      if (row.kind === 'delete') model.delete(tag);
      if (row.kind === 'update') {
        for (const { column, value } of row.cells) model.get(tag)!.set(column, printed(column, value as StoredValue));
      }
      if (row.kind === 'insert') {
        const values = row.values.map(({ column, value }) => [column, printed(column, value as StoredValue)] as const);
        const defaults = [...columnsOf(table)].map(column => [column, column === 'n' ? 'integer 1' : 'null'] as const);
        model.set(tag, new Map([...defaults, ...values]));
      }
      const written = model.get(tag);
      if (written) generate(written);
    }
  }

  /** A statement changes no row but those of its edits. */
  #requireOnlyItsRows({ step, before, after, isRefused }: SentStep): void {
    const own = new Set(step.rowIds.map(id => this.#tags.get(id)));
    for (const tag of changedTags(before, after)) {
      assert.ok(!isRefused, `a refused statement has changed '${tag}'`);
      assert.ok(own.has(tag), `a statement for ${[...own].join(', ')} has changed '${tag}'`);
      const isThere = [before.has(tag), after.has(tag)];
      const expected = { delete: [true, false], insert: [false, true], update: [true, true] };
      assert.deepEqual(isThere, expected[step.kind], `${step.kind} of '${tag}'`);
    }
  }

  /** A statement that changes rows has found the values in them that the user saw. */
  #requireUndisturbed({ step, rows, before, after }: SentStep): void {
    if (isSameSnapshot(before, after)) return;
    for (const row of rows) {
      if (row.kind === 'insert') continue;
      const tag = this.#tags.get(row.id)!;
      const seen =
        row.kind === 'delete' ? row.seenValues : row.cells.map(({ column, base }) => ({ column, value: base }));
      for (const { column, value } of seen) {
        assert.equal(
          before.get(tag)?.get(column),
          print(value),
          `${step.kind} of '${tag}' over a change of '${column}'`,
        );
      }
    }
  }

  /** Statements name their rows by the whole key, and without rows they change nothing. */
  async #requireNamedRows({ kind, sql, json, rowIds }: SaveStep): Promise<void> {
    if (json !== '') assert.equal((JSON.parse(json) as unknown[]).length, rowIds.length);
    assert.ok(rowIds.length > 0);
    if (kind === 'insert') return;
    const where = /\nWHERE (.*)$/s.exec(sql)?.[1] ?? '';
    for (const [index, { name }] of this.#table.document.editing.table!.identity.columns.entries()) {
      assert.ok(where.includes(`target.${quoteIdentifierIfNeeded(name)} IS edit.key${index + 1}`), sql);
    }
    const before = await snapshot();
    await direct.sql(sql, ['[]']);
    assert.ok(isSameSnapshot(before, await snapshot()), sql);
  }

  /** Compares a message with what the statements have done. */
  async #requireTrue(message: string, sent: readonly SentStep[], model: Snapshot): Promise<void> {
    const { document } = this.#table;
    const last = sent.at(-1);
    const partly = /^(\d+) of (\d+) rows were (updated|deleted|added)/.exec(message);
    const refused = /^(\d+) rows? (?:was|were) not (updated|deleted|added): /.exec(message);
    if (partly) {
      assert.deepEqual([Number(partly[1]), Number(partly[2])], [changeCount(last!), last!.step.rowIds.length], message);
      assert.ok(document.problems.all.every(({ fault }) => fault.kind === 'ignored'));
      assert.equal(document.problems.all.length, last!.step.rowIds.length - changeCount(last!));
    } else if (refused) {
      assert.ok(last!.isRefused);
      assert.equal(Number(refused[1]), last!.step.rowIds.length, message);
    } else if (/has changed in the table|have changed in the table/.test(message)) {
      assert.equal(changeCount(last!), 0);
      this.#requireConflicts(model);
    } else {
      assert.match(message, /changed no row, although all of them are as they were\. A trigger may have kept them/);
      assert.equal(changeCount(last!), 0);
    }
    const done = sent.filter(one => one !== last && changeCount(one) > 0);
    const savedCounts = /Saved before it: ([^.]*)\./.exec(message)?.[1] ?? '';
    const total = [...savedCounts.matchAll(/\d+/g)].reduce((sum, [count]) => sum + Number(count), 0);
    assert.equal(
      total,
      done.reduce((sum, one) => sum + changeCount(one), 0),
      message,
    );
  }

  /** A cell that is marked as a conflict has another value in the table, and a missing row is not there. */
  #requireConflicts(model: Snapshot): void {
    const { problems } = this.#table.document;
    assert.ok(problems.all.length > 0);
    for (const { rowId, column, fault } of problems.all) {
      const row = model.get(this.#tags.get(rowId)!);
      if (fault.kind === 'missingRow') this.#requireOtherKey(rowId, row);
      else if (fault.kind === 'conflict') assert.notEqual(row?.get(column!), print(fault.base));
      else assert.fail(fault.kind);
    }
  }

  /** Another client has deleted the row of an edit, or has given it another key. */
  #requireOtherKey(rowId: string, row: ReadonlyMap<string, string> | undefined): void {
    const { edits, table } = this.#table.document.editing;
    const edited = edits.get(rowId);
    assert.ok(edited && edited.kind !== 'insert');
    // Nobody changes row ids.
    if (table!.identity.kind === 'rowId') assert.equal(row, undefined);
    const key = table!.identity.columns.map(({ name }) => row?.get(name));
    assert.notDeepEqual(key, edited.key.map(print));
  }

  /** Another client writes a row. Triggers may ignore it. */
  async #writeAsOther(): Promise<void> {
    const before = await snapshot();
    const all = [...before.keys()];
    const { rows } = this.#table.document.editing.edits;
    const pending = new Set([...rows].map(({ id }) => this.#tags.get(id)!));
    const edited = all.filter(tag => pending.has(tag));
    const tags = edited.length > 0 && this.#random(2) === 0 ? edited : all;
    const tag = tags[this.#random(tags.length)]!;
    await direct.sql(otherWrite(this.#tested, tag, ++this.#otherWriteCount, this.#random));
    const after = await snapshot();
    // The model takes what the other client has written, as the table has it.
    this.#writes.push(model => {
      for (const changed of changedTags(before, after)) {
        const row = after.get(changed);
        const present = model.get(changed);
        if (!row) model.delete(changed);
        else if (!present) model.set(changed, new Map(row));
        else for (const [column, value] of changedCells(before.get(changed)!, row)) present.set(column, value);
      }
    });
  }
}

const isTrigger = (sql: string): boolean => sql.startsWith('CREATE TRIGGER');

/** A value that no constraint refuses. */
function validValue(column: string, random: RandomNumber): StoredValue {
  const value = randomValue(column, random);
  if (column === 'parent') return value.kind === 'integer' && value.text === '99' ? { kind: 'null' } : value;
  return column === 'n' && value.kind === 'null' ? { kind: 'integer', text: '3' } : value;
}

function* columnsOf({
  columns,
}: {
  readonly columns: readonly { readonly name: string; readonly isGenerated: boolean }[];
}) {
  for (const { name, isGenerated } of columns) if (!isGenerated) yield name;
}

/** The generated column has its value by another one. */
const generate = (row: Map<string, string>): void =>
  void row.set('g', `integer ${BigInt(row.get('n')!.replace('integer ', '')) + 1n}`);

const changeCount = ({ before, after }: SentStep): number => changedTags(before, after).length;

for (const seed of seedsOf({ few: 8, all: 80 })) {
  test(`a save of random edits leaves the table as the model has it, and its message is true, seed ${seed}`, async () => {
    const numbers = seeded(seed);
    await new RandomSave(below => upTo(numbers, below)).run();
  });
}
