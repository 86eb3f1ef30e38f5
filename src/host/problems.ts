import { l10n } from 'vscode';
import { assertNever } from '../base/assertNever.ts';
import { asProjectError, messageOf } from '../base/errors.ts';
import type { ProfileProblem } from '../model/profiles.ts';
import { settings } from './names.ts';

/** What happened and what to do, in words for people, of whatever was thrown. */
export function sentenceFor(thrown: unknown): string {
  const error = asProjectError(thrown);
  if (!error) return messageOf(thrown);
  switch (error.code) {
    case 'no_key':
      return l10n.t('No API key is set for this project. Use "Set API Key" to enter it.');
    case 'unauthenticated':
      return l10n.t('The service does not accept the API key. Use "Set API Key" to enter a valid one.');
    case 'forbidden':
      return l10n.t('The API key does not open this project: {0}', error.message);
    case 'local_service_not_running':
      return l10n.t('The local service is not running. Start it, then refresh.');
    case 'local_service_failed':
      return l10n.t('The local service did not start: {0}', error.message);
    case 'runtime_too_old':
      return l10n.t('The local service cannot run in this VS Code: {0} Update VS Code, then try again.', error.message);
    default:
      break;
  }
  switch (error.kind) {
    case 'transport':
      return l10n.t('The service could not be reached: {0}', error.message);
    case 'protocol':
      return l10n.t('The service gave an answer that cannot be read: {0}', error.message);
    case 'service':
    case 'closed':
    case 'misuse':
      return error.message;
    default:
      return assertNever(error.kind);
  }
}

/** What is wrong with an entry of the setting. Entries are counted from 1, as people do. */
export function sentenceForProfile(problem: ProfileProblem): string {
  switch (problem.kind) {
    case 'notAList':
      return l10n.t('The setting {0} must be a list.', settings.projects);
    case 'notAnObject':
      return l10n.t('Entry {0} of {1} must be an object.', problem.index + 1, settings.projects);
    case 'duplicate':
      return l10n.t('Entry {0} of {1} repeats an earlier one.', problem.index + 1, settings.projects);
    case 'missingField':
      return l10n.t('Entry {0} of {1} has no "{2}".', problem.index + 1, settings.projects, problem.field);
    case 'badUrl':
      return l10n.t(
        'Entry {0} of {1}: "baseUrl" must be an http(s) address without credentials, query and fragment.',
        problem.index + 1,
        settings.projects,
      );
    case 'insecureUrl':
      return l10n.t(
        'Entry {0} of {1}: "baseUrl" must begin with https:// unless the service runs on this machine.',
        problem.index + 1,
        settings.projects,
      );
    default:
      return assertNever(problem);
  }
}
