import { t } from '@vscode/l10n';
import { budgetHelp, fieldLabels } from './fieldTexts.ts';
import { fieldFaultMessage } from '../../src/protocol/projectFields.ts';
import { type BudgetName, budgetNames, type Budgets } from '../../src/protocol/settings.ts';
import { element } from '../ui/element.ts';
import { FormField } from './formField.ts';

const check = (typed: string): string => (/^[1-9]\d{0,14}$/.test(typed) ? '' : fieldFaultMessage('badBudget'));

/** The budgets of results. Each is a setting of its own, and is saved when the user leaves a changed field. */
export function createBudgetForm(save: (name: BudgetName, value: string) => Promise<void>) {
  const fields = budgetNames.map(name => {
    const help = (): string => budgetHelp()[name];
    const field = new FormField({ label: fieldLabels()[name], help, check, onInput: () => {} });
    field.root.addEventListener('change', () => {
      const { typed } = field;
      if (!field.isChanged || !field.validate()) return;
      save(name, typed).then(
        () => field.accept(typed),
        // The caller of the form shows the failure. The typed text stays.
        () => {},
      );
    });
    return { name, field };
  });
  const fieldRoots = fields.map(({ field }) => field.root);
  const root = element('section', 'budgets', [
    element('h2', '', t('Default Result Limits')),
    element('div', 'fields', fieldRoots),
  ]);
  const update = (budgets: Budgets): void => {
    for (const { name, field } of fields) field.update(budgets[name]);
  };
  return { root, update };
}
