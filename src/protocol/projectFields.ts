import { asProjectError } from '../base/errors.ts';
import { asCount, asNonEmptyString } from '../base/decode.ts';
import { parseBaseUrl } from '../wire/baseUrl.ts';
import { defaultPathPrefix } from '../wire/paths.ts';

/** What the fields of a project's entry may hold: checked where the setting is read and where it is typed. */

/** How carefully statements that write are treated, from the least to the most. */
export const protections = ['open', 'confirmWrites', 'readOnly'] as const;
export type Protection = (typeof protections)[number];

/** Colours of charts, which every theme of VS Code has. */
export const projectColors = ['red', 'orange', 'yellow', 'green', 'blue', 'purple'] as const;
export type ProjectColor = (typeof projectColors)[number];

export const mostRetries = 10;
export const mostTimeoutSeconds = 3600;

export const fieldFaults = [
  'missing',
  'notText',
  'badUrl',
  'insecureUrl',
  'badPrefix',
  'badProjectId',
  'unknownProtection',
  'unknownColor',
  'badRetries',
  'badTimeout',
  'badBudget',
] as const;
export type FieldFault = (typeof fieldFaults)[number];

const text = (value: unknown): FieldFault | undefined => (typeof value === 'string' ? undefined : 'notText');

/** How much a result keeps: something, or nobody would run the statement. */
const budget = (value: unknown): FieldFault | undefined => ((asCount(value) ?? 0) >= 1 ? undefined : 'badBudget');

const rules = {
  name: text,
  baseUrl: value => (asNonEmptyString(value) === undefined ? 'missing' : faultOfUrl(value as string)),
  pathPrefix: value => (typeof value === 'string' && /^(?:\/[^?#\s]*)?$/.test(value) ? undefined : 'badPrefix'),
  projectId: value => faultOfProjectId(value),
  holderId: text,
  projectName: text,
  protection: value => (protections.some(one => one === value) ? undefined : 'unknownProtection'),
  color: value => (projectColors.some(one => one === value) ? undefined : 'unknownColor'),
  retries: value => ((asCount(value) ?? Infinity) <= mostRetries ? undefined : 'badRetries'),
  timeoutSeconds: value => ((asCount(value) ?? Infinity) <= mostTimeoutSeconds ? undefined : 'badTimeout'),
  maxRows: budget,
  maxBytesMb: budget,
} satisfies Readonly<Record<string, (value: unknown) => FieldFault | undefined>>;

export type ProjectField = keyof typeof rules;
export const projectFieldNames = Object.keys(rules) as readonly ProjectField[];
/** Fields that say where statements and the key go. There is no project without every one of them as it was meant. */
export const addressFields: ReadonlySet<ProjectField> = new Set([
  'baseUrl',
  'pathPrefix',
  'projectId',
  'holderId',
  'projectName',
]);

const required: ReadonlySet<ProjectField> = new Set(['baseUrl', 'projectId']);

/** What is wrong with a field's value; a field that may be left out is never wrong without one. */
export function faultOfField(field: ProjectField, value: unknown): FieldFault | undefined {
  return value === undefined && !required.has(field) ? undefined : rules[field](value);
}

/** What tells a project from all others: where it is, to the port, and its own id there. A key is kept under the same. */
export const projectIdentity = (origin: string, projectId: string): string => `${origin} ${projectId}`;

/** What the client would refuse later is a fault to show now, before a key is asked for. */
function faultOfUrl(baseUrl: string): FieldFault | undefined {
  try {
    parseBaseUrl(baseUrl, false);
    return undefined;
  } catch (thrown) {
    return asProjectError(thrown)?.code === 'insecure_base_url' ? 'insecureUrl' : 'badUrl';
  }
}

/** Dots survive encoding and would be resolved away on the way, so that a call would reach another path. */
function faultOfProjectId(value: unknown): FieldFault | undefined {
  const projectId = asNonEmptyString(value);
  if (projectId === undefined) return 'missing';
  return projectId === '.' || projectId === '..' || !projectId.isWellFormed() ? 'badProjectId' : undefined;
}

const numbers: ReadonlySet<ProjectField> = new Set(['retries', 'timeoutSeconds', 'maxRows', 'maxBytesMb']);

/** The value that a typed text stands for. Nothing typed is nothing set, except for a path, which may be empty. */
export function valueOfText(field: ProjectField, typed: string): string | number | undefined {
  const trimmed = typed.trim();
  if (field === 'pathPrefix') return trimmed === defaultPathPrefix ? undefined : trimmed;
  if (trimmed === '') return undefined;
  return numbers.has(field) && /^\d+$/.test(trimmed) ? Number(trimmed) : trimmed;
}
