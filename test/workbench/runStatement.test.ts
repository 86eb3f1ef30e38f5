import assert from 'node:assert/strict';
import type { FrameLocator, Locator } from 'playwright-core';
import { sampleAddress } from '../support/sampleAddress.ts';
import { goToLine, openSampleProject, runFromKeyboard } from '../support/sampleProject.ts';
import type { WorkbenchSession } from '../support/workbench/session.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const script = `SELECT * FROM customers LIMIT 5;

SELECT * FROM order_lines;
SELECT '<b>bold</b>' AS markup, NULL AS missing, '' AS empty, 9007199254740993 AS big, 1 AS a, 2 AS a;
SELECT * FROM nowhere;
UPDATE products SET stock = stock WHERE id <= 3;
SELECT id FROM customers WHERE id < 0;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n;
`;
const files = { 'shop.sql': script };
const endlessOptions = { files, settings: { 'sqlProjects.results.maxRows': Number.MAX_SAFE_INTEGER } };

/** Runs an endless statement, and returns the results view with its first rows. */
async function runEndless(session: WorkbenchSession): Promise<FrameLocator> {
  await session.openFile('shop.sql');
  await goToLine(session, 8);
  const results = await runFromKeyboard(session);
  await results.getByRole('gridcell', { name: '5', exact: true }).waitFor();
  return results;
}

/** The names of the columns in view. The type of a column is below its name in the text. */
async function headerNames(grid: Locator | FrameLocator): Promise<(string | undefined)[]> {
  const texts = await grid.getByRole('columnheader').allInnerTexts();
  return texts.map(text => text.split('\n')[0]);
}

workbenchTest('Run Statement shows the rows of the statement under the cursor', { files }, async session => {
  await openSampleProject(session);
  await session.openFile('shop.sql');
  const results = await runFromKeyboard(session);
  const grid = results.getByRole('grid', { name: 'Rows of Sample Shop' });
  await grid.and(results.locator('[aria-rowcount="6"]')).waitFor();
  await grid.getByRole('row').nth(5).waitFor();
  assert.equal((await headerNames(grid)).join(), 'id,name,email,city,country,newsletter,note,created_at');
  assert.equal(await grid.getByRole('row').count(), 6);
  await results
    .getByText(/^5 rows · /)
    .first()
    .waitFor();
  // Typing shows that the focus stays in the editor.
  await session.page.keyboard.type('-- typed');
  await session.page.getByRole('code').getByText('-- typed').waitFor();
});

workbenchTest('100,000 rows scroll to the last one', { files }, async session => {
  await session.openFile('shop.sql');
  await goToLine(session, 3);
  const results = await runFromKeyboard(session);
  await results
    .getByText(/^100,000 rows · \d/)
    .first()
    .waitFor();
  const grid = results.getByRole('grid');
  await grid.focus();
  await session.page.keyboard.press('Control+End');
  await grid.locator('[aria-rowindex="100001"]').getByRole('gridcell').first().waitFor();
  await grid.getByRole('gridcell', { name: '36000', exact: true }).first().waitFor();
  await session.page.keyboard.press('Control+Home');
  await grid.locator('[aria-rowindex="2"]').getByRole('gridcell', { name: '1', exact: true }).first().waitFor();
});

workbenchTest(
  'values show exactly: markup as text, NULL unlike an empty text, and all digits',
  { files },
  async session => {
    await session.openFile('shop.sql');
    await goToLine(session, 4);
    const results = await runFromKeyboard(session);
    const row = results.getByRole('row').nth(1);
    await row.waitFor();
    assert.deepEqual(await row.getByRole('gridcell').allTextContents(), [
      '<b>bold</b>',
      'NULL',
      '',
      '9007199254740993',
      '1',
      '2',
    ]);
    assert.deepEqual((await headerNames(results)).slice(-2), ['a', 'a (2)']);
  },
);

workbenchTest(
  'a statement without rows shows what it changed, that it found none, or why it failed',
  { files },
  async session => {
    await session.openFile('shop.sql');
    await goToLine(session, 6);
    const results = await runFromKeyboard(session);
    await results
      .getByText(/^3 rows changed · /)
      .first()
      .waitFor();
    await goToLine(session, 7);
    await runFromKeyboard(session);
    await results.getByText('No rows').waitFor();
    await goToLine(session, 5);
    await runFromKeyboard(session);
    await results.getByRole('alert').filter({ hasText: "Line 5, column 15: no such table 'nowhere'" }).waitFor();
  },
);

workbenchTest('an endless statement can be stopped and keeps its rows', endlessOptions, async session => {
  const results = await runEndless(session);
  await results.getByRole('button', { name: 'Stop', exact: true }).click();
  await results
    .getByText(/ · Cancelled after \d/)
    .first()
    .waitFor();
  await results.getByRole('gridcell', { name: '5', exact: true }).waitFor();
});

workbenchTest('running an endless statement again never shows it as stopped', endlessOptions, async session => {
  const results = await runEndless(session);
  const seen = await results.locator('body').evaluateHandle(body => {
    const states = { hasRestarted: false, wasStopped: false };
    let maxRows = 0;
    const look = (): void => {
      const rows = Number(/([\d,]+) rows/.exec(body.textContent)?.[1]?.replaceAll(',', '') ?? 0);
      if (rows < maxRows) states.hasRestarted = true;
      maxRows = rows;
      if (body.textContent.includes(' · Cancelled after ')) states.wasStopped = true;
    };
    new MutationObserver(look).observe(body, { subtree: true, childList: true, characterData: true });
    look();
    return states;
  });
  await session.page.keyboard.press('Control+Enter');
  await waitUntil(() => seen.evaluate(({ hasRestarted }) => hasRestarted), {
    what: 'the statement does not run again',
  });
  assert.equal(await seen.evaluate(({ wasStopped }) => wasStopped), false);
  await results.getByRole('button', { name: 'Stop', exact: true }).click();
});

const sortedQuery =
  'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 300000) SELECT i FROM n ORDER BY -i';

workbenchTest(
  'the old rows scroll until the next run has rows',
  { files: { 'sorted.sql': sortedQuery } },
  async session => {
    await session.openFile('sorted.sql');
    const results = await runFromKeyboard(session);
    const ended = results.getByText(/^300,000 rows · \d/).first();
    await ended.waitFor();
    const seen = await results.locator('body').evaluateHandle(body => {
      const states = { hasRestarted: false, failures: new Set<string>() };
      const scroll = (): void => {
        const grid = body.querySelector('[role="grid"]');
        grid?.scrollTo(0, Math.random() * grid.scrollHeight);
        if (!states.hasRestarted) requestAnimationFrame(scroll);
      };
      const look = (): void => {
        if (!body.textContent.includes('300,000 rows')) states.hasRestarted = true;
        for (const { textContent } of body.querySelectorAll('[role="alert"]')) {
          if (textContent !== '') states.failures.add(textContent);
        }
      };
      new MutationObserver(look).observe(body, { subtree: true, childList: true, characterData: true });
      scroll();
      return states;
    });
    await session.page.keyboard.press('Control+Enter');
    await waitUntil(() => seen.evaluate(({ hasRestarted }) => hasRestarted), {
      what: 'the statement does not run again',
    });
    await ended.waitFor();
    assert.deepEqual(await seen.evaluate(({ failures }) => [...failures]), []);
  },
);

workbenchTest(
  'the row limit of a project overrides the general setting',
  { files: { 'own.sql': script }, settings: { 'sqlProjects.results.maxRows': 1000 } },
  async session => {
    await session.setFolderSettings({
      'sqlProjects.projects': [{ ...(await sampleAddress()), name: 'Own', maxRows: 7 }],
    });
    await session.openView('SQL Projects');
    await session.treeItem('Own').waitFor();
    await session.openFile('own.sql');
    await goToLine(session, 8);
    const results = await runFromKeyboard(session);
    await results
      .getByText(/^7\+ rows · Paused · /)
      .first()
      .waitFor();
  },
);

workbenchTest(
  'Ctrl+Enter keeps its meaning outside SQL editors',
  { files: { 'notes.txt': 'first' } },
  async session => {
    await session.openFile('notes.txt');
    await session.page.keyboard.press('Control+Enter');
    await session.waitForCursor(2);
  },
);
