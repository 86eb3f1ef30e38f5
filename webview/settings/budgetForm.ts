import type { SettingsLabels } from '../../src/protocol/labels.ts';
import { type BudgetName, budgetNames, type Budgets } from '../../src/protocol/settings.ts';
import { element } from '../ui/element.ts';
import { FormField } from './formField.ts';

/** The budgets of results. Each is a setting of its own, saved when the user leaves a changed field. */
export class BudgetForm {
  readonly root = element('section', 'budgets');
  readonly #fields: ReadonlyMap<BudgetName, FormField>;

  constructor(labels: SettingsLabels, save: (name: BudgetName, value: string) => Promise<void>) {
    const check = (typed: string): string => (/^[1-9]\d{0,14}$/.test(typed) ? '' : labels['fault.badBudget']);
    this.#fields = new Map(
      budgetNames.map(name => {
        const label = labels[`budget.${name}`];
        const help = (): string => labels[`budgetHelp.${name}`];
        return [name, new FormField({ label, help, check, onInput: () => {} })];
      }),
    );
    const fields = element('div', 'fields');
    for (const [name, field] of this.#fields) {
      field.root.addEventListener('change', () => {
        const { typed } = field;
        if (!field.isChanged || !field.validate()) return;
        save(name, typed).then(
          () => field.accept(typed),
          // The caller of the form shows the failure. The typed text stays.
          () => {},
        );
      });
      fields.append(field.root);
    }
    this.root.append(element('h2', '', labels.budgets), fields);
  }

  update(budgets: Budgets): void {
    for (const [name, field] of this.#fields) field.update(budgets[name]);
  }
}
