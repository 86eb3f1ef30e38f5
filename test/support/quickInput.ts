import type { Locator, Page } from 'playwright-core';

/** VS Code's own row of questions, as a person answers it. */
export class QuickInput {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get root(): Locator {
    return this.page.locator('.quick-input-widget');
  }

  get field(): Locator {
    return this.root.locator('input').first();
  }

  /** Answers the question that is asked in these words. */
  async answer(question: string | RegExp, text: string): Promise<void> {
    await this.asked(question);
    await this.field.fill(text);
    await this.page.keyboard.press('Enter');
  }

  /** Waits until the question is asked; a string is how it begins. */
  async asked(question: string | RegExp): Promise<void> {
    const words = typeof question === 'string' ? new RegExp(`^${RegExp.escape(question)}`) : question;
    await this.root.getByText(words).first().waitFor();
  }

  /** Chooses one of the ways on that are offered with these words. */
  async choose(question: string | RegExp, choice: string): Promise<void> {
    await this.root.getByPlaceholder(question).or(this.root.getByText(question)).first().waitFor();
    await this.root.getByRole('option', { name: choice }).click();
  }

  async back(): Promise<void> {
    await this.root.getByRole('button', { name: 'Back' }).click();
  }
}
