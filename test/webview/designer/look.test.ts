import assert from 'node:assert/strict';
import { button, designPageTest, shownSql } from '../../support/designPage.ts';
import { faintBorders } from '../../support/faintBorders.ts';
import { faintTexts } from '../../support/textContrast.ts';
import { setTheme } from '../../support/webviewThemes.ts';

const setup = [
  'CREATE TABLE regions(code TEXT PRIMARY KEY, title TEXT)',
  `CREATE TABLE customers(
    id INTEGER PRIMARY KEY,
    email TEXT NOT NULL UNIQUE COLLATE NOCASE CHECK (email LIKE '%@%'),
    region TEXT REFERENCES regions(code) ON DELETE SET NULL,
    joined TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
    credit REAL DEFAULT 0,
    UNIQUE (region, email),
    CHECK (credit >= 0)
  )`,
  'CREATE INDEX customers_joined ON customers(joined DESC, lower(email)) WHERE credit > 0',
];

designPageTest(
  'every text has a contrast of 4.5:1 in every theme, and nothing is cut off at 1024 × 700',
  { setup, table: 'customers' },
  async opened => {
    const { page } = opened;
    await page.getByRole('heading', { name: 'Design customers' }).waitFor();
    const name = page.getByRole('textbox', { name: 'Name of credit', exact: true });
    await name.fill('');
    await page.getByText('Enter a name.').first().waitFor();
    for (const [theme, background] of [
      ['light', '#ffffff'],
      ['dark', '#1f1f1f'],
      ['highContrast', '#000000'],
      ['highContrastLight', '#ffffff'],
    ] as const) {
      await setTheme(page, theme);
      await opened.picture(`designer-fault-${theme}`);
      assert.deepEqual(await faintTexts(page, background), [], theme);
      assert.deepEqual(await faintBorders(page), [], theme);
    }
    await page.getByRole('textbox', { name: 'Name of 5', exact: true }).fill('credit_limit');
    await button(page, 'Details of email').click();
    await page.getByText(/statements? changes? the table in place/).waitFor();
    for (const theme of ['light2026', 'dark2026', 'highContrast', 'highContrastLight'] as const) {
      await setTheme(page, theme);
      await opened.picture(`designer-${theme}`);
      assert.deepEqual(await faintBorders(page), [], theme);
    }
    await page.setViewportSize({ width: 1400, height: 800 });
    await opened.picture('designer-wide');
    await page.setViewportSize({ width: 660, height: 620 });
    await opened.picture('designer-narrow');
    const isCut = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
    assert.equal(isCut, false);
    assert.ok((await shownSql(page)).length > 0);
  },
);
