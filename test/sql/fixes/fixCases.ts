/** A statement, and the statements after its fixes. `*` marks the preferred one. */
export type Case = readonly [statement: string, ...fixed: (readonly [title: string, text: string])[]];

const expand = 'Expand * to the list of columns';
const insertList = 'Insert the list of columns';

export const fixCases: Readonly<Record<string, readonly Case[]>> = {
  'a misspelt name': [
    ['SELECT id FROM usres', ['*Change to users', 'SELECT id FROM users']],
    ['SELECT u.* FROM main.Userss u', ['*Change to users', 'SELECT u.* FROM main.users u']],
    [
      'WITH recent AS (SELECT 1 AS x) SELECT x FROM recnet',
      ['*Change to recent', 'WITH recent AS (SELECT 1 AS x) SELECT x FROM recent'],
    ],
    ['DELETE FROM pots WHERE id = 1', ['*Change to posts', 'DELETE FROM posts WHERE id = 1']],
    ['SELECT id FROM ordr', ['*Change to order', 'SELECT id FROM "order"']],
    ['SELECT x.* FROM users xs', ['*Change to xs', 'SELECT xs.* FROM users xs']],
    ['SELECT nme FROM users', ['*Change to name', 'SELECT name FROM users']],
    ['SELECT created FROM users', ['*Change to created_at', 'SELECT created_at FROM users']],
    ['SELECT u.emial FROM users u', ['*Change to email', 'SELECT u.email FROM users u']],
    ['SELECT user.id FROM users', ['*Change to users', 'SELECT users.id FROM users']],
    ['INSERT INTO users (id, nam) VALUES (1, 2)', ['*Change to name', 'INSERT INTO users (id, name) VALUES (1, 2)']],
    ['UPDATE users SET nam = 1 WHERE id = 2', ['*Change to name', 'UPDATE users SET name = 1 WHERE id = 2']],
    [
      'SELECT id, name FROM users UNION SELECT id, title FROM posts ORDER BY nme',
      ['*Change to name', 'SELECT id, name FROM users UNION SELECT id, title FROM posts ORDER BY name'],
    ],
    ['CREATE INDEX i ON users (nam)', ['*Change to name', 'CREATE INDEX i ON users (name)']],
    [
      'SELECT "total prize" FROM "order"',
      ['*Change to total price', 'SELECT "total price" FROM "order"'],
      ["Change to 'total prize'", `SELECT 'total prize' FROM "order"`],
    ],
    ['SELECT lenght(name) FROM users', ['*Change to length', 'SELECT length(name) FROM users']],
    [
      'SELECT name FROM users ORDER BY name COLLATE NOCAS',
      ['*Change to NOCASE', 'SELECT name FROM users ORDER BY name COLLATE NOCASE'],
    ],
    ['DROP INDEX idx_post_user', ['*Change to idx_posts_user', 'DROP INDEX idx_posts_user']],
    ['DROP VIEW active_user', ['*Change to active_users', 'DROP VIEW active_users']],
    ['SELECT id FROM users JOIN posts USING (di)', ['*Change to id', 'SELECT id FROM users JOIN posts USING (id)']],
    ['SELECT users.id FROM users u', ['*Change to u', 'SELECT u.id FROM users u']],
    ['SELECT wholly.unknown FROM users'],
    ['SELECT LENGHT(name) FROM users', ['*Change to LENGTH', 'SELECT LENGTH(name) FROM users']],
    ['SELECT x FROM broken'],
  ],
  'a function of another database': [
    [
      'SELECT NOW()',
      ["*Change to DATETIME('now')", "SELECT DATETIME('now')"],
      ['Change to CURRENT_TIMESTAMP', 'SELECT CURRENT_TIMESTAMP'],
    ],
    [
      'SELECT id FROM users WHERE created_at < curdate( )',
      ["*Change to date('now')", "SELECT id FROM users WHERE created_at < date('now')"],
      ['Change to current_date', 'SELECT id FROM users WHERE created_at < current_date'],
    ],
    ['SELECT len(name) FROM users', ['*Change to length', 'SELECT length(name) FROM users']],
    ['SELECT NVL(name, 1) FROM users', ['*Change to IFNULL', 'SELECT IFNULL(name, 1) FROM users']],
    ['SELECT now(1)'],
    ['SELECT fow(1, 2)'],
  ],
  'a text in the place of a truth value': [
    ["SELECT a FROM flags WHERE a = 'true'", ['Change to TRUE', 'SELECT a FROM flags WHERE a = TRUE']],
    ["SELECT a FROM flags WHERE a IN ('False')", ['Change to FALSE', 'SELECT a FROM flags WHERE a IN (FALSE)']],
    ["SELECT a FROM flags WHERE a = 'yes'"],
    ["SELECT id FROM users WHERE active = 'true'"],
  ],
  'a text in double quotes': [
    ['SELECT id FROM users WHERE name = "it\'s"', ["*Change to 'it''s'", "SELECT id FROM users WHERE name = 'it''s'"]],
  ],
  'a text without quotes': [
    ['SELECT date(now)', ["Change to 'now'", "SELECT date('now')"]],
    ['SELECT id FROM users WHERE name = nam', ['*Change to name', 'SELECT id FROM users WHERE name = name']],
  ],
  'an ambiguous column': [
    [
      'SELECT id FROM users u JOIN posts ON user_id = u.id',
      ['Change to u.id', 'SELECT u.id FROM users u JOIN posts ON user_id = u.id'],
      ['Change to posts.id', 'SELECT posts.id FROM users u JOIN posts ON user_id = u.id'],
    ],
  ],
  'a comparison with NULL': [
    ['SELECT id FROM users WHERE email = NULL', ['*Change to IS NULL', 'SELECT id FROM users WHERE email IS NULL']],
    [
      'SELECT id FROM users WHERE email<>NULL',
      ['*Change to IS NOT NULL', 'SELECT id FROM users WHERE email IS NOT NULL'],
    ],
    ['SELECT NULL = email AS x FROM users', ['*Change to IS NULL', 'SELECT email IS NULL AS x FROM users']],
    ['SELECT NULL = NOT id AS x FROM users', ['*Change to IS NULL', 'SELECT (NOT id) IS NULL AS x FROM users']],
    [
      'SELECT NULL <> 1 + -NOT id AS x FROM users',
      ['*Change to IS NOT NULL', 'SELECT (1 + -NOT id) IS NOT NULL AS x FROM users'],
    ],
    ['SELECT NULL = (NOT id) AS x FROM users', ['*Change to IS NULL', 'SELECT (NOT id) IS NULL AS x FROM users']],
    ['SELECT NULL = NOT EXISTS (SELECT 1) AS x', ['*Change to IS NULL', 'SELECT (NOT EXISTS (SELECT 1)) IS NULL AS x']],
    ['SELECT NOT id = NULL AS x FROM users', ['*Change to IS NULL', 'SELECT NOT id IS NULL AS x FROM users']],
    ['SELECT id FROM users WHERE email = (NULL)', ['*Change to IS NULL', 'SELECT id FROM users WHERE email IS NULL']],
    [
      'SELECT ((NULL)) <> email AS x FROM users',
      ['*Change to IS NOT NULL', 'SELECT email IS NOT NULL AS x FROM users'],
    ],
    ['SELECT id FROM users WHERE email /* address */ = NULL'],
    ['SELECT id FROM users WHERE NULL = -- address\n email'],
  ],
  'a change of every row': [
    ['DELETE FROM users;', ['Insert WHERE id = ?', 'DELETE FROM users WHERE id = ?;']],
    [
      'DELETE FROM lines AS l RETURNING *',
      ['Insert WHERE order_id = ? AND line = ?', 'DELETE FROM lines AS l WHERE order_id = ? AND line = ? RETURNING *'],
    ],
    [
      'UPDATE emp SET name = (dept), mgr = 1',
      ['Insert WHERE id = ?', 'UPDATE emp SET name = (dept), mgr = 1 WHERE id = ?'],
    ],
    [
      'UPDATE users AS u SET name = title FROM posts WHERE true',
      ['Change to u.id = ?', 'UPDATE users AS u SET name = title FROM posts WHERE u.id = ?'],
    ],
    ['DELETE FROM gen', ['Insert WHERE rowid = ?', 'DELETE FROM gen WHERE rowid = ?']],
  ],
  'a missing comma': [
    [
      'SELECT id name FROM users',
      ['*Insert the comma', 'SELECT id, name FROM users'],
      ['Insert AS', 'SELECT id AS name FROM users'],
    ],
    ['SELECT id -- key\n name FROM users', ['Insert AS', 'SELECT id -- key\n AS name FROM users']],
  ],
  'a cross join': [
    [
      'SELECT p.id FROM users AS u, posts p WHERE u.id = 1',
      ['*Insert ON p.user_id = u.id', 'SELECT p.id FROM users AS u JOIN posts p ON p.user_id = u.id WHERE u.id = 1'],
      ['Change to CROSS JOIN', 'SELECT p.id FROM users AS u CROSS JOIN posts p WHERE u.id = 1'],
    ],
    [
      'SELECT posts.id FROM posts LEFT JOIN users',
      ['*Insert ON posts.user_id = users.id', 'SELECT posts.id FROM posts LEFT JOIN users ON posts.user_id = users.id'],
    ],
    [
      'SELECT 1 FROM users, (SELECT id FROM emp)',
      ['Change to CROSS JOIN', 'SELECT 1 FROM users CROSS JOIN (SELECT id FROM emp)'],
    ],
    ['SELECT u.id FROM users u, emp e', ['Change to CROSS JOIN', 'SELECT u.id FROM users u CROSS JOIN emp e']],
    [
      'SELECT u.id FROM users u INNER JOIN emp e',
      ['Change to CROSS JOIN', 'SELECT u.id FROM users u CROSS JOIN emp e'],
    ],
  ],
  'result columns with the same name': [
    [
      'SELECT u.id, p.id FROM users u JOIN posts p ON p.user_id = u.id',
      ['*Give it the alias p_id', 'SELECT u.id, p.id AS p_id FROM users u JOIN posts p ON p.user_id = u.id'],
    ],
    ['SELECT id, email AS id FROM users', ['*Give it the alias id_2', 'SELECT id, email AS id_2 FROM users']],
    ['SELECT u.id, g.* FROM users u JOIN tags t ON post_id = u.id JOIN lines g ON order_id = u.id'],
    [
      'SELECT u.id, * FROM users u JOIN tags t ON post_id = u.id',
      [
        '*List the columns under names of their own',
        'SELECT u.id, u.id AS u_id, u.name, u.email, u.active, u.created_at, u.meta, t.post_id, t.tag FROM users u JOIN tags t ON post_id = u.id',
      ],
    ],
  ],
  'a star in a view': [
    ['CREATE VIEW v AS SELECT * FROM tags', ['*List the columns', 'CREATE VIEW v AS SELECT post_id, tag FROM tags']],
    [
      'CREATE VIEW v AS SELECT * FROM tags JOIN tags t USING (tag)',
      ['*List the columns', 'CREATE VIEW v AS SELECT tags.post_id, tag, t.post_id FROM tags JOIN tags t USING (tag)'],
      [
        '*List the columns under names of their own',
        'CREATE VIEW v AS SELECT tags.post_id, tag, t.post_id AS t_post_id FROM tags JOIN tags t USING (tag)',
      ],
    ],
  ],
  'LIMIT without ORDER BY': [
    [
      'SELECT line FROM lines LIMIT 2',
      ['Insert ORDER BY order_id, line', 'SELECT line FROM lines ORDER BY order_id, line LIMIT 2'],
    ],
    ['SELECT DISTINCT name FROM users LIMIT 2'],
  ],
  'an unused common table': [
    ['WITH a AS (SELECT 1) SELECT 2', ['*Remove a', 'SELECT 2']],
    ['WITH a AS (SELECT 1), b AS (SELECT 2) SELECT * FROM b', ['*Remove a', 'WITH b AS (SELECT 2) SELECT * FROM b']],
    ['WITH a AS (SELECT 1), b AS (SELECT 2) SELECT * FROM a', ['*Remove b', 'WITH a AS (SELECT 1) SELECT * FROM a']],
  ],
  'a misused aggregate': [
    [
      'SELECT name FROM users WHERE count(*) > 1 AND id > 2 GROUP BY name ORDER BY 1',
      ['*Move to HAVING', 'SELECT name FROM users WHERE id > 2 GROUP BY name HAVING count(*) > 1 ORDER BY 1'],
    ],
    [
      'SELECT name FROM users WHERE id > 2 AND (max(id) > 9) GROUP BY name HAVING name OR 1',
      ['*Move to HAVING', 'SELECT name FROM users WHERE id > 2 GROUP BY name HAVING (name OR 1) AND (max(id) > 9)'],
    ],
    ['SELECT name FROM users WHERE count(*) > 1'],
    ['SELECT name FROM users HAVING id > 2', ['Change to WHERE', 'SELECT name FROM users WHERE id > 2']],
    ['SELECT name FROM users WHERE id > 1 HAVING id > 2'],
  ],
  'a wrong number of values': [
    [
      "INSERT INTO emp VALUES (1, 'a', 2.5, 'b')",
      ['*Insert the list of columns without id', "INSERT INTO emp (mgr, name, salary, dept) VALUES (1, 'a', 2.5, 'b')"],
    ],
    [
      'INSERT INTO emp VALUES (1, 2)',
      ['Insert the list of the first 2 columns', 'INSERT INTO emp (id, mgr) VALUES (1, 2)'],
    ],
    ['INSERT INTO emp VALUES (1)', ['Insert the list of the first column', 'INSERT INTO emp (id) VALUES (1)']],
    ['INSERT INTO tags VALUES (1, 2, 3)'],
  ],
  'a syntax error': [
    ['SELECT * FORM users', ['*Change to FROM', 'SELECT * FROM users']],
    ['selct id from users', ['*Change to select', 'select id from users']],
    ['SELECT id FROM users WHER id = 1', ['*Change to WHERE', 'SELECT id FROM users WHERE id = 1']],
    ['SELECT id, name, FROM users', ['*Remove the comma', 'SELECT id, name FROM users']],
    ['SELECT (1 + 2)) FROM users', ['*Remove )', 'SELECT (1 + 2) FROM users']],
    ['SELECT count(* FROM users', ['*Insert )', 'SELECT count(*) FROM users']],
    ["INSERT INTO tags VALUES (1, 'a') (2, 'b')", ['*Insert ,', "INSERT INTO tags VALUES (1, 'a'), (2, 'b')"]],
    ['SELECT lower(name FROM users', ['*Insert )', 'SELECT lower(name) FROM users']],
    ['SELECT id FROM users WHERE id IN (SELECT (1;', ['*Insert ))', 'SELECT id FROM users WHERE id IN (SELECT (1));']],
    ['SELECT id FROM users ORDER id', ['*Insert BY', 'SELECT id FROM users ORDER BY id']],
    ['INSERT OR IGNORE users (id) VALUES (1)', ['*Insert INTO', 'INSERT OR IGNORE INTO users (id) VALUES (1)']],
    ['INSERT INTO tags (1, 2)'],
    ["INSERT INTO tags (post_id, tag) (1, 'a')", ['*Insert VALUES', "INSERT INTO tags (post_id, tag) VALUES (1, 'a')"]],
    ['DELETE users WHERE id = 1', ['*Insert FROM', 'DELETE FROM users WHERE id = 1']],
    ['UPDATE users name = 1 WHERE id = 1', ['*Insert SET', 'UPDATE users SET name = 1 WHERE id = 1']],
    ['SELECT CASE WHEN id THEN 2 FROM users', ['*Insert END', 'SELECT CASE WHEN id THEN 2 END FROM users']],
    ['SELECT id FROM users WHERE id = = 1'],
    ['SELECT id FROM users WHERE id && name', ['*Change to AND', 'SELECT id FROM users WHERE id AND name']],
    ['SELECT * FROM order', ['*Change to "order"', 'SELECT * FROM "order"']],
    ['SELECT group FROM "order"', ['*Change to "group"', 'SELECT "group" FROM "order"']],
    ['SELECT id FROM users WHERE id IN (SELECT (1', ['*Insert ))', 'SELECT id FROM users WHERE id IN (SELECT (1))']],
    ["SELECT id FROM users WHERE name = 'abc;\n", ["*Insert '", "SELECT id FROM users WHERE name = 'abc';\n"]],
    ["INSERT INTO tags VALUES (1, 'abc);", ["*Insert '", "INSERT INTO tags VALUES (1, 'abc');"]],
    ['SELECT id\nFROM users\nSELECT 1', ['*Insert ;', 'SELECT id\nFROM users;\nSELECT 1']],
  ],
  'a star': [
    ['SELECT ⟦*⟧ FROM tags t', [expand, 'SELECT post_id, tag FROM tags t']],
    ['SELECT count(*), t.⟦⟧* FROM tags t', [expand, 'SELECT count(*), t.post_id, t.tag FROM tags t']],
    [
      'SELECT ⟦*⟧ FROM lines AS "a b" JOIN (SELECT 1 AS line, 2 AS n) AS s USING (line)',
      [
        expand,
        'SELECT "a b".order_id, line, "a b".price, s.n FROM lines AS "a b" JOIN (SELECT 1 AS line, 2 AS n) AS s USING (line)',
      ],
    ],
    ['DELETE FROM tags WHERE tag = 1 RETURNING ⟦*⟧', [expand, 'DELETE FROM tags WHERE tag = 1 RETURNING post_id, tag']],
    [
      'SELECT 1 FROM users WHERE EXISTS (SELECT ⟦*⟧ FROM tags)',
      [expand, 'SELECT 1 FROM users WHERE EXISTS (SELECT post_id, tag FROM tags)'],
    ],
    ['SELECT⟦*⟧FROM[tags]', [expand, 'SELECT post_id, tag FROM[tags]']],
    ['SELECT ⟦⟧1 AS one, * FROM tags'],
  ],
  'the columns of an INSERT': [
    ['INSERT ⟦⟧INTO tags VALUES (1, 2)', [insertList, 'INSERT INTO tags (post_id, tag) VALUES (1, 2)']],
    ['INSERT INTO gen⟦⟧ SELECT 1', [insertList, 'INSERT INTO gen (a) SELECT 1']],
    ['INSERT INTO tags VALUES (1, ⟦⟧2)'],
    ['INSERT INTO tags (tag) ⟦⟧VALUES (1)'],
  ],
  'a selected subquery': [
    [
      'SELECT n FROM ⟦(SELECT count(*) AS n FROM users) c⟧ WHERE n > 1',
      ['Extract to the common table c', 'WITH c AS (SELECT count(*) AS n FROM users)\nSELECT n FROM c WHERE n > 1'],
    ],
    [
      'WITH a AS (SELECT 1 AS x) SELECT x FROM a WHERE x IN (⟦SELECT id FROM users⟧)',
      [
        'Extract to the common table subquery',
        'WITH a AS (SELECT 1 AS x), subquery AS (SELECT id FROM users) SELECT x FROM a WHERE x IN (SELECT * FROM subquery)',
      ],
    ],
    [
      'INSERT INTO tags SELECT id, ⟦(SELECT max(name) FROM users)⟧ FROM posts',
      [
        'Extract to the common table subquery',
        'WITH subquery AS (SELECT max(name) FROM users)\nINSERT INTO tags SELECT id, (SELECT * FROM subquery) FROM posts',
      ],
    ],
    [
      'CREATE VIEW v AS SELECT users.id FROM ⟦(SELECT id FROM users) AS users⟧',
      [
        'Extract to the common table users_2',
        'CREATE VIEW v AS WITH users_2 AS (SELECT id FROM users)\nSELECT users.id FROM users_2 AS users',
      ],
    ],
    ['SELECT id FROM users WHERE id > ? AND id IN (⟦SELECT user_id FROM posts WHERE id = ?⟧)'],
    ['SELECT ⟦id⟧ FROM users'],
  ],
};

