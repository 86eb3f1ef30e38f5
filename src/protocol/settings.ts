import { asArrayOf, asRecord, asString } from '../base/shape.ts';
import { type ProjectField, projectFieldNames } from './projectFields.ts';

/** Between the host and the page of projects and credentials. No key ever travels here, only whether there is one. */

const scopes = ['user', 'workspace'] as const;
export type EntryScope = (typeof scopes)[number];

/** The fields of an entry as they are typed; '' for one that is not set. */
export type FieldTexts = Readonly<Record<ProjectField, string>>;

export interface ProjectEntry {
  readonly id: string;
  readonly name: string;
  /** Whose settings it stands in; undefined for a project of the local service, whose address cannot be edited. */
  readonly scope: EntryScope | undefined;
  readonly fields: FieldTexts;
  /** When the key was set, in the user's own words for dates; undefined when there is none. */
  readonly keySince: string | undefined;
  /** What else there is to say of it, in words for people. */
  readonly note: string | undefined;
}

export interface SettingsProblem {
  readonly sentence: string;
  /** The settings to mend; undefined when it is not about settings. */
  readonly scope: EntryScope | undefined;
}

export const budgetNames = ['maxRows', 'maxBytesMb'] as const;
export type BudgetName = (typeof budgetNames)[number];
export type Budgets = Readonly<Record<BudgetName, string>>;

export interface SettingsState {
  readonly projects: readonly ProjectEntry[];
  readonly problems: readonly SettingsProblem[];
  readonly budgets: Budgets;
  /** Whether there is a workspace whose settings could take a project. */
  readonly hasWorkspace: boolean;
}

/** What helps against a fault of a project. */
export const remedies = ['setKey', 'editProject', 'tryAgain'] as const;
export type Remedy = (typeof remedies)[number];

export interface TestOutcome {
  /** What to do; undefined when the project answered. */
  readonly remedy: Remedy | undefined;
  readonly sentence: string;
}

export const settingsMethods = {
  ready: 'ready',
  add: 'add',
  save: 'save',
  remove: 'remove',
  test: 'test',
  setKey: 'setKey',
  forgetKey: 'forgetKey',
  copyToWorkspace: 'copyToWorkspace',
  saveBudget: 'saveBudget',
  import: 'import',
  export: 'export',
  openSettings: 'openSettings',
} as const;

export const settingsEvents = {
  state: 'state',
  /** The id of a project to show and to open the form of. */
  edit: 'edit',
} as const;

export function decodeProjectRef(params: unknown): string | undefined {
  return asString(asRecord(params)?.['id']);
}

export function decodeScope(params: unknown): EntryScope | undefined {
  const scope = asRecord(params)?.['scope'];
  return scopes.find(one => one === scope);
}

export interface SaveRequest {
  readonly id: string;
  /** The fields that were changed, as they were typed. */
  readonly fields: Readonly<Partial<FieldTexts>>;
}

export function decodeSaveRequest(params: unknown): SaveRequest | undefined {
  const [id, record] = [decodeProjectRef(params), asRecord(asRecord(params)?.['fields'])];
  if (id === undefined || !record) return undefined;
  const fields: Partial<Record<ProjectField, string>> = {};
  for (const name of projectFieldNames) {
    if (record[name] === undefined) continue;
    const typed = asString(record[name]);
    if (typed === undefined) return undefined;
    fields[name] = typed;
  }
  return { id, fields };
}

export function decodeBudget(params: unknown): { readonly name: BudgetName; readonly value: string } | undefined {
  const record = asRecord(params);
  const [name, value] = [budgetNames.find(one => one === record?.['name']), asString(record?.['value'])];
  return name === undefined || value === undefined ? undefined : { name, value };
}

export function decodeTestOutcome(value: unknown): TestOutcome | undefined {
  const record = asRecord(value);
  const [asked, sentence] = [record?.['remedy'], asString(record?.['sentence'])];
  const remedy = remedies.find(one => one === asked);
  return sentence === undefined || remedy !== asked ? undefined : { remedy, sentence };
}

export function decodeSettingsState(payload: unknown): SettingsState | undefined {
  const record = asRecord(payload);
  const projects = asArrayOf(record?.['projects'], decodeProjectEntry);
  const problems = asArrayOf(record?.['problems'], decodeProblem);
  const budgets = textsOf(budgetNames, record?.['budgets']);
  const hasWorkspace = record?.['hasWorkspace'];
  if (!projects || !problems || !budgets || typeof hasWorkspace !== 'boolean') return undefined;
  return { projects, problems, budgets, hasWorkspace };
}

function decodeProblem(value: unknown): SettingsProblem | undefined {
  const sentence = asString(asRecord(value)?.['sentence']);
  return sentence === undefined ? undefined : { sentence, scope: decodeScope(value) };
}

function decodeProjectEntry(value: unknown): ProjectEntry | undefined {
  const record = asRecord(value);
  const [id, name] = [asString(record?.['id']), asString(record?.['name'])];
  const fields = textsOf(projectFieldNames, record?.['fields']);
  const [keySince, note] = [record?.['keySince'], record?.['note']];
  if (id === undefined || name === undefined || !fields) return undefined;
  if (keySince !== undefined && typeof keySince !== 'string') return undefined;
  if (note !== undefined && typeof note !== 'string') return undefined;
  return { id, name, scope: decodeScope(record), fields, keySince, note };
}

function textsOf<Name extends string>(names: readonly Name[], value: unknown): Record<Name, string> | undefined {
  const record = asRecord(value);
  const texts = names.map(name => [name, asString(record?.[name])] as const);
  return texts.some(([, text]) => text === undefined) ? undefined : (Object.fromEntries(texts) as Record<Name, string>);
}
