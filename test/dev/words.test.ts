import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readableTexts, textsOfSource } from '../../.dev/words/readableTexts.ts';
import { wordFaultsOf } from '../../.dev/words/wordRules.ts';
import { repositoryRoot } from '../support/workbench/workbenchPaths.ts';

const host = 'src/host/planted.ts';

/** The messages of the rules about texts of one file of the host. */
function faultsIn(...texts: readonly (string | readonly [use: string, text: string])[]): string[] {
  const readable = texts.map(entry => {
    const [use, text] = typeof entry === 'string' ? ['', entry] : entry;
    return { file: host, line: 1, use, text };
  });
  return wordFaultsOf(readable).map(({ message }) => message);
}

test('the list has the texts of the manifest, the host, its pages, the language server, the service and the client', () => {
  const texts = readableTexts();
  const files = new Set(texts.map(({ file }) => file.split('/').slice(0, 2).join('/')));
  for (const folder of [
    'package.nls.json',
    'src/host',
    'webview/grid',
    'webview/settings',
    'webview/designer',
    'src/protocol',
    'src/sql',
    'src/language',
    'src/service',
    'src/client',
  ]) {
    assert.ok(files.has(folder), folder);
  }
  assert.ok(texts.length > 1000, `${texts.length} texts`);
  assert.deepEqual(texts, readableTexts(), 'the order is stable');
});

test('no text breaks a rule of words (`npm run words -- --faults` lists them)', () => {
  const faults = wordFaultsOf(readableTexts()).map(
    ({ text: { file, line, text }, message }) => `${file}:${line} ${text}: ${message}`,
  );
  assert.deepEqual(faults, []);
});

test('texts of the host and its pages are those of l10n.t, of t and of errors, with their uses', () => {
  const source = `
    const title = vscode.l10n.t('Find Table');
    const labels = { rows: isOne ? l10n.t('1 row') : l10n.t('{0} rows', 'is no text'), id: 'one.two three four' };
    show(withoutIcons(vscode.l10n.t('It\\'s here: {0}', \`\${a / b} of the \${c}\`)));
    throw new ProjectError('misuse', 'gone', \`No key is set for \${name}.\`);
    const pattern = /'not a text/.test(title);
    button.title = t('Retry');
    // vscode.l10n.t('A comment')`;
  assert.deepEqual(
    textsOfSource(host, source).map(({ use, text, line }) => [line, use, text]),
    [
      [2, 'title', 'Find Table'],
      [3, 'rows', '1 row'],
      [3, 'rows', '{0} rows'],
      [4, 'show', "It's here: {0}"],
      [5, 'ProjectError', 'No key is set for {0}.'],
      [7, 'title', 'Retry'],
    ],
  );
});

test('elsewhere, literals that read as sentences or titles are texts, and joined literals are one', () => {
  const source = `
    const message = \`The file \${file} is damaged: \${JSON.stringify({ a: 'The inner one' })}. \` + 'Choose another file.';
    const sql = 'SELECT name FROM tables ORDER BY place, type, name';
    const path = './folder/file.ts';
    fixes.push({ title: 'Remove it', code: 'remove-it' });`;
  assert.deepEqual(
    textsOfSource('src/service/planted.ts', source).map(({ text }) => text),
    ['The inner one', 'The file {0} is damaged: {1}. Choose another file.', 'Remove it'],
  );
});

test('a text with a replaced word is refused, and the message names the right word', () => {
  assert.deepEqual(faultsIn('Color of the project'), []);
  assert.deepEqual(faultsIn('Colour of the project'), ['"Colour": write color.']);
  assert.deepEqual(faultsIn('Check the base URL.'), ['"base URL": write address.']);
  assert.deepEqual(faultsIn('The service does not tell the schema.'), ['"tell": write say, find, distinguish.']);
  assert.deepEqual(faultsIn(['action.retry', 'Try Again']), ['"Try Again": write Retry.']);
  assert.deepEqual(faultsIn('Free some space, then try again.'), []);
  assert.deepEqual(faultsIn('The rows are sorted on the server.'), ['"on the server": write by the service.']);
  assert.deepEqual(faultsIn('It is kept in the secret storage.'), [
    `"secret storage": write stored in VS Code's secret storage.`,
  ]);
  assert.deepEqual(faultsIn("It is stored in VS Code's secret storage."), []);
});

test('buttons and commands are in title case', () => {
  assert.deepEqual(faultsIn('Go to Row…', 'Copy as CSV without Headers', 'Copy as IN List', 'Auto-size Column'), []);
  assert.deepEqual(faultsIn('Enter another key'), ['Title case for a button or command: another, key.']);
  assert.deepEqual(faultsIn('Copy As CSV'), ['Title case for a button or command: As.']);
  assert.deepEqual(faultsIn(['command.protectProject', 'Protection of project…']), [
    'Title case for a button or command: project.',
  ]);
  assert.deepEqual(faultsIn('Choose another name.', ['placeholder', 'Choose a table']), []);
});

test('a sentence ends with a full stop', () => {
  assert.deepEqual(faultsIn('The schema was read'), ['A sentence ends with a full stop.']);
  assert.deepEqual(faultsIn('A number from 1 to {0}', 'Rows of {0}', 'The service did not start: {0}'), []);
});

test('names are in single quotes', () => {
  assert.deepEqual(faultsIn('There is no column “{0}”.'), ["Names stand in single quotes: '{0}'."]);
  assert.deepEqual(faultsIn("There is no column '{0}'."), []);
});

test('a number beside a plural has another text for 1', () => {
  assert.deepEqual(faultsIn('{0} rows'), ['"rows" needs another text for 1 row.']);
  assert.deepEqual(faultsIn('{0} rows', '1 row'), []);
  assert.deepEqual(faultsIn('{0} row(s)'), ['"(s)": write two texts, for one and for more.']);
});

test('one text has one spelling, with or without an ellipsis', () => {
  assert.deepEqual(faultsIn('Load More', 'Load More…'), []);
  assert.deepEqual(faultsIn('Key of it', 'Key Of It'), [
    `Also written "Key Of It" (${host}).`,
    `Also written "Key of it" (${host}).`,
  ]);
});

test('comments and the names of tests begin with their subject', () => {
  const late = '(?:What|Who|Whoever|Whatever|Of|Those|For so|So many|So much) ';
  const inComment = new RegExp(`^\\s*(?:/\\*\\*|\\*|//) (?:.*\\. )?${late}`);
  const inTestName = new RegExp(`\\b[tT]est\\(\\s*['\`]${late}`, 'i');
  const faults: string[] = [];
  for (const file of globSync('{src,webview,test,.dev}/**/*.{ts,tsx}', { cwd: repositoryRoot })) {
    for (const [nth, line] of readFileSync(join(repositoryRoot, file), 'utf8').split('\n').entries()) {
      if (inTestName.test(line) || inComment.test(line)) faults.push(`${file}:${nth + 1} ${line.trim()}`);
    }
  }
  assert.deepEqual(faults, []);
});
