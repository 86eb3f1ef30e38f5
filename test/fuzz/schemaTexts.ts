/* Random documents of DDL on a small schema, and of statements that use it. */
import { oneOf, type Random } from './random.ts';

const tables = ['a', 'b', 'c', '"A b"', 'main.a', 'temp.a', 'B'];
const views = ['v', 'w'];
const columns = ['x', 'y', 'z', '"x y"'];

/** The schema at the start of each document. */
export const smallSchema: readonly string[] = [
  'CREATE TABLE a (x, y)',
  'CREATE TABLE b (x INTEGER PRIMARY KEY, z)',
  'CREATE TABLE counted (i INTEGER PRIMARY KEY AUTOINCREMENT)',
  'CREATE VIEW v AS SELECT x FROM a',
  'CREATE INDEX i ON a (x)',
];

/** `T`, `V` and `C` stand for a table, a view and a column. */
const patterns = `
  CREATE TABLE T (C, C)
  CREATE TABLE IF NOT EXISTS T (C INTEGER PRIMARY KEY AUTOINCREMENT, C TEXT)
  CREATE TEMP TABLE T (C, z)
  CREATE TABLE T AS SELECT * FROM T
  CREATE TABLE T (x, y UNIQUE, z REFERENCES b)
  CREATE VIEW V AS SELECT C, C FROM T
  CREATE TEMP VIEW V AS SELECT * FROM V
  CREATE VIEW V (x) AS SELECT C FROM T
  CREATE INDEX i ON T (C)
  CREATE UNIQUE INDEX IF NOT EXISTS j ON T (C, C)
  CREATE INDEX a ON T (lower(C))
  CREATE TRIGGER g AFTER INSERT ON T BEGIN DELETE FROM T WHERE C = new.C; INSERT INTO T (C) VALUES (1); END
  CREATE TRIGGER a INSTEAD OF INSERT ON V BEGIN UPDATE T SET C = new.x; END
  CREATE VIRTUAL TABLE f USING fts5(x, y)
  CREATE VIRTUAL TABLE c USING fts5(c)
  SELECT * FROM f_content
  DROP TABLE f
  SELECT y FROM f
  DROP TABLE T
  DROP TABLE IF EXISTS T
  DROP VIEW V
  DROP INDEX i
  DROP INDEX IF EXISTS j
  DROP TRIGGER g
  ALTER TABLE T RENAME TO c
  ALTER TABLE T RENAME TO a
  ALTER TABLE T RENAME COLUMN C TO z
  ALTER TABLE T ADD z
  ALTER TABLE T DROP COLUMN C
  ALTER TABLE T RENAME C TO "x y"
  DROP TRIGGER a
  DROP INDEX a
  SELECT C FROM T
  SELECT * FROM T, T
  SELECT C FROM V
  SELECT C FROM T JOIN V USING (C)
  DELETE FROM T
  INSERT INTO T VALUES (1, 2)
  INSERT INTO T (C) VALUES (1) ON CONFLICT (C) DO NOTHING
  UPDATE T SET C = 1
  INSERT INTO V (x) VALUES (1)
  SELECT * FROM T INDEXED BY i WHERE C = 1
  SELECT seq FROM sqlite_sequence
  REINDEX i
  ANALYZE T
  ANALYZE
  SELECT stat FROM sqlite_stat1
  DROP TABLE sqlite_stat1
  WITH a AS (SELECT C FROM T) SELECT * FROM a
  SELECT 'a', C FROM T
`
  .trim()
  .split(/\n +/);

export function randomSchemaDocument(random: Random, count: number): string {
  const statement = (): string =>
    oneOf(random, patterns)
      .replaceAll(/\bT\b/g, () => oneOf(random, tables))
      .replaceAll(/\bV\b/g, () => oneOf(random, views))
      .replaceAll(/\bC\b/g, () => oneOf(random, columns));
  return Array.from({ length: count }, () => `${statement()};\n`).join('');
}
