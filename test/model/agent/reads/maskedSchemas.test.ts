import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { judgeRead } from '../../../../src/model/agent/reads/judgeRead.ts';
import { ReadSchema } from '../../../../src/model/agent/reads/readSchema.ts';
import { canaries, otherCanaries } from '../../../support/agentShop.ts';
import { standingClock } from '../../../support/exhaustingStatement.ts';
import { answerOf, assertSameAnswer } from '../../../support/sameAnswers.ts';
import { wasmBinary } from '../../../support/wasmDatabase.ts';

interface Case {
  /** Statements with rows. `:secret` stands for a value that differs between two databases. */
  readonly setup: readonly string[];
  readonly masks: readonly string[];
  /** More statements of the schema, which only a later SQLite could read. */
  readonly unread?: readonly string[];
  readonly refused?: readonly string[];
  /** Reads with the rows that they must give. */
  readonly reads?: readonly (readonly [sql: string, rows: readonly unknown[][]])[];
}

function open(setup: readonly string[], secret: string): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  for (const sql of setup) database.exec(sql.replaceAll(':secret', `'${secret}'`));
  return database;
}

async function check({ setup, masks, unread = [], refused = [], reads = [] }: Case): Promise<void> {
  using database = open(setup, canaries[0]);
  using other = open(setup, otherCanaries[1]);
  const rows = database.prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL').all();
  const statements = [...rows.map(({ sql }) => String(sql)), ...unread];
  const schema = await ReadSchema.open({ wasmBinary, statements, masked: masks, clock: standingClock });
  for (const sql of refused) {
    const judgement = await judgeRead(sql, schema);
    assert.ok(judgement.kind === 'refused', `${sql}: ${JSON.stringify(judgement)}`);
    assert.equal(judgement.code, 'masked', `${sql}: ${judgement.reason}`);
  }
  for (const [sql, expected] of reads) {
    const judgement = await judgeRead(sql, schema);
    assert.ok(judgement.kind === 'read', `${sql}: ${JSON.stringify(judgement)}`);
    assertSameAnswer(database, other, judgement.sql);
    assert.deepEqual(answerOf(database, judgement.sql).rows, expected, judgement.sql);
  }
  schema.shadow.dispose();
}

const mask = '‹masked›';

test('a table that is stored in the order of a masked key cannot be read', async () => {
  await check({
    setup: [
      'CREATE TABLE people (ssn INTEGER PRIMARY KEY AUTOINCREMENT, name)',
      'CREATE TABLE pets (name, owner REFERENCES people)',
      'CREATE TABLE cards (number PRIMARY KEY, owner) WITHOUT ROWID',
      'CREATE TABLE codes (id PRIMARY KEY, code) WITHOUT ROWID',
      'CREATE INDEX by_code ON codes (code)',
      'CREATE TABLE plain (id INT PRIMARY KEY, code)',
      'CREATE TABLE queue (task)',
      'CREATE TRIGGER enqueue AFTER INSERT ON cards BEGIN INSERT INTO queue (oid, task) VALUES (new.number, 1); END',
      "INSERT INTO people (name) VALUES ('Ann')",
      "INSERT INTO pets VALUES ('Rex', 1)",
      "INSERT INTO plain VALUES (2, 'two'), (1, 'one')",
    ],
    masks: ['people.ssn', 'cards.number', 'codes.code', 'plain.id'],
    refused: [
      'SELECT name FROM people',
      'SELECT rowid FROM people',
      'SELECT seq FROM sqlite_sequence',
      'SELECT owner FROM cards',
      'SELECT id FROM codes',
      'SELECT rowid FROM queue',
    ],
    reads: [
      ['SELECT * FROM pets', [['Rex', mask]]],
      ['SELECT * FROM queue', []],
      [
        'SELECT * FROM plain',
        [
          [mask, 'two'],
          [mask, 'one'],
        ],
      ],
    ],
  });
});

test('a collation in a primary key hides no masked column', async () => {
  await check({
    setup: [
      'CREATE TABLE people (ssn INTEGER, name, PRIMARY KEY (ssn COLLATE BINARY))',
      'CREATE TABLE parent (a TEXT COLLATE NOCASE, secret TEXT, PRIMARY KEY (a COLLATE NOCASE, secret))',
      'CREATE TABLE child (x, y, FOREIGN KEY (x, y) REFERENCES parent)',
      "INSERT INTO people VALUES (1, 'Ann')",
      "INSERT INTO parent VALUES ('one', :secret)",
      "INSERT INTO child VALUES ('one', :secret)",
    ],
    masks: ['people.ssn', 'parent.secret'],
    refused: ['SELECT rowid FROM people', 'SELECT name FROM people'],
    reads: [['SELECT * FROM child', [['one', mask]]]],
  });
});

