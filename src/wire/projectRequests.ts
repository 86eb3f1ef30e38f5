import { asCount, asNonBlankString, asString, type UnknownRecord } from '../base/decode.ts';
import { type KeyScope, keyScopeOf, keyScopes } from './keyScope.ts';
import type { ProjectPair } from './projectAnswers.ts';

/** Names are also sent in headers. */
const maxNameLength = 200;

/**
 * The holder and name in the body of a call that resolves or initialises a project, or a message why it is invalid. Other
 * fields are ignored: they are for other services.
 */
export function decodeProjectPair(body: UnknownRecord): ProjectPair | string {
  const holderId = asName(body['holder_id']);
  if (holderId === undefined) return nameMessage('holder_id');
  const projectName = asName(body['project_name']);
  return projectName === undefined ? nameMessage('project_name') : { holderId, projectName };
}

export interface KeyRequest {
  readonly projectId: string;
  readonly user: string;
  readonly projectHolder?: string | undefined;
  readonly projectName?: string | undefined;
  readonly scope: KeyScope;
  /** A key without it never expires. */
  readonly expiresInSeconds?: number | undefined;
}

const maxKeyLifeSeconds = 100 * 365 * 24 * 60 * 60;

/** The body of a call for a key, or a message why it is invalid. Holder and name are optional. */
export function decodeKeyRequest(body: UnknownRecord): KeyRequest | string {
  const projectId = asNonBlankString(body['projectId']);
  if (projectId === undefined) return 'The field "projectId" must be a string that is not empty.';
  const user = asString(body['user'] ?? '');
  // Terminals show the user, and interpret control characters as commands.
  if (user === undefined || user.length > maxNameLength || !user.isWellFormed() || /\p{Cc}/u.test(user)) {
    return `The field "user" must be a text of at most ${maxNameLength} characters, without control characters.`;
  }
  const scope = keyScopeOf(body['scope']);
  if (scope === undefined) return `The field "scope" must be ${keyScopes.map(name => `"${name}"`).join(' or ')}.`;
  const expiresInSeconds = asCount(body['expiresInSeconds']);
  if (body['expiresInSeconds'] !== undefined && !(expiresInSeconds && expiresInSeconds <= maxKeyLifeSeconds)) {
    return `The field "expiresInSeconds" must be a whole number from 1 to ${maxKeyLifeSeconds}.`;
  }
  return {
    projectId,
    user,
    scope,
    expiresInSeconds,
    projectHolder: asNonBlankString(body['projectHolder']),
    projectName: asNonBlankString(body['projectName']),
  };
}

function asName(value: unknown): string | undefined {
  const name = asNonBlankString(value);
  // Headers cannot hold control characters, and drop blanks at the ends of a value.
  const usable = name !== undefined && name.isWellFormed() && name.trim() === name && !/\p{Cc}/u.test(name);
  return usable && name.length <= maxNameLength ? name : undefined;
}

function nameMessage(field: string): string {
  return `The field "${field}" must be a text of 1 to ${maxNameLength} characters, without blanks at its ends and without control characters.`;
}
