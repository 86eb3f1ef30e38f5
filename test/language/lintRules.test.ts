import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { DiagnosticSeverity, DiagnosticTag } from 'vscode-languageserver-protocol';
import { defaultLintRules, lintCodes, lintLevels } from '../../src/sql/lints/lint.ts';
import { startLanguageServer, type TestDocument } from '../support/languageServer.ts';
import { repositoryRoot } from '../support/workbench/workbenchPaths.ts';

const ddl = 'CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE posts (id INTEGER, user_id INTEGER)';
const text =
  'DELETE FROM posts;\nSELECT id FROM users WHERE name = NULL LIMIT 1;\nWITH a AS (SELECT 1) SELECT nme FROM users;';

const shown = async (document: TestDocument): Promise<string[]> =>
  (await document.diagnostics()).map(({ range, code, severity }) => `${severity} ${code}: ${document.textOf(range)}`);

test('lints are shown with the faults, each at its level, with a page', async context => {
  const server = await startLanguageServer(context, { ddl });
  const document = await server.open(text);
  assert.deepEqual(await shown(document), [
    `${DiagnosticSeverity.Error} unknown_column: nme`,
    `${DiagnosticSeverity.Warning} missing_where: DELETE`,
    `${DiagnosticSeverity.Warning} equals_null: = NULL`,
    `${DiagnosticSeverity.Hint} limit_without_order: LIMIT`,
    `${DiagnosticSeverity.Hint} unused_common_table: a AS (SELECT 1)`,
  ]);
  const lints = (await document.diagnostics()).slice(1);
  assert.deepEqual(
    lints.map(({ tags }) => tags),
    [undefined, undefined, undefined, [DiagnosticTag.Unnecessary]],
  );
  for (const { code, codeDescription } of lints) {
    assert.match(readFileSync(fileURLToPath(codeDescription?.href ?? ''), 'utf8'), new RegExp(`\`${code}\``));
  }
});

test('a setting changes the level of a lint or turns it off, and a slip in one rule keeps the others', async context => {
  const rules = { missing_where: 'error', equals_null: 'off', limit_without_order: 'loud', unused_common_table: 'off' };
  const server = await startLanguageServer(context, { ddl, settings: { 'lint.rules': rules } });
  const document = await server.open(text);
  assert.deepEqual(await shown(document), [
    `${DiagnosticSeverity.Error} unknown_column: nme`,
    `${DiagnosticSeverity.Error} missing_where: DELETE`,
    `${DiagnosticSeverity.Hint} limit_without_order: LIMIT`,
  ]);
  await server.changeSettings({});
  await server.diagnosticsWhere(document.uri, ({ diagnostics }) => diagnostics.length === 5);
});

test('with a setting, a blank line ends a statement', async context => {
  const server = await startLanguageServer(context, { ddl });
  const document = await server.open('SELECT name FROM users\n\nSELECT nme FROM users');
  assert.deepEqual(await shown(document), [`${DiagnosticSeverity.Error} syntax_error: SELECT`]);
  await server.changeSettings({ 'run.statementEnd': 'blankLine' });
  await server.diagnosticsWhere(document.uri, ({ diagnostics }) => diagnostics[0]?.code === 'unknown_column');
  assert.deepEqual(await shown(document), [`${DiagnosticSeverity.Error} unknown_column: nme`]);
});

test('each lint has a rule in the settings with its default, and a page that says how to turn it off', () => {
  const manifest = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as {
    contributes: { configuration: { properties: Record<string, { default: unknown; properties: unknown }> } };
  };
  const setting = manifest.contributes.configuration.properties['sqlProjects.lint.rules'];
  assert.deepEqual(setting?.default, defaultLintRules);
  const rules = lintCodes.map(code => [
    code,
    {
      enum: lintLevels,
      default: defaultLintRules[code],
      markdownDescription: `%configuration.lint.rules.${code}%`,
    },
  ]);
  assert.deepEqual(setting.properties, Object.fromEntries(rules));
  const pages = globSync('media/docs/lints/*.md', { cwd: repositoryRoot });
  assert.deepEqual(pages.map(page => basename(page, '.md')).toSorted(), lintCodes.toSorted());
  for (const code of lintCodes) {
    const page = readFileSync(join(repositoryRoot, `media/docs/lints/${code}.md`), 'utf8');
    assert.match(page, /^# .+ \(`\w+`\)\n\n\S/);
    assert.match(page, /\*\*What to do:\*\*/);
    assert.ok(page.includes(`"sqlProjects.lint.rules": { "${code}": "off" }`), code);
  }
});
