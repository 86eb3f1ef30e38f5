import { t } from '@vscode/l10n';
import { fieldLabels, helpTexts } from './fieldTexts.ts';
import {
  addressFields,
  colorLabels,
  faultOfField,
  fieldFaultMessage,
  projectColors,
  type ProjectField,
  projectFieldNames,
  projectIdentity,
  protectionDescriptions,
  protectionLabels,
  protections,
  valueOfText,
} from '../../src/protocol/projectFields.ts';
import type { FieldTexts, ProjectEntry } from '../../src/protocol/settings.ts';
import { element, setText } from '../ui/element.ts';
import type { Choice } from '../ui/field.ts';
import { createButton, labelButton } from '../ui/toolkit.ts';
import { visibleText } from '../ui/visibleText.ts';
import { FormField } from './formField.ts';

export interface ProjectFormOptions {
  readonly isTaken: (id: string) => boolean;
  /** Saves the changed fields. Afterwards the project has the new id. Rejects if saving failed. */
  readonly save: (fields: Partial<FieldTexts>, newId: string) => Promise<void>;
  /** Called when the unsaved texts have changed. Without fields, all texts are saved. */
  readonly onEdited: (fields: Partial<FieldTexts>) => void;
}

/** The fields of one project. Unsaved texts stay until the user saves or discards them, even if the host sends other values. */
export class ProjectForm {
  readonly root = element('details', 'form');
  readonly #options: ProjectFormOptions;
  readonly #fields: ReadonlyMap<ProjectField, FormField>;
  readonly #status = element('p', 'status', { role: 'status' });
  readonly #hint = element('p', 'hint');
  readonly #save = createButton({ label: t('Save'), appearance: 'primary', onClick: () => void this.#submit() });
  readonly #discard = createButton({ label: t('Discard'), onClick: () => this.#reset() });
  #entry: ProjectEntry | undefined;
  #reportedTexts = '{}';

  constructor(options: ProjectFormOptions) {
    this.#options = options;
    this.#fields = new Map(projectFieldNames.map(name => [name, this.#createField(name)]));
    const roots = [...this.#fields.values()].map(({ root }) => root);
    const fields = element('div', 'fields', roots);
    fields.addEventListener('keydown', event => {
      if (event.key === 'Enter' && (event.target as Element).localName === 'vscode-text-field') void this.#submit();
    });
    const buttons = element('div', 'buttons', [this.#save, this.#discard]);
    this.root.append(element('summary', '', t('Edit')), fields, this.#hint, buttons, this.#status);
  }

  open(): void {
    this.root.open = true;
    this.#fields.get('name')?.focus();
  }

  /** Restores unsaved texts of an earlier page. */
  restore(fields: Partial<FieldTexts>): void {
    for (const [name, typed] of Object.entries(fields)) {
      const field = this.#fields.get(name as ProjectField);
      if (field) field.typed = typed;
    }
    if (Object.keys(this.#unsavedTexts()).length > 0) this.root.open = true;
    this.#showState();
  }

  update(entry: ProjectEntry): void {
    this.#entry = entry;
    for (const [name, field] of this.#fields) {
      field.update(entry.fields[name]);
      // The local service gives its projects their addresses.
      field.root.hidden = entry.scope === undefined && addressFields.has(name);
    }
    const name = visibleText(entry.name);
    labelButton(this.#save, t('Save'), name);
    labelButton(this.#discard, t('Discard'), name);
    this.root.querySelector('summary')?.setAttribute('aria-label', `${t('Edit')} ${name}`);
    this.#showState();
  }

  #createField(name: ProjectField): FormField {
    return new FormField({
      label: fieldLabels()[name],
      help: typed => helpOf(name, typed),
      choices: choicesOf(name),
      check: typed => this.#faultOf(name, typed),
      onInput: () => this.#showState(),
    });
  }

  #faultOf(name: ProjectField, typed: string): string {
    const { isTaken } = this.#options;
    const fault = faultOfField(name, valueOfText(name, typed));
    if (fault) return fieldFaultMessage(fault);
    const id = name === 'projectId' ? this.#typedId() : undefined;
    return id !== undefined && id !== this.#entry?.id && isTaken(id)
      ? t('This project already exists. Edit that project instead.')
      : '';
  }

  /** The id that the project will have. Undefined without a valid address. */
  #typedId(): string | undefined {
    if (this.#entry && this.#entry.scope === undefined) return this.#entry.id;
    const typed = (name: ProjectField): string => this.#fields.get(name)?.typed.trim() ?? '';
    const origin = URL.parse(typed('baseUrl'))?.origin;
    return origin === undefined ? undefined : projectIdentity(origin, typed('projectId'));
  }

  #unsavedTexts(): Partial<FieldTexts> {
    const changedFields = [...this.#fields].filter(([, field]) => field.isChanged);
    return Object.fromEntries(changedFields.map(([name, field]) => [name, field.typed]));
  }

  #showState(): void {
    const typed = this.#unsavedTexts();
    const reported = JSON.stringify(typed);
    if (reported !== this.#reportedTexts) this.#options.onEdited(typed);
    this.#reportedTexts = reported;
    const losesKey = this.#entry?.keySince !== undefined && this.#typedId() !== this.#entry.id;
    this.#hint.textContent = losesKey
      ? t('The API key stays with the former address and project ID. Set a key after you save.')
      : '';
    if (reported !== '{}') setText(this.#status, t('Unsaved changes.'));
    else if (this.#status.textContent === t('Unsaved changes.')) setText(this.#status, '');
  }

  async #submit(): Promise<void> {
    const { save } = this.#options;
    const faulty = [...this.#fields.values()].find(field => !field.validate());
    if (faulty) return faulty.focus();
    const typed = this.#unsavedTexts();
    const newId = this.#typedId();
    if (newId === undefined) return;
    try {
      if (Object.keys(typed).length > 0) await save(typed, newId);
    } catch {
      // The caller shows the failure. The typed texts stay.
      return;
    }
    for (const [name, saved] of Object.entries(typed)) this.#fields.get(name as ProjectField)?.accept(saved);
    setText(this.#status, t('Saved.'));
    this.#showState();
  }

  #reset(): void {
    for (const field of this.#fields.values()) field.discard();
    setText(this.#status, '');
    this.#showState();
  }
}

function helpOf(name: ProjectField, typed: string): string {
  const protection = name === 'protection' ? protections.find(value => value === typed) : undefined;
  return protection ? protectionDescriptions()[protection] : helpTexts()[name];
}

function choicesOf(name: ProjectField): readonly Choice[] | undefined {
  if (name === 'protection') return protections.map(value => ({ value, label: protectionLabels()[value] }));
  if (name !== 'color') return undefined;
  const colors = projectColors.map(value => ({ value, label: colorLabels()[value] }));
  return [{ value: '', label: t('None') }, ...colors];
}
