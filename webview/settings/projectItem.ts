import { t } from '@vscode/l10n';
import { addressFields, protectionLabels, protections } from '../../src/protocol/projectFields.ts';
import type { ProjectEntry, Remedy, TestOutcome } from '../../src/protocol/settings.ts';
import { element } from '../ui/element.ts';
import { focusedElement, focusHere } from '../ui/focus.ts';
import { icon } from '../ui/icons.ts';
import { createButton, labelButton } from '../ui/toolkit.ts';
import { visibleText } from '../ui/visibleText.ts';
import { ProjectForm, type ProjectFormOptions } from './projectForm.ts';
import { remedyLabels } from '../../src/protocol/remedyLabels.ts';

export type ProjectAction = 'setKey' | 'issueKey' | 'forgetKey' | 'copyToWorkspace' | 'remove';

interface ProjectItemOptions extends ProjectFormOptions {
  readonly run: (action: ProjectAction) => void;
  /** Tests the connection. Undefined if the test could not run. */
  readonly test: () => Promise<TestOutcome | undefined>;
}

/** One project of the list. The element stays while the project exists, so that it keeps the focus. */
export class ProjectItem {
  readonly root = element('li', 'project');
  readonly form: ProjectForm;
  readonly #test: ProjectItemOptions['test'];
  readonly #color = element('span', 'color');
  readonly #name = element('span');
  readonly #source = element('span', 'source');
  readonly #protection = element('span', 'protection');
  readonly #address = element('p', 'address');
  readonly #note = element('p', 'note');
  readonly #key = element('p', 'key');
  readonly #outcome: ReturnType<typeof createOutcomeLine>;
  readonly #buttons: Readonly<Record<Exclude<ProjectAction, 'issueKey'> | 'test', HTMLElement>>;
  /** The address and the key of the latest test. */
  #testedConnection = '';
  #latestTest = 0;

  constructor(options: ProjectItemOptions) {
    const { run, test } = options;
    this.#test = test;
    this.form = new ProjectForm(options);
    // An update labels them with the name of the project.
    this.#buttons = {
      setKey: createButton({ label: '', onClick: () => run('setKey') }),
      forgetKey: createButton({ label: '', onClick: () => run('forgetKey') }),
      test: createButton({ label: '', onClick: () => void this.#runTest() }),
      copyToWorkspace: createButton({ label: '', onClick: () => run('copyToWorkspace') }),
      remove: createButton({ label: '', onClick: () => run('remove') }),
    };
    this.#outcome = createOutcomeLine({
      fallbackFocus: this.#buttons.test,
      apply: remedy => {
        if (remedy === 'editProject') this.form.open();
        else if (remedy === 'tryAgain') void this.#runTest();
        else run(remedy);
      },
    });
    const title = element('h2', '', [this.#color, this.#name, this.#source, this.#protection]);
    const buttons = element('div', 'buttons', Object.values(this.#buttons));
    this.root.append(title, this.#address, this.#note, this.#key, buttons, this.#outcome.root, this.form.root);
  }

  update(entry: ProjectEntry, hasWorkspace: boolean): void {
    const { scope, fields, note = '', keySince } = entry;
    const name = visibleText(entry.name);
    const hasKey = keySince !== undefined;
    this.#name.textContent = name;
    this.#source.textContent = sourceTexts()[scope ?? 'local'];
    this.#color.dataset['color'] = fields.color;
    const protection = protections.find(value => value === fields.protection) ?? 'open';
    if (this.#protection.dataset['protection'] !== protection) {
      // An open project needs no mark.
      const mark = protection === 'open' ? [] : [icon(protection), protectionLabels()[protection]];
      this.#protection.replaceChildren(...mark);
      this.#protection.dataset['protection'] = protection;
    }
    this.#address.textContent = visibleText(`${fields.baseUrl} · ${fields.projectId}`);
    this.#note.textContent = visibleText(note);
    const key = hasKey ? t('API key set on {0}', keySince) : t('No API key');
    const tested = JSON.stringify([key, [...addressFields].map(field => fields[field])]);
    if (this.#testedConnection !== tested) this.#dropOutcome();
    this.#testedConnection = tested;
    this.#key.textContent = key;
    const { setKey, forgetKey, test, copyToWorkspace, remove } = this.#buttons;
    labelButton(setKey, hasKey ? t('Replace API Key…') : t('Set API Key…'), name);
    labelButton(forgetKey, t('Forget API Key'), name);
    labelButton(test, t('Test Connection'), name);
    labelButton(copyToWorkspace, t('Copy to Workspace Settings'), name);
    labelButton(remove, t('Remove Project…'), name);
    const losesFocus = !hasKey && focusedElement() === forgetKey;
    forgetKey.hidden = !hasKey;
    copyToWorkspace.hidden = scope !== 'user' || !hasWorkspace;
    remove.hidden = scope === undefined;
    this.form.update(entry);
    if (losesFocus) focusHere(setKey);
  }

  /** The address or the key has changed: an earlier test says nothing about them. */
  #dropOutcome(): void {
    this.#latestTest++;
    this.#outcome.show();
  }

  async #runTest(): Promise<void> {
    const current = ++this.#latestTest;
    this.#outcome.showPending();
    const outcome = await this.#test();
    if (current !== this.#latestTest) return;
    this.#outcome.show(outcome, this.#name.textContent);
  }
}

const sourceTexts = () => ({
  user: t('User settings'),
  workspace: t('Workspace settings'),
  local: t('Local service'),
});

interface OutcomeLineOptions {
  readonly apply: (remedy: Remedy) => void;
  /** Gets the focus when the button is hidden. */
  readonly fallbackFocus: HTMLElement;
}

/** The outcome of a connection test. A failure has a button with its remedy. */
function createOutcomeLine({ apply, fallbackFocus }: OutcomeLineOptions) {
  const text = element('p', '', { role: 'status' });
  const button = createButton({ label: '', onClick: () => shownRemedy && apply(shownRemedy) });
  let shownRemedy: Remedy | undefined;
  const showMessage = (message: string, isFailure: boolean): void => {
    text.textContent = message;
    text.classList.toggle('failure', isFailure);
  };
  button.hidden = true;
  return {
    root: element('div', 'outcome', [text, button]),
    /** The button stays while the test runs, because it may have the focus. */
    showPending: () => showMessage(t('Testing…'), false),
    /** Without an outcome, the line is empty. */
    show: ({ message, remedy }: TestOutcome = { message: '', remedy: undefined }, name = '') => {
      const hadFocus = focusedElement() === button;
      showMessage(message, remedy !== undefined);
      shownRemedy = remedy;
      button.hidden = remedy === undefined;
      if (remedy) labelButton(button, remedyLabels()[remedy], name);
      else if (hadFocus) focusHere(fallbackFocus);
    },
  };
}
