import { t } from '@vscode/l10n';
import { budgetHelp, fieldLabels } from './fieldTexts.ts';
import { fieldFaultMessage } from '../../src/protocol/projectFields.ts';
import { type BudgetName, budgetNames, type Budgets } from '../../src/protocol/settings.ts';
import { element } from '../ui/element.ts';
import { FormField } from './formField.ts';

const check = (typed: string): string => (/^[1-9]\d{0,14}$/.test(typed) ? '' : fieldFaultMessage('badBudget'));

/** The budgets of results. Each is a setting of its own, and is saved when the user leaves a changed field. */
export class BudgetForm {
  readonly root = element('section', 'budgets');
  readonly #fields: ReadonlyMap<BudgetName, FormField>;

  constructor(save: (name: BudgetName, value: string) => Promise<void>) {
    this.#fields = new Map(
      budgetNames.map(name => {
        const label = fieldLabels()[name];
        const help = (): string => budgetHelp()[name];
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
    this.root.append(element('h2', '', t('Default Result Limits')), fields);
  }

  update(budgets: Budgets): void {
    for (const [name, field] of this.#fields) field.update(budgets[name]);
  }
}
