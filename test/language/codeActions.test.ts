import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { codeActions, textAfter } from '../support/codeActions.ts';
import { type LanguageServerOptions, startLanguageServer, type TestDocument } from '../support/languageServer.ts';

const ddl =
  'CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE posts (id INTEGER PRIMARY KEY, user_id INTEGER)';

interface Selected {
  readonly document: TestDocument;
  readonly titles: readonly string[];
  /** The text after the action with a title. */
  readonly after: (title: string) => string;
}

/** The actions at the selection `⟦…⟧` of a document. */
async function actionsAt(
  context: TestContext,
  marked: string,
  options: LanguageServerOptions & { readonly only?: readonly string[]; readonly languageId?: string } = {},
): Promise<Selected> {
  const { only, languageId, ...serverOptions } = options;
  const server = await startLanguageServer(context, { ddl, ...serverOptions });
  const start = marked.indexOf('⟦');
  const end = marked.indexOf('⟧') - 1;
  const document = await server.open(marked.replace('⟦', '').replace('⟧', ''), languageId ? { languageId } : {});
  const range = { start: document.positionAt(start), end: document.positionAt(end) };
  const actions = await codeActions(document, { range, ...(only && { only }) });
  const after = (title: string): string => {
    const action = actions.find(one => one.title === title);
    assert.ok(action, `${title} is not among ${actions.map(one => one.title).join(', ')}`);
    return textAfter(document, action);
  };
  return { document, titles: actions.map(({ title }) => title), after };
}

test('a fix changes its statement only, wherever that is', async context => {
  const text = 'SELECT 1;\nSELECT nm⟦⟧e\nFROM users; SELECT nme FROM users';
  const { after } = await actionsAt(context, text);
  assert.equal(after('Change to name'), 'SELECT 1;\nSELECT name\nFROM users; SELECT nme FROM users');
});

test('only the fixes at the selection are offered, and only of the requested kinds', async context => {
  const statements = 'DELETE FROM users; ⟦SELECT * FROM posts; SELECT nme FROM users⟧';
  assert.deepEqual((await actionsAt(context, statements)).titles, ['Change to name']);
  const star = 'SELECT ⟦*⟧ FROM usrs; SELECT id FROM posts LIMIT 1';
  assert.deepEqual((await actionsAt(context, star)).titles, []);
  const both = 'DELETE FROM users RETURNING ⟦*⟧';
  assert.deepEqual((await actionsAt(context, both, { only: ['refactor'] })).titles, [
    'Expand * to the list of columns',
  ]);
  assert.deepEqual((await actionsAt(context, both, { only: ['refactor.extract'] })).titles, []);
  assert.deepEqual((await actionsAt(context, both, { only: ['source.fixAll'] })).titles, []);
});

test('a lint that is turned off offers no fix', async context => {
  const text = '⟦DELETE⟧ FROM users';
  assert.deepEqual((await actionsAt(context, text)).titles, ['Insert WHERE id = ?']);
  const settings = { 'lint.rules': { missing_where: 'off' } };
  assert.deepEqual((await actionsAt(context, text, { settings })).titles, []);
});

test('a rewrite is offered only if SQLite accepts its result with the same columns', async context => {
  const titlesOf = async (text: string, options?: LanguageServerOptions): Promise<readonly string[]> =>
    (await actionsAt(context, text, options)).titles;
  const extraction = 'Extract to the common table subquery';
  assert.deepEqual(await titlesOf('SELECT id FROM users u WHERE id IN (⟦SELECT user_id FROM posts⟧)'), [extraction]);
  // This subquery reads the query around it.
  assert.deepEqual(
    await titlesOf('SELECT id FROM users u WHERE id IN (⟦SELECT user_id FROM posts WHERE id = u.id⟧)'),
    [],
  );
  assert.deepEqual(
    await titlesOf('SELECT ⟦*⟧ FROM users, posts'),
    ['Expand * to the list of columns', 'List the columns under names of their own'].toReversed(),
  );
  // A column without a name cannot be listed.
  assert.deepEqual(await titlesOf('SELECT ⟦*⟧ FROM (SELECT count(*), 1 AS one FROM users)'), []);
  assert.deepEqual(await titlesOf('CREATE VIEW v AS SELECT ⟦*⟧ FROM (SELECT count(*), 1 AS one FROM users)'), []);
  assert.deepEqual(await titlesOf('⟦INSERT⟧ INTO users SELECT 1, 2'), ['Insert the list of columns']);
  assert.deepEqual(await titlesOf('⟦INSERT⟧ INTO users SELECT 1'), []);
  const noSchema = { ddl: [] };
  assert.deepEqual(await titlesOf('SELECT id FROM users u WHERE id IN (⟦SELECT user_id FROM posts⟧)', noSchema), []);
});

test('a fix of the columns of a view lists those of its query', async context => {
  const { after } = await actionsAt(context, 'CREATE TABLE t (a, b);\nCREATE VIEW v AS SELECT ⟦*⟧ FROM t;');
  assert.equal(after('List the columns'), 'CREATE TABLE t (a, b);\nCREATE VIEW v AS SELECT a, b FROM t;');
});

test('a fix in a literal of a program is escaped, and leaves its code alone', async context => {
  const quoted = await actionsAt(context, 'q(/* sql */ \'SELECT id FROM users WHERE name = ⟦"a"⟧\')', {
    languageId: 'typescript',
  });
  assert.equal(quoted.after("Change to 'a'"), "q(/* sql */ 'SELECT id FROM users WHERE name = \\'a\\'')");
  const code = await actionsAt(
    context,
    'sql`SELECT id FROM users WHERE id IN (⟦SELECT user_id FROM posts WHERE id = ${id}⟧) AND name = NULL`',
    { languageId: 'typescript' },
  );
  assert.deepEqual(code.titles, []);
});