/** Statements after whose fixes SQLite still finds a fault: a table of that name is unknown. */
export const keywordsAsTables: readonly Case[] = [
  [
    'SELECT id FROM index',
    ['*Change to indexes', 'SELECT id FROM indexes'],
    ['Change to "index"', 'SELECT id FROM "index"'],
  ],
  [
    'SELECT 1 FROM users u, index i WHERE i.id = u.id',
    ['*Change to indexes', 'SELECT 1 FROM users u, indexes i WHERE i.id = u.id'],
    ['Change to "index"', 'SELECT 1 FROM users u, "index" i WHERE i.id = u.id'],
  ],
  [
    'INSERT INTO index VALUES (1)',
    ['*Change to indexes', 'INSERT INTO indexes VALUES (1)'],
    ['Change to "index"', 'INSERT INTO "index" VALUES (1)'],
  ],
  ['SELECT index FROM users', ['*Change to "index"', 'SELECT "index" FROM users']],
  ['SELECT id FROM table', ['*Change to "table"', 'SELECT id FROM "table"']],
];

/** Statements with several faults. A fix corrects one of them. */
export const severalFaults: readonly Case[] = [
  [
    'UPDATE users SET nam = 1, emial = 2 WHERE id = 2',
    ['*Change to name', 'UPDATE users SET name = 1, emial = 2 WHERE id = 2'],
    ['*Change to email', 'UPDATE users SET nam = 1, email = 2 WHERE id = 2'],
  ],
  [
    'SELECT u.nme FROM users u, pots p WHERE p.user_id = u.id',
    ['*Change to posts', 'SELECT u.nme FROM users u, posts p WHERE p.user_id = u.id'],
    ['*Change to name', 'SELECT u.name FROM users u, pots p WHERE p.user_id = u.id'],
  ],
];
