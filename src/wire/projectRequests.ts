import { asNonEmptyString, asString, type UnknownRecord } from '../base/shape.ts';
import type { ProjectPair } from './projectAnswers.ts';

/** Names travel in headers too, and nobody reads longer ones. */
const longestName = 200;

/**
 * The holder and name in the body of a call that resolves or initialises a project, or a sentence that says what is
 * wrong with it. Other fields are for other services.
 */
export function decodeProjectPair(body: UnknownRecord): ProjectPair | string {
  const holderId = asName(body['holder_id']);
  if (holderId === undefined) return nameWanted('holder_id');
  const projectName = asName(body['project_name']);
  return projectName === undefined ? nameWanted('project_name') : { holderId, projectName };
}

export interface KeyRequest {
  readonly projectId: string;
  /** Whom the key says that it is for. */
  readonly user: string;
  readonly projectHolder: string | undefined;
  readonly projectName: string | undefined;
}

/** A call for a key, or a sentence that says what is wrong with it. Holder and name may be left out. */
export function decodeKeyRequest(body: UnknownRecord): KeyRequest | string {
  const projectId = asNonEmptyString(body['projectId']);
  if (projectId === undefined) return 'The field "projectId" must be a string that is not empty.';
  const user = asString(body['user'] ?? '');
  // Whom keys are for is shown in terminals, which take control characters for commands.
  if (user === undefined || user.length > longestName || !user.isWellFormed() || /\p{Cc}/u.test(user)) {
    return `The field "user" must be a text of at most ${longestName} characters, without control characters.`;
  }
  return {
    projectId,
    user,
    projectHolder: asNonEmptyString(body['projectHolder']),
    projectName: asNonEmptyString(body['projectName']),
  };
}

function asName(value: unknown): string | undefined {
  const name = asNonEmptyString(value);
  // Control characters cannot stand in a header, nor can a name that ends in blanks come through one whole.
  const usable = name !== undefined && name.isWellFormed() && name.trim() === name && !/\p{Cc}/u.test(name);
  return usable && name.length <= longestName ? name : undefined;
}

function nameWanted(field: string): string {
  return `The field "${field}" must be a text of 1 to ${longestName} characters, without blanks around it and control characters.`;
}
