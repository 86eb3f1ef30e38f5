import {
  arrayOf,
  asBoolean,
  asString,
  type Decoder,
  type Infer,
  nullable,
  object,
  oneOf,
  optional,
  orUndefined,
} from '../base/decode.ts';
import type { Bridge } from './bridge.ts';
import { projectFieldNames } from './projectFields.ts';

/** The bridge between the host and the page of projects and credentials. It says whether a key is set, and never has the key. */

function fieldsOf<Name extends string, D>(names: readonly Name[], decode: D): Readonly<Record<Name, D>> {
  return Object.fromEntries(names.map(name => [name, decode])) as Record<Name, D>;
}

const decodeScope = oneOf(['user', 'workspace']);
/** The settings file that has the entry. */
export type EntryScope = Infer<typeof decodeScope>;

/** The fields of an entry as typed text, '' for a field that is not set. */
const decodeFieldTexts = object(fieldsOf(projectFieldNames, asString));
export type FieldTexts = Infer<typeof decodeFieldTexts>;

const decodeProjectEntry = object({
  id: asString,
  name: asString,
  /** Undefined for a project of the local service, whose address cannot be edited. */
  scope: orUndefined(decodeScope),
  fields: decodeFieldTexts,
  /** The date when the key was set, in the user's language; undefined without a key. */
  keySince: orUndefined(asString),
  note: orUndefined(asString),
});
export type ProjectEntry = Infer<typeof decodeProjectEntry>;

const decodeProblem = object({
  message: asString,
  /** The settings file with the problem. Undefined for a problem elsewhere. */
  scope: orUndefined(decodeScope),
});
export type SettingsProblem = Infer<typeof decodeProblem>;

export const budgetNames = ['maxRows', 'maxBytesMb'] as const;
export type BudgetName = (typeof budgetNames)[number];
const decodeBudgets = object(fieldsOf(budgetNames, asString));
export type Budgets = Infer<typeof decodeBudgets>;

const decodeSettingsState = object({
  projects: arrayOf(decodeProjectEntry),
  problems: arrayOf(decodeProblem),
  budgets: decodeBudgets,
  /** Whether a workspace is open whose settings could take a project. */
  hasWorkspace: asBoolean,
});
export type SettingsState = Infer<typeof decodeSettingsState>;

/** Offered for a project that cannot be reached. */
export const remedies = ['setKey', 'issueKey', 'editProject', 'tryAgain'] as const;
export type Remedy = (typeof remedies)[number];

const decodeTestOutcome = object({
  /** Undefined when the project answered. */
  remedy: orUndefined(oneOf(remedies)),
  message: asString,
});
export type TestOutcome = Infer<typeof decodeTestOutcome>;

const decodeProjectRef = object({ id: asString });

/** The fields that the user changed, as typed. */
export const decodeFields: Decoder<Partial<FieldTexts>> = object(fieldsOf(projectFieldNames, optional(asString)));
const decodeSaveRequest = object({ id: asString, fields: decodeFields });
export type SaveRequest = Infer<typeof decodeSaveRequest>;

export const settingsBridge = {
  page: 'settings',
  methods: {
    /** The page is loaded. The host answers with the event `state`. */
    ready: {},
    add: {},
    tryLocally: {},
    /** The unsaved texts of a project. Without fields, all are saved. */
    edited: { params: decodeSaveRequest },
    save: { params: decodeSaveRequest },
    remove: { params: decodeProjectRef },
    /** Null if the project is gone. */
    test: { params: decodeProjectRef, answer: nullable(decodeTestOutcome) },
    setKey: { params: decodeProjectRef },
    issueKey: { params: decodeProjectRef },
    forgetKey: { params: decodeProjectRef },
    copyToWorkspace: { params: decodeProjectRef },
    saveBudget: { params: object({ name: oneOf(budgetNames), value: asString }) },
    import: {},
    export: {},
    openSettings: { params: object({ scope: decodeScope }) },
  },
  events: {
    state: decodeSettingsState,
    edit: decodeProjectRef,
    /** Unsaved texts of an earlier page. */
    drafts: arrayOf(decodeSaveRequest),
  },
} as const satisfies Bridge;
