import { asString } from '../../src/base/shape.ts';
import { settingsLabelNames } from '../../src/protocol/labels.ts';
import {
  decodeSettingsState,
  decodeTestOutcome,
  settingsEvents,
  settingsMethods,
  type SettingsState,
} from '../../src/protocol/settings.ts';
import { CallAlert } from '../ui/callAlert.ts';
import { element } from '../ui/element.ts';
import { keepFocus } from '../ui/focus.ts';
import { connectToHost, pageRoot, readLabels } from '../ui/host.ts';
import { createButton } from '../ui/toolkit.ts';
import { BudgetForm } from './budgetForm.ts';
import { ProblemList } from './problemList.ts';
import { ProjectList } from './projectList.ts';
import './settings.css';

const labels = readLabels(settingsLabelNames);
const peer = connectToHost((name, payload) => {
  if (name === settingsEvents.state) {
    const state = decodeSettingsState(payload);
    if (state) show(state);
  } else if (name === settingsEvents.edit) {
    list.edit(asString(payload) ?? '');
  }
});
const alert = new CallAlert(labels.failed);
const add = createButton({ label: labels.add, appearance: 'primary', onClick: () => void call(settingsMethods.add) });
const list = new ProjectList({
  labels,
  rest: add,
  do: (action, id) => void call(settingsMethods[action], { id }),
  test: async id => decodeTestOutcome(await call(settingsMethods.test, { id })),
  save: async (id, fields) => {
    const saving = peer.call(settingsMethods.save, { id, fields });
    alert.watch(saving);
    await saving;
  },
});
const problems = new ProblemList(labels, scope => void call(settingsMethods.openSettings, { scope }));
const budgets = new BudgetForm(labels, async (name, value) => {
  const saving = peer.call(settingsMethods.saveBudget, { name, value });
  alert.watch(saving);
  await saving;
});
const empty = element('p', '', labels.empty);
const tools = element('div', 'buttons');
tools.append(
  add,
  createButton({ label: labels.import, onClick: () => void call(settingsMethods.import) }),
  createButton({ label: labels.export, onClick: () => void call(settingsMethods.export) }),
  createButton({ label: labels.editSettings, onClick: () => void call(settingsMethods.openSettings) }),
);
const head = [element('h1', '', labels.title), element('p', 'intro', labels.intro), tools];
pageRoot().append(...head, alert.root, problems.root, list.root, empty, budgets.root);

function show(state: SettingsState): void {
  list.update(state);
  empty.hidden = state.projects.length > 0;
  problems.update(state.problems);
  budgets.update(state.budgets);
}

/** A call whose failure is told of above the list; what it gives is then undefined. */
async function call(method: string, params?: unknown): Promise<unknown> {
  const calling = peer.call(method, params);
  alert.watch(calling);
  return calling.catch(() => undefined);
}

keepFocus();
void call(settingsMethods.ready);
