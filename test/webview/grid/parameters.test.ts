import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { ParameterFields } from '../../../src/model/parameters/parameterFields.ts';
import { boundValue, type TypedValue } from '../../../src/model/parameters/parameterValues.ts';
import type { ParameterFormView } from '../../../src/protocol/parameterForm.ts';
import { faintTexts } from '../../support/textContrast.ts';
import { extensionUri, webviewIn } from '../../support/webviewHost.ts';
import { pageTest } from '../../support/webviewPage.ts';
import { setTheme, themeNames } from '../../support/webviewThemes.ts';

const { serveMethods } = await import('../../../src/protocol/bridge.ts');
const { formMethods } = await import('../../../src/protocol/gridBridge.ts');
const { ResultPage } = await import('../../../src/host/results/resultPage.ts');
const { panelForms } = await import('../../../src/host/results/panelForm.ts');
const { formViewOf } = await import('../../../src/host/running/parameterForm.ts');

const sql = 'SELECT ? FROM t WHERE id = ? AND name = ?';
const columnsOf = () => [
  { name: 'id', type: 'INTEGER' },
  { name: 'name', type: 'TEXT' },
];

interface Fixture {
  readonly page: Page;
  readonly fields: ParameterFields;
  /** The indexes of the fields that the user was at. */
  readonly focused: number[];
  /** Settles when the form is closed. */
  readonly answer: Promise<readonly TypedValue[] | undefined>;
  readonly field: (name: string) => ReturnType<Page['getByRole']>;
}

type Values = readonly (TypedValue | undefined)[];

/** The form of a statement in the page of the results, with the host's part. */
function formTest(name: string, recent: readonly Values[], body: (fixture: Fixture) => Promise<void>): void {
  pageTest(name, async ({ page }) => {
    const { webview, load } = webviewIn(page);
    const forms = panelForms(form => resultPage.notify('form', { form }));
    const resultPage = new ResultPage({
      extensionUri,
      webview,
      title: 'Results',
      isVisible: () => true,
      exportRows: () => Promise.resolve(),
      onReady: () => forms.send(),
      methods: serveMethods(formMethods, {
        focusParameter: ({ id, index }) => forms.focus(id, index),
        submitParameters: ({ id, values }) => forms.submit(id, values),
        cancelParameters: ({ id }) => forms.cancel(id),
      }),
    });
    const fields = new ParameterFields(sql, recent[0] ?? []);
    const profile = { name: 'Shop' } as never;
    const view = (): ParameterFormView =>
      formViewOf({ profile, sql, fields, recent, start: 0, number: 1, totalCount: 1 }, 'form');
    const focused: number[] = [];
    const answer = forms.prompt(
      {
        view,
        onChange: fields.onHintsChanged,
        onFocus: index => focused.push(index),
        faultsOf: values =>
          values.flatMap((value, index) =>
            boundValue(value) === undefined ? [{ index, message: `This is no ${value.type}.` }] : [],
          ),
      },
      () => Promise.resolve(),
    );
    try {
      await load();
      await page.getByRole('dialog', { name: 'Parameters of the statement in Shop' }).waitFor();
      const field = (label: string) => page.getByRole('textbox', { name: label, exact: true });
      await body({ page, fields, focused, answer, field });
    } finally {
      resultPage.dispose();
    }
  });
}

formTest('the form has all parameters, Tab moves between them, and Enter runs when all are there', [], async form => {
  const { page, fields, field, focused, answer } = form;
  const { keyboard } = page;
  await field('1. parameter').and(page.locator(':focus')).waitFor();
  fields.learnColumns(columnsOf);
  await field('2. t.id').and(page.getByPlaceholder('integer, required')).waitFor();
  // A value without a column has the type of its text.
  await keyboard.type('1.5');
  assert.equal(await page.getByRole('combobox', { name: 'Type of 1. parameter' }).inputValue(), 'real');
  await keyboard.press('Tab');
  await field('2. t.id').and(page.locator(':focus')).waitFor();
  await keyboard.type('7x');
  // Enter goes to the value that is missing.
  await keyboard.press('Enter');
  await field('3. t.name').and(page.locator(':focus')).waitFor();
  await page.getByText('Enter a value.').waitFor();
  for (const theme of themeNames) {
    await setTheme(page, theme);
    const background = await page.evaluate(() =>
      getComputedStyle(document.documentElement).getPropertyValue('--vscode-panel-background'),
    );
    assert.deepEqual(await faintTexts(page, background), [], theme);
  }
  await keyboard.type('Ann');
  await keyboard.press('Enter');
  await page.getByText('This is no integer.').waitFor();
  await field('2. t.id').and(page.locator(':focus')).waitFor();
  await keyboard.type('9007199254740993');
  await keyboard.press('Enter');
  assert.deepEqual(await answer, [
    { type: 'real', text: '1.5' },
    { type: 'integer', text: '9007199254740993' },
    { type: 'text', text: 'Ann' },
  ]);
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  assert.deepEqual(focused, [0, 1, 2, 1]);
});

const text = (value: string): TypedValue => ({ type: 'text', text: value });
const sets: readonly Values[] = [
  [text('a'), { type: 'integer', text: '1' }, text('b')],
  [text('c'), { type: 'integer', text: '2' }, { type: 'null', text: '' }],
];

formTest('the last values are there, earlier sets can be chosen, and a key sets the type', sets, async form => {
  const { page, field, answer } = form;
  await field('1. parameter').and(page.locator(':focus')).waitFor();
  assert.equal(await field('3. t.name').inputValue(), 'b');
  await page.getByRole('combobox', { name: 'Recent Values' }).selectOption("'c', 2, NULL");
  assert.equal(await field('1. parameter').inputValue(), 'c');
  await field('2. t.id').focus();
  await page.keyboard.press('Control+Space');
  assert.equal(await page.getByRole('combobox', { name: 'Type of 2. t.id' }).inputValue(), 'real');
  await page.keyboard.press('Enter');
  assert.deepEqual(await answer, [text('c'), { type: 'real', text: '2' }, { type: 'null', text: '' }]);
});

formTest('Escape closes the form and runs nothing', [], async ({ page, answer }) => {
  // Elements behind the form take no focus until it is closed.
  const inert = page.locator('body > [inert]');
  assert.ok((await inert.count()) > 0);
  await page.keyboard.press('Escape');
  assert.equal(await answer, undefined);
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  assert.equal(await inert.count(), 0);
});
