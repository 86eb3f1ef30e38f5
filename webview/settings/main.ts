import { t } from '@vscode/l10n';
import { decodeFields, settingsBridge, type SettingsState } from '../../src/protocol/settings.ts';
import { CallAlert } from '../ui/callAlert.ts';
import { element } from '../ui/element.ts';
import { keepFocus } from '../ui/focus.ts';
import { connectToHost, loadTranslations, pageRoot, PageMemory } from '../ui/host.ts';
import { createButton } from '../ui/toolkit.ts';
import { createBudgetForm } from './budgetForm.ts';
import { createProblemList, ProjectList } from './projectList.ts';
import '../ui/controls.css';
import './settings.css';

loadTranslations();
const alert = new CallAlert();
const host = connectToHost(
  settingsBridge,
  {
    state: show,
    edit: ({ id }) => list.edit(id),
    drafts: drafts => drafts.forEach(({ id, fields }) => list.restore(id, fields)),
  },
  error => alert.show(error),
);
/** Unsaved texts by project. VS Code removes a hidden page and loads it again later. */
const drafts = new PageMemory('drafts');
const addButton = createButton({
  label: t('Add Project…'),
  appearance: 'primary',
  onClick: () => alert.watch(host.call('add')),
});
const list = new ProjectList({
  fallbackFocus: addButton,
  run: (action, id) => alert.watch(host.call(action, { id })),
  test: async id => {
    const testing = host.call('test', { id });
    alert.watch(testing);
    return (await testing.catch(() => undefined)) ?? undefined;
  },
  save: async (id, fields) => {
    await watched(host.call('save', { id, fields }));
    drafts.write(id, undefined);
  },
  onEdited: (id, fields) => {
    drafts.write(id, fields);
    void host.call('edited', { id, fields }).catch((thrown: unknown) => alert.show(thrown));
  },
  draftOf: id => decodeFields(drafts.read(id)) ?? {},
});
const problems = createProblemList(scope => alert.watch(host.call('openSettings', { scope })));
const budgets = createBudgetForm((name, value) => watched(host.call('saveBudget', { name, value })));
const tryLocally = createButton({ label: t('Try It Locally'), onClick: () => alert.watch(host.call('tryLocally')) });
const empty = element('div', 'empty', [element('p', '', t('There are no projects yet.')), tryLocally]);
const tools = element('div', 'buttons', [
  addButton,
  createButton({ label: t('Import…'), onClick: () => alert.watch(host.call('import')) }),
  createButton({ label: t('Export…'), onClick: () => alert.watch(host.call('export')) }),
  createButton({
    label: t('Edit Projects in Settings'),
    onClick: () => alert.watch(host.call('openSettings', { scope: 'user' })),
  }),
]);
const head = [
  element('h1', '', t('Manage Projects')),
  element(
    'p',
    'intro',
    t("Projects are stored in the settings. API keys are stored in VS Code's secret storage and are never shown."),
  ),
  tools,
];
pageRoot().append(...head, alert.root, problems.root, list.root, empty, budgets.root);

function show(state: SettingsState): void {
  list.update(state);
  empty.hidden = state.projects.length > 0;
  problems.update(state.problems);
  budgets.update(state.budgets);
}

/** Shows the failure of a call, and passes it on. */
async function watched(call: Promise<void>): Promise<void> {
  alert.watch(call);
  await call;
}

keepFocus();
alert.watch(host.call('ready'));