test('generated columns, foreign keys and triggers pass masks on', async () => {
  await check({
    setup: [
      'CREATE TABLE a (id INTEGER PRIMARY KEY, secret UNIQUE, b AS (lower(c)) STORED, c AS (secret || id), d AS (id + 1))',
      'CREATE TABLE child (x UNIQUE REFERENCES a (secret), y REFERENCES a (id))',
      'CREATE TABLE grandchild (x REFERENCES child (x), id INT)',
      'CREATE TABLE log (at, what, who)',
      'CREATE TABLE copies (one, two, three)',
      'CREATE TRIGGER t1 AFTER INSERT ON a BEGIN INSERT INTO log (at, what) VALUES (1, new.secret); END',
      'CREATE TRIGGER t2 AFTER INSERT ON log BEGIN UPDATE copies SET one = 1, (two, three) = (2, new.what); END',
      'CREATE TRIGGER t3 AFTER INSERT ON a BEGIN UPDATE copies SET one = one + 1 WHERE one < length(new.c); END',
      'INSERT INTO copies VALUES (0, 0, 0)',
      'INSERT INTO a (secret) VALUES (:secret)',
      'INSERT INTO child VALUES (:secret, 1)',
      'INSERT INTO grandchild VALUES (:secret, 5)',
    ],
    masks: ['a.secret'],
    reads: [
      ['SELECT * FROM a', [[1n, mask, mask, mask, 2n]]],
      ['SELECT * FROM child', [[mask, 1n]]],
      ['SELECT * FROM grandchild', [[mask, 5n]]],
      ['SELECT * FROM log', [[mask, mask, mask]]],
      ['SELECT * FROM copies', [[mask, mask, mask]]],
      ['SELECT id FROM a WHERE secret > (SELECT x FROM child)', []],
    ],
  });
});

test('a table that triggers fill with a query or through a view is masked as a whole', async () => {
  await check({
    setup: [
      'CREATE TABLE a (id INTEGER PRIMARY KEY, secret)',
      'CREATE TABLE archive (p, q)',
      'CREATE TABLE inbox (m)',
      'CREATE VIEW door AS SELECT m AS note FROM inbox',
      'CREATE VIRTUAL TABLE words USING fts5(body)',
      'CREATE TRIGGER t1 AFTER INSERT ON a BEGIN INSERT INTO archive SELECT * FROM a; END',
      'CREATE TRIGGER t2 INSTEAD OF INSERT ON door BEGIN INSERT INTO inbox (m) VALUES (new.note); END',
      'CREATE TRIGGER t3 AFTER INSERT ON a BEGIN INSERT INTO door (note) VALUES (new.secret); END',
      'CREATE TRIGGER t4 AFTER INSERT ON a BEGIN INSERT INTO words (body) VALUES (new.secret); END',
      'INSERT INTO a (secret) VALUES (:secret)',
    ],
    masks: ['a.secret'],
    refused: [
      "SELECT count(*) FROM words WHERE words MATCH 'zq7canaryzq'",
      'SELECT * FROM words',
      'SELECT * FROM main.door',
    ],
    reads: [
      ['SELECT * FROM archive', [[mask, mask]]],
      ['SELECT * FROM inbox', [[mask]]],
      ['SELECT * FROM door', [[mask]]],
    ],
  });
});

test('a trigger that cannot be read masks everything in its text, if that has a masked column', async () => {
  await check({
    setup: [
      'CREATE TABLE a (id INTEGER PRIMARY KEY, secret)',
      'CREATE TABLE copies (x, y)',
      'CREATE TABLE other (x)',
      'CREATE TABLE more (x)',
      'CREATE VIEW shown AS SELECT y FROM copies',
      'INSERT INTO a VALUES (1, :secret)',
      'INSERT INTO copies VALUES (1, :secret)',
      'INSERT INTO other VALUES (1)',
      'INSERT INTO more VALUES (2)',
    ],
    unread: [
      'CREATE TRIGGER t AFTER MERGE ON a BEGIN MERGE INTO "copies" USING a; END',
      'CREATE TRIGGER u AFTER MERGE ON other BEGIN MERGE INTO more USING other; END',
    ],
    masks: ['a.secret'],
    reads: [
      ['SELECT id FROM a', [[mask]]],
      ['SELECT x, y FROM copies', [[mask, mask]]],
      ['SELECT y FROM shown', [[mask]]],
      ['SELECT rowid, x FROM other', [[1n, 1n]]],
      ['SELECT x FROM more', [[2n]]],
    ],
  });
});

