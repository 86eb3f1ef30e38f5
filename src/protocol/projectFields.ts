import { t } from '@vscode/l10n';
import { asProjectError } from '../base/errors.ts';
import { asCount, asNonBlankString } from '../base/decode.ts';
import { parseBaseUrl } from '../wire/baseUrl.ts';
import { defaultPathPrefix } from '../wire/paths.ts';

/** The rules for the fields of a project's entry. They apply to the setting and to typed text. */

/** How a project treats statements that write, from the least to the most protection. */
export const protections = ['open', 'confirmWrites', 'readOnly'] as const;
export type Protection = (typeof protections)[number];

/** The chart colors, which every theme of VS Code has. */
export const projectColors = ['red', 'orange', 'yellow', 'green', 'blue', 'purple'] as const;
export type ProjectColor = (typeof projectColors)[number];

export const defaultResultLimits = { maxRows: 1_000_000, maxBytesMb: 1024 } as const;

export const maxRetries = 10;
const maxTimeoutSeconds = 3600;

const text = (value: unknown): FieldFault | undefined => (typeof value === 'string' ? undefined : 'notText');

/** A budget is at least 1: a result without any rows would be useless. */
const budget = (value: unknown): FieldFault | undefined => ((asCount(value) ?? 0) >= 1 ? undefined : 'badBudget');

const rules = {
  name: text,
  baseUrl: value => (asNonBlankString(value) === undefined ? 'missing' : faultOfUrl(value as string)),
  pathPrefix: value => (typeof value === 'string' && /^(?:\/[^?#\s]*)?$/.test(value) ? undefined : 'badPrefix'),
  projectId: value => faultOfProjectId(value),
  holderId: text,
  projectName: text,
  protection: value => (protections.some(known => known === value) ? undefined : 'unknownProtection'),
  color: value => (projectColors.some(known => known === value) ? undefined : 'unknownColor'),
  retries: value => ((asCount(value) ?? Infinity) <= maxRetries ? undefined : 'badRetries'),
  timeoutSeconds: value => ((asCount(value) ?? Infinity) <= maxTimeoutSeconds ? undefined : 'badTimeout'),
  maxRows: budget,
  maxBytesMb: budget,
} satisfies Readonly<Record<string, (value: unknown) => FieldFault | undefined>>;

export type ProjectField = keyof typeof rules;
export const projectFieldNames = Object.keys(rules) as readonly ProjectField[];
/** The fields that decide where statements and the key go. A fault in one of them makes the project unusable. */
export const addressFields: ReadonlySet<ProjectField> = new Set([
  'baseUrl',
  'pathPrefix',
  'projectId',
  'holderId',
  'projectName',
]);

const required: ReadonlySet<ProjectField> = new Set(['baseUrl', 'projectId']);

export function faultOfField(field: ProjectField, value: unknown): FieldFault | undefined {
  return value === undefined && !required.has(field) ? undefined : rules[field](value);
}

/** The origin and the id identify a project. */
export const projectIdentity = (origin: string, projectId: string): string => `${origin} ${projectId}`;

/** Refuses at once what the client would refuse later, before the user types a key. */
function faultOfUrl(baseUrl: string): FieldFault | undefined {
  try {
    parseBaseUrl(baseUrl, false);
    return undefined;
  } catch (thrown) {
    return asProjectError(thrown)?.code === 'insecure_base_url' ? 'insecureUrl' : 'badUrl';
  }
}

/** A URL drops the segments `.` and `..`, so that a call would reach another path. */
function faultOfProjectId(value: unknown): FieldFault | undefined {
  const projectId = asNonBlankString(value);
  if (projectId === undefined) return 'missing';
  return projectId === '.' || projectId === '..' || !projectId.isWellFormed() ? 'badProjectId' : undefined;
}

const numbers: ReadonlySet<ProjectField> = new Set(['retries', 'timeoutSeconds', 'maxRows', 'maxBytesMb']);

/** The value of a typed text. An empty text sets nothing, except for the path prefix, which may be empty. */
export function valueOfText(field: ProjectField, typed: string): string | number | undefined {
  const trimmed = typed.trim();
  if (field === 'pathPrefix') return trimmed === defaultPathPrefix ? undefined : trimmed;
  if (trimmed === '') return undefined;
  return numbers.has(field) && /^\d+$/.test(trimmed) ? Number(trimmed) : trimmed;
}

/** Marks for tabs. */
export const protectionBadges = { confirmWrites: 'CW', readOnly: 'RO' } as const;

export const protectionLabels = (): Record<Protection, string> => ({
  open: t('Open'),
  confirmWrites: t('Confirm writes'),
  readOnly: t('Read-only'),
});

/** Shown after the name of a project. Empty for an open one. */
export const protectionNote = (protection: Protection): string =>
  protection === 'open' ? '' : protectionLabels()[protection];

export const protectionDescriptions = (): Record<Protection, string> => ({
  open: t('All statements run. Changes to all rows of a table and DROP ask first.'),
  confirmWrites: t('Every statement that writes asks first.'),
  readOnly: t('Statements that write are refused.'),
});

export const colorLabels = (): Record<ProjectColor, string> => ({
  red: t('Red'),
  orange: t('Orange'),
  yellow: t('Yellow'),
  green: t('Green'),
  blue: t('Blue'),
  purple: t('Purple'),
});

const faultMessages = () => ({
  missing: t('This is required.'),
  notText: t('This must be text.'),
  badUrl: t('This must be an http or https address without credentials, query and fragment.'),
  insecureUrl: t('This must begin with https:// unless the service runs on this machine.'),
  badPrefix: t('This must be empty, or a path that begins with a slash and has no spaces, query or fragment.'),
  badProjectId: t('This is not a valid project ID.'),
  unknownProtection: t('This must be one of {0}.', protections.join(', ')),
  unknownColor: t('This must be one of {0}.', projectColors.join(', ')),
  badRetries: t('This must be a whole number from 0 to {0}.', maxRetries),
  badTimeout: t('This must be a whole number of seconds from 0, for no limit, to {0}.', maxTimeoutSeconds),
  badBudget: t('This must be a whole number, 1 or more.'),
});
export type FieldFault = keyof ReturnType<typeof faultMessages>;

export const fieldFaultMessage = (fault: FieldFault): string => faultMessages()[fault];
