import assert from 'node:assert/strict';
import type { Row } from '../../src/wire/values.ts';
import type { RecordedBrowsingHost } from './recordedBrowsingHost.ts';
import type { TestDocument } from './tableDocument.ts';

export interface FaultySave {
  /** Opens the table as a new window does, with the draft of the one before. */
  readonly open: () => Promise<TestDocument>;
  /** Runs a statement past all faults. */
  readonly execute: (sql: string) => Promise<readonly Row[]>;
  readonly host: RecordedBrowsingHost;
  /** An integer below a number. */
  readonly random: (below: number) => number;
  /** Called when the edits are made. Faults begin here. */
  readonly onEdited: () => void;
  /** Resolves when the window is killed while it waits for an answer, which never comes. By default it lives. */
  readonly killed?: () => Promise<void>;
}

const isKilled: unique symbol = Symbol('killed');
const never = new Promise<never>(() => {});

const namesSql = 'SELECT id, name FROM pets ORDER BY id';

/** Edits, deletes and adds rows, and saves until nothing is pending. Checks that everything was saved once, and each message. */
export async function saveThroughFaults({
  open,
  execute,
  host,
  random,
  onEdited,
  killed = () => never,
}: FaultySave): Promise<void> {
  for (const sql of [
    'DROP TABLE IF EXISTS pets',
    'CREATE TABLE pets(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT)',
    `INSERT INTO pets(name) VALUES ('a'), ('b'), ('c'), ('d'), ('e'), ('f')`,
  ]) {
    await execute(sql);
  }
  let window = await open();
  await makeEdits(window, await execute(namesSql));
  onEdited();
  for (;;) {
    host.outcomes.length = 0;
    const before = JSON.stringify(await execute(namesSql));
    const isCheck = window.document.isOutcomeUnknown && random(2) === 0;
    const end = killed().then((): typeof isKilled => isKilled);
    const failure = await Promise.race([isCheck ? check(window) : saveOrFail(window), end]);
    if (failure === isKilled) {
      window = await open();
      assert.ok(window.document.isDirty, 'the next window has the draft of the killed one');
      continue;
    }
    if (!window.document.isDirty) break;
    const after = JSON.stringify(await execute(namesSql));
    const outcome = host.outcomes.at(-1);
    if (outcome === undefined) assert.match(failure ?? '', /It is unknown whether the changes were saved/);
    else if (outcome.includes('had been done')) assert.equal(after, before, outcome);
    // The next window has the draft of this one, which was killed.
    if (random(2) === 0) window = await open();
  }
  assert.deepEqual(
    (await execute(namesSql)).map(({ id, name }) => [id, name]),
    [
      [1, '007'],
      [3, null],
      [4, 'd'],
      [5, 'e'],
      [6, 'f'],
      [7, 'new'],
      [8, 'new'],
      [9, 'new'],
    ],
  );
  assert.ok(!(await open()).document.isDirty, 'no draft is left');
}

async function makeEdits({ document }: TestDocument, rows: readonly Row[]): Promise<void> {
  const { editing } = document;
  const [first, second, third] = rows;
  const setName = (row: Row, value: { readonly kind: 'text'; readonly text: string } | { readonly kind: 'null' }) =>
    editing.setCells([{ row: { kind: 'table', row }, column: 'name', value }]);
  await document.edit('Edit', () => setName(first!, { kind: 'text', text: '007' }));
  await document.edit('Delete', () => editing.delete([{ kind: 'table', row: second! }]));
  for (let added = 0; added < 3; added++) {
    await document.edit('Add', () => editing.addRow([{ column: 'name', value: { kind: 'text', text: 'new' } }]));
  }
  await document.edit('Empty', () => setName(third!, { kind: 'null' }));
}

async function check(window: TestDocument): Promise<string | undefined> {
  await window.checkOutcome();
  return window.document.problem;
}

const saveOrFail = (window: TestDocument): Promise<string | undefined> =>
  window.save().then(
    () => undefined,
    (thrown: unknown) => String(thrown),
  );
