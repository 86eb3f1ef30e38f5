import assert from 'node:assert/strict';
import { messageOf } from '../../../src/base/errors.ts';
import { Catalog } from '../../../src/model/catalog/catalog.ts';
import { openStatementRuns } from '../../support/statementRuns.ts';
import { faintTexts } from '../../support/textContrast.ts';
import { extensionUri, webviewIn } from '../../support/webviewHost.ts';
import { pageTest } from '../../support/webviewPage.ts';
import { setTheme, themeNames } from '../../support/webviewThemes.ts';
import { waitUntil } from '../../support/workbench/waitUntil.ts';

const vscode = await import('vscode');
const { ResultPage } = await import('../../../src/host/results/resultPage.ts');
const { ResultTab } = await import('../../../src/host/results/resultTab.ts');
const { actionsOf } = await import('../../../src/host/results/resultActions.ts');
const { statementFault } = await import('../../../src/host/running/statementFault.ts');
const { errorHint } = await import('../../../src/sql/fixes/errorHint.ts');

const { client, projectId, newRun } = await openStatementRuns();

const sql = 'SELECT id,\n       nme\nFROM problem_pets';
await client.execSql(projectId, { sql: 'CREATE TABLE problem_pets(id, name)' });
/** A document that holds the statement from its 16th line on. */
const lines = [...Array.from({ length: 15 }, () => ''), sql];
const document = {
  uri: { toString: () => 'file:///shop.sql' },
  positionAt(offset: number) {
    const before = lines.join('\n').slice(0, offset).split('\n');
    return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
  },
};

pageTest('an error has its place, a suggestion, a way to it, and its code under Details', async ({ page }) => {
  (vscode.workspace as unknown as { textDocuments: object[] }).textDocuments = [document];
  const run = newRun(sql);
  const tab = new ResultTab(run, {
    profile: { id: 'shop', name: 'Shop', protection: 'open', color: undefined },
    statement: sql,
    origin: { uri: 'file:///shop.sql', start: 15, end: 15 + sql.length, isUnchanged: true },
    faultOf: (error, message) => statementFault(sql, error, message),
  });
  const { webview, load } = webviewIn(page);
  const acted: string[] = [];
  const resultPage = new ResultPage<typeof tab>({
    extensionUri,
    webview,
    title: 'Results',
    isVisible: () => true,
    exportRows: () => Promise.resolve(),
    methods: {},
    actions: { of: result => actionsOf(result, 'panel'), act: action => void acted.push(action) },
  });
  try {
    await resultPage.show(tab);
    await load();
    await run.start();
    const alert = page.getByRole('alert').filter({ visible: true, hasText: 'Line' });
    await alert.filter({ hasText: /^Line 17, column 8: no such column 'nme'$/ }).waitFor();
    const catalog = new Catalog(() => Promise.resolve(client.project(projectId)));
    run.suggest((await errorHint(messageOf(run.error), sql, catalog)) ?? '');
    await alert.filter({ hasText: "no such column 'nme'. Did you mean 'name'?" }).waitFor();

    await alert.getByText('Line 17').click();
    await page.getByRole('button', { name: 'Go to Error', exact: true }).last().click();
    await waitUntil(() => acted.length === 2, { what: 'the error is not gone to' });
    assert.deepEqual(acted, ['goToError', 'goToError']);
    const code = page.getByText('Error code: sql_error');
    await code.waitFor({ state: 'hidden' });
    await page.getByText('Details', { exact: true }).click();
    await code.waitFor();
    for (const theme of themeNames) {
      await setTheme(page, theme);
      const background = await page.evaluate(() =>
        getComputedStyle(globalThis.document.documentElement).getPropertyValue('--vscode-panel-background'),
      );
      assert.deepEqual(await faintTexts(page, background), [], theme);
    }
  } finally {
    resultPage.dispose();
    await run.dispose();
  }
});

pageTest('columns of the same name are numbered, and their tooltip says how to name them', async ({ page }) => {
  const twoColumns = 'SELECT 1 AS a, 2 AS a';
  const run = newRun(twoColumns);
  const tab = new ResultTab(run, {
    profile: { id: 'shop', name: 'Shop', protection: 'open', color: undefined },
    statement: twoColumns,
  });
  const { webview, load } = webviewIn(page);
  const resultPage = new ResultPage({
    extensionUri,
    webview,
    title: 'Results',
    isVisible: () => true,
    exportRows: () => Promise.resolve(),
    methods: {},
  });
  try {
    await resultPage.show(tab);
    await load();
    await run.start();
    const header = page.getByRole('columnheader', { name: 'a:1', exact: true });
    await header.waitFor();
    assert.match((await header.getAttribute('title')) ?? '', /also named 'a'\. Use AS to give each its own name\.$/);
    const first = page.getByRole('columnheader', { name: 'a', exact: true });
    assert.doesNotMatch((await first.getAttribute('title')) ?? '', /AS/);
  } finally {
    resultPage.dispose();
    await run.dispose();
  }
});
