import assert from 'node:assert/strict';
import { waitForText } from '../support/pageParts.ts';
import { headerNames, runEndless, shopStatements, withoutLimit } from '../support/shopStatements.ts';
import { sampleAddress } from '../support/sampleAddress.ts';
import { goToLine, runFromKeyboard } from '../support/sampleProject.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

workbenchTest('100,000 rows scroll to the last one', { files: shopStatements }, async session => {
  await session.openFile('shop.sql');
  await goToLine(session, 3);
  const results = await runFromKeyboard(session);
  await waitForText(results, /^100,000 rows · \d/);
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
  { files: shopStatements },
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
    assert.deepEqual((await headerNames(results)).slice(-2), ['a', 'a:1']);
  },
);

workbenchTest('running an endless statement again never shows it as stopped', withoutLimit, async session => {
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
  { files: { 'own.sql': shopStatements['shop.sql'] }, settings: { 'sqlProjects.results.maxRows': 1000 } },
  async session => {
    await session.setFolderSettings({
      'sqlProjects.projects': [{ ...(await sampleAddress()), name: 'Own', maxRows: 7 }],
    });
    await session.openView('SQL Projects');
    await session.treeItem('Own').waitFor();
    await session.openFile('own.sql');
    await goToLine(session, 8);
    const results = await runFromKeyboard(session);
    await waitForText(results, /^7\+ rows · Paused · /);
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
