import { fill, type SettingsLabels } from '../../src/protocol/labels.ts';
import type { ProjectEntry } from '../../src/protocol/settings.ts';
import { element } from '../ui/element.ts';
import { focusHere } from '../ui/focus.ts';
import { createButton, labelButton } from '../ui/toolkit.ts';

export interface ProjectItemOptions {
  readonly labels: SettingsLabels;
  readonly setKey: () => void;
  readonly forgetKey: () => void;
}

/** One project of the list. It stays the same element for as long as there is the project, and so keeps the focus. */
export class ProjectItem {
  readonly root = element('li', 'project');
  readonly #labels: SettingsLabels;
  readonly #name = element('span');
  readonly #source: HTMLElement;
  readonly #address = element('p', 'address');
  readonly #key = element('p', 'key');
  readonly #set: HTMLElement;
  readonly #forget: HTMLElement;

  constructor({ labels, setKey, forgetKey }: ProjectItemOptions) {
    this.#labels = labels;
    this.#source = element('span', 'source', labels.local);
    this.#set = createButton({ label: labels.setKey, onClick: setKey });
    this.#forget = createButton({ label: labels.forgetKey, onClick: forgetKey });
    const title = element('h2');
    title.append(this.#name, this.#source);
    const buttons = element('div', 'buttons');
    buttons.append(this.#set, this.#forget);
    this.root.append(title, this.#address, this.#key, buttons);
  }

  update({ name, baseUrl, projectId, source, keySince }: ProjectEntry): void {
    const { noKey, setKey, replaceKey, forgetKey, keySince: since } = this.#labels;
    const hasKey = keySince !== undefined;
    this.#name.textContent = name;
    this.#source.hidden = source !== 'local';
    this.#address.textContent = `${baseUrl} · ${projectId}`;
    this.#key.textContent = hasKey ? fill(since, keySince) : noKey;
    labelButton(this.#set, hasKey ? replaceKey : setKey, name);
    labelButton(this.#forget, forgetKey, name);
    const loses = !hasKey && document.activeElement === this.#forget;
    this.#forget.hidden = !hasKey;
    if (loses) focusHere(this.#set);
  }
}
