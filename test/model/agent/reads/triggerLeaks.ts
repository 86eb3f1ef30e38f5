import { DatabaseSync } from 'node:sqlite';
import { canaries, otherCanaries } from '../../../support/agentShop.ts';

/* Ways in which a schema has copied values of masked columns to where no mask names them. */

export interface TriggerLeak {
  readonly name: string;
  /** `:secret` and `:number` stand for values that differ between two databases. */
  readonly setup: readonly string[];
  readonly masks: readonly string[];
  /** Without masks, their answers differ. */
  readonly queries: readonly string[];
}

const people = [
  'CREATE TABLE people (id INTEGER PRIMARY KEY, email TEXT, note TEXT)',
  'CREATE TABLE visits (day INT)',
  "INSERT INTO people VALUES (1, ':secret', 'a note')",
];
const keyed = ['CREATE TABLE members (ssn INTEGER PRIMARY KEY, name TEXT)', 'CREATE TABLE log (at INT, who)'];
const addMember = "INSERT INTO members VALUES (:number, 'Ann')";

/** A trigger on `visits` fires once. */
const onVisit = (command: string): string[] => [
  ...people,
  `CREATE TRIGGER on_visit AFTER INSERT ON visits BEGIN ${command}; END`,
  'INSERT INTO visits VALUES (5)',
];

const ofEmail = { masks: ['people.email'], queries: ['SELECT note FROM people'] };
const ofMember = { masks: ['members.ssn'], queries: ['SELECT who FROM log', 'SELECT * FROM log ORDER BY who'] };

export const triggerLeaks: readonly TriggerLeak[] = [
  { ...ofEmail, name: 'a copy within the table', setup: onVisit('UPDATE people SET note = email') },
  { ...ofEmail, name: 'a subquery without FROM', setup: onVisit('UPDATE people SET note = (SELECT email)') },
  {
    ...ofEmail,
    name: 'an upsert',
    setup: onVisit("INSERT INTO people (id, note) VALUES (1, '') ON CONFLICT (id) DO UPDATE SET note = email || '!'"),
  },
  {
    ...ofEmail,
    name: 'a rowid as a value',
    setup: onVisit('UPDATE people SET note = length(email) + oid'),
  },
  {
    ...ofMember,
    name: 'new.rowid',
    setup: [
      ...keyed,
      'CREATE TRIGGER t AFTER INSERT ON members BEGIN INSERT INTO log VALUES (1, new.rowid); END',
      addMember,
    ],
  },
  {
    ...ofMember,
    name: 'last_insert_rowid() in a trigger of the table',
    setup: [
      ...keyed,
      'CREATE TRIGGER t AFTER INSERT ON members BEGIN INSERT INTO log (who) VALUES ("last_insert_rowid"()); END',
      addMember,
    ],
  },
  {
    ...ofMember,
    name: 'last_insert_rowid() in a trigger of another table',
    setup: [
      ...keyed,
      'CREATE TABLE visits (day INT)',
      'CREATE TRIGGER t BEFORE INSERT ON visits BEGIN UPDATE log SET who = last_insert_rowid(); END',
      'INSERT INTO log VALUES (1, 1)',
      addMember,
      'INSERT INTO visits VALUES (5)',
    ],
  },
  {
    ...ofMember,
    name: 'last_insert_rowid() in a view that a trigger reads',
    setup: [
      ...keyed,
      'CREATE TABLE visits (day INT)',
      'CREATE VIEW latest AS SELECT last_insert_rowid() AS id',
      'CREATE TRIGGER t BEFORE INSERT ON visits BEGIN INSERT INTO log (who) SELECT * FROM latest; END',
      addMember,
      'INSERT INTO visits VALUES (5)',
    ],
  },
  {
    ...ofMember,
    name: 'last_insert_rowid() as a default value',
    setup: [
      keyed[0]!,
      'CREATE TABLE log (at INT, who DEFAULT (last_insert_rowid()))',
      addMember,
      'INSERT INTO log (at) VALUES (1)',
    ],
  },
  {
    name: 'a mask that names the rowid',
    setup: [...keyed, addMember],
    masks: ['members.OID'],
    queries: ['SELECT ssn FROM members', 'SELECT rowid FROM members', 'SELECT * FROM members'],
  },
  {
    name: 'a key that is named by a string',
    setup: [
      "CREATE TABLE cards (number INTEGER, owner, PRIMARY KEY ('number' DESC))",
      'CREATE TABLE log (who)',
      'CREATE TRIGGER t AFTER INSERT ON cards BEGIN INSERT INTO log VALUES (new._rowid_); END',
      "INSERT INTO cards VALUES (:number, 'one'), (100000, 'two')",
    ],
    masks: ['cards.number'],
    queries: ['SELECT who FROM log', 'SELECT owner FROM cards'],
  },
  {
    name: 'a chain of triggers, through a view and a cascade',
    setup: [
      ...people,
      'CREATE TABLE copies (text UNIQUE)',
      'CREATE TABLE children (parent REFERENCES copies (text) ON UPDATE CASCADE, id INT)',
      'CREATE TABLE ends (a, b)',
      'CREATE TABLE inbox (m)',
      'CREATE VIEW door AS SELECT day AS x FROM visits',
      'CREATE TRIGGER t1 AFTER INSERT ON visits BEGIN UPDATE copies SET text = (SELECT email FROM people); END',
      'CREATE TRIGGER t2 AFTER UPDATE ON children BEGIN INSERT INTO ends VALUES (2, new.parent); END',
      'CREATE TRIGGER t3 AFTER INSERT ON ends BEGIN INSERT INTO door VALUES (new.b); END',
      'CREATE TRIGGER t4 INSTEAD OF INSERT ON door BEGIN INSERT INTO inbox VALUES (new.x); END',
      "INSERT INTO copies VALUES ('none')",
      "INSERT INTO children VALUES ('none', 1)",
      'INSERT INTO visits VALUES (5)',
    ],
    masks: ['people.email'],
    queries: ['SELECT * FROM copies', 'SELECT * FROM children', 'SELECT b FROM ends', 'SELECT m FROM inbox'],
  },
  {
    name: 'a table whose name differs by the Kelvin sign',
    setup: [
      'CREATE TABLE kin (name, secret, start AS (substr(secret, 1, 6)))',
      'CREATE TABLE \u212Ain (name, other)',
      "INSERT INTO kin (name, secret) VALUES ('Ann', ':secret')",
    ],
    masks: ['kin.secret'],
    queries: ['SELECT start FROM kin', 'SELECT secret FROM KIN', 'SELECT * FROM main.kin'],
  },
];

const values = [
  { secret: canaries[0], number: 1_234_567 },
  { secret: otherCanaries[1], number: 76_543 },
];

/** A database with the first or the second values. */
export function leakedDatabase({ setup }: TriggerLeak, nth: 0 | 1): DatabaseSync {
  const { secret, number } = values[nth]!;
  const database = new DatabaseSync(':memory:');
  for (const sql of setup) database.exec(sql.replaceAll(':secret', secret).replaceAll(':number', String(number)));
  return database;
}