test('a pattern can name the column of a view', async () => {
  await check({
    setup: [
      'CREATE TABLE users (id INTEGER PRIMARY KEY, mail)',
      'CREATE VIEW addresses AS SELECT id, mail AS address FROM users',
      'CREATE VIEW ids (id, "the address") AS SELECT id, address FROM addresses',
      'INSERT INTO users VALUES (1, :secret)',
    ],
    masks: ['*.address'],
    refused: ['SELECT * FROM main.addresses', 'SELECT main.addresses.id FROM addresses'],
    reads: [
      ['SELECT * FROM addresses', [[1n, mask]]],
      ['SELECT * FROM ids', [[1n, mask]]],
      ['SELECT id FROM addresses ORDER BY length(address)', [[1n]]],
    ],
  });
});

test('virtual tables with masked columns cannot be read', async () => {
  await check({
    setup: [
      'CREATE TABLE a (id INTEGER PRIMARY KEY, title, secret)',
      'CREATE TABLE b (title, secret INT)',
      'CREATE VIEW w AS SELECT * FROM a',
      'CREATE VIRTUAL TABLE t1 USING fts5(title, secret UNINDEXED)',
      "CREATE VIRTUAL TABLE t2 USING fts5(title, content=a, content_rowid='id')",
      'CREATE VIRTUAL TABLE t3 USING fts5(title, content="w", content_rowid=id)',
      'CREATE VIRTUAL TABLE t4 USING rtree(id, x1, x2, +secret)',
      'CREATE VIRTUAL TABLE t5 USING fts5vocab(t1, col)',
      "CREATE VIRTUAL TABLE t6 USING fts5(title, content=b, content_rowid='secret')",
      "INSERT INTO a VALUES (1, 'one', :secret)",
      "INSERT INTO t2 (t2) VALUES ('rebuild')",
    ],
    masks: ['*.secret'],
    refused: [
      'SELECT title FROM t1',
      "SELECT 1 FROM t1('x')",
      'SELECT * FROM t3',
      'SELECT id FROM t4',
      'SELECT * FROM t5',
      'SELECT title FROM t6',
    ],
    reads: [["SELECT * FROM t2('one')", [['one']]]],
  });
});

test('odd names are masked like others', async () => {
  await check({
    setup: [
      'CREATE TABLE "the ""table" ("a b" INT, "sec""ret", [from])',
      'CREATE VIEW "the view" AS SELECT x."sec""ret" AS "it\'s" FROM main."the ""table" AS x -- the end',
      'CREATE VIEW second AS SELECT main."the view"."it\'s" AS z FROM main . "the view"',
      'INSERT INTO "the ""table" VALUES (1, :secret, 2)',
    ],
    masks: ['the*."sec""ret"'],
    refused: ['SELECT * FROM main."the ""table"'],
    reads: [
      ['SELECT * FROM "THE ""TABLE"', [[1n, mask, 2n]]],
      ['SELECT "sec""ret" FROM [the "table]', [[mask]]],
      ['SELECT * FROM "the view"', [[mask]]],
      ['SELECT z FROM second', [[mask]]],
    ],
  });
});

test('masks leave the tables and functions of SQLite alone', async () => {
  await check({
    setup: [
      'CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, name, value)',
      'CREATE VIEW checked AS SELECT * FROM pragma_integrity_check',
      'CREATE VIEW names AS SELECT name FROM sqlite_schema',
      'INSERT INTO t (name, value) VALUES (:secret, :secret)',
    ],
    masks: ['*.name', 'value', '*.seq'],
    refused: ['SELECT count(*) FROM pragma_integrity_check', 'SELECT (1, 1, 1, 1) IN pragma_foreign_key_check'],
    reads: [
      ["SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name", [['sqlite_sequence'], ['t']]],
      ["SELECT key, value FROM json_each('[5]')", [[0n, 5n]]],
      ['SELECT seq FROM sqlite_sequence', [[1n]]],
      ["SELECT name FROM pragma_table_info('t') WHERE pk", [['id']]],
      ['SELECT DISTINCT name FROM names', [[mask]]],
    ],
  });
});
