import type { Locator, Page } from 'playwright-core';

/* Parts of VS Code's editors. Those without a role are found by their class, which stands only here. */

/** The lines of the editors that are in view. */
export const editorLines = (page: Page): Locator => page.locator('.view-line');

/** The pieces of lines that have one color each. */
export const codeTokens = (lines: Locator): Locator => lines.locator('span span');

/** The underlines of problems. */
export const problemMarks = (page: Page, severity: 'error' | 'warning' = 'error'): Locator =>
  page.locator(`.squiggly-${severity}`);

/** The marks beside lines, such as those of statements that ran. */
export const marginIcons = (page: Page): Locator => page.locator('.glyph-margin-widgets .cgmr');

/** The decorations of extensions in lines, such as the background of the statement at the cursor. */
export const lineDecorations = (page: Page): Locator => page.locator('.view-overlays .cdr[class*="ced-"]');

/** The lenses above statements. */
export const codeLenses = (page: Page): Locator => page.locator('.codelens-decoration a');

export const selectedTexts = (page: Page): Locator => page.locator('.selected-text');

/** The places of the name at the cursor. */
export const highlightedNames = (page: Page): Locator => page.locator('.wordHighlight, .wordHighlightStrong');

/** The places that change together while one of them is typed. */
export const linkedPlaces = (page: Page): Locator => page.locator('.linked-editing-decoration');

/** The parameters of the function at the cursor. */
export const signatureHelp = (page: Page): Locator => page.locator('.parameter-hints-widget');

export const findWidget = (page: Page): Locator => page.getByRole('dialog', { name: 'Find / Replace' });

/** The field for the new name of the symbol at the cursor. */
export const renameField = (page: Page): Locator => page.getByRole('textbox', { name: /^Rename input\./ });
