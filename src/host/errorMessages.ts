import { l10n } from 'vscode';
import { assertNever } from '../base/assertNever.ts';
import { asProjectError, messageOf, type ProjectError } from '../base/errors.ts';
import { asCount, asRecord } from '../base/decode.ts';
import type { ConnectionReport } from '../model/connectionTest.ts';
import type { Profile, ProfileProblem } from '../model/profiles.ts';
import {
  type FieldFault,
  maxRetries,
  maxTimeoutSeconds,
  projectColors,
  protections,
} from '../protocol/projectFields.ts';
import { settings } from './names.ts';

/** Says what happened and what the user can do, for everything that can be thrown. */
export function errorMessage(thrown: unknown): string {
  const error = asProjectError(thrown);
  if (!error) return systemErrorMessage(thrown);
  switch (error.code) {
    case 'no_key':
      return l10n.t('No API key is set for this project. Use "Set API Key" to enter it.');
    case 'unauthenticated':
      return l10n.t('The service does not accept the API key. Use "Set API Key" to enter a valid one.');
    case 'forbidden':
      return l10n.t(
        'The API key does not open this project. Enter its own key, or check holder and name: {0}',
        error.message,
      );
    case 'project_not_found':
      return l10n.t('The service has no such project any more. Check the project ID, or remove the project.');
    case 'not_found':
      return l10n.t('There is no such service at this address. Check the base URL and the path prefix.');
    case 'table_not_found':
      return l10n.t('{0} It may have been dropped or renamed: refresh the tree to see what there is.', error.message);
    case 'columns_changed':
      return l10n.t('The table has other columns than before. Refresh to see them.');
    case 'rows_gone':
      return l10n.t('The table has fewer rows by now. Refresh, then try again.');
    case 'schema_not_offered':
      return l10n.t(
        'The service does not tell the schema of this project. Only the syntax of its statements is checked.',
      );
    case 'schema_too_large':
      return l10n.t(
        'The schema of this project is too large to be read. Only the syntax of its statements is checked.',
      );
    case 'too_many_rows':
      return l10n.t('These are more rows than are taken of a browsed table at a time. Export takes all of them.');
    case 'reader_timeout':
      return l10n.t(
        'The result was paused for too long, and the service let go of the rest. Run it again for all rows.',
      );
    case 'project_gone':
      return l10n.t('The project is not among the projects any more. Add it again, or close this tab.');
    case 'rate_limited':
      return rateLimitMessage(error);
    case 'tls_failed':
      return l10n.t('{0} Check the base URL, and that this machine trusts the certificate.', error.message);
    case 'connect_failed':
    case 'connect_timeout':
      return l10n.t('{0} Check the base URL and that the service runs, then try again.', error.message);
    case 'unreadable_setting':
      return l10n.t(
        'The setting {0} is no list, so nothing is written to it. Open the settings and mend it.',
        settings.projects,
      );
    case 'unreadable_local_setting':
      return l10n.t(
        'The setting {0} is not made of objects, so nothing is written to it. Open the settings and mend it.',
        settings.localServiceProjects,
      );
    case 'untrusted_workspace':
      return l10n.t('You have not said that you trust this workspace, so nothing is written to its settings.');
    case 'duplicate_project':
      return l10n.t('There is such a project already.');
    case 'no_such_entry':
      return l10n.t('The settings have no such project.');
    case 'invalid_entry':
      return l10n.t('The project has a field with a value that it cannot have. Mend it in the settings.');
    case 'window_closed':
      return l10n.t('The window was closed while the statement ran.');
    case 'result_gone':
      return l10n.t('The rows of this result are gone. Run the statement again to see them.');
    case 'outcome_expired':
      return l10n.t(
        'The statement was not sent again: it was first sent so long ago that the service may have forgotten it and would do it a second time.',
      );
    case 'no_room_for_rows':
      return l10n.t('The disk of this machine is full, so no more rows are kept. Make room, then run it again.');
    case 'rows_not_kept':
      return l10n.t('The rows could not be kept on this machine: {0}', error.message);
    case 'local_service_not_running':
      return l10n.t('The local service is not running. Start it, then refresh.');
    case 'local_service_elsewhere':
      return l10n.t('{0} Use it there, or choose a data folder on this machine.', error.message);
    case 'service_unproven':
      return l10n.t('{0} Start the local service, then refresh.', error.message);
    case 'local_service_failed':
      return l10n.t('The local service did not start: {0}', error.message);
    case 'body_timeout':
    case 'connection_lost':
    case 'headers_timeout':
    case 'row_timeout':
    case 'timeout':
      return l10n.t('{0} Try again; a project has a time limit in its settings.', error.message);
    case 'rows_out_of_memory':
      return l10n.t('These rows take more memory to work through than there is. Fewer rows or columns may do.');
    case 'rows_interrupted':
      return l10n.t('Working through the rows was interrupted. The rows are still there: try again.');
    case 'not_a_file':
      return l10n.t('There is something else of that name, which cannot be replaced. Choose another name.');
    case 'no_sqlite':
      return l10n.t('This VS Code has no SQLite to write files with. Export SQL INSERT instead, or update VS Code.');
    case 'too_many_columns':
      return l10n.t('{0} Select fewer columns, or export another format.', error.message);
    case 'answer_too_large':
    case 'row_too_large':
      return l10n.t('{0} Select fewer or shorter columns.', error.message);
    case 'answer_too_deep':
      return l10n.t('{0} Leave that column out, or select a part of it, for example with json_extract.', error.message);
    case 'too_many_blanks':
      return l10n.t('{0} Try again. If it happens again, tell whoever runs the service.', error.message);
    case 'not_an_sql_answer':
      return l10n.t('What answers at this address is not an SQL service. Check the base URL and the path prefix.');
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
      return refusalMessage(error);
    case 'closed':
    case 'misuse':
      return error.message;
    default:
      return assertNever(error.kind);
  }
}

function systemErrorMessage(thrown: unknown): string {
  return asRecord(thrown)?.['code'] === 'ENOSPC'
    ? l10n.t('The disk of this machine is full. Make room, then try again.')
    : messageOf(thrown);
}

/** A 5xx status can come from a broken service or a proxy, so its message alone may not help. */
function refusalMessage({ code, message }: ProjectError): string {
  const status = /^http_(5\d\d)$/.exec(code)?.[1];
  if (status === undefined) return message;
  return l10n.t('The service failed with status {0}: {1} Try again later.', status, withFullStop(message));
}

const withFullStop = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

function rateLimitMessage(error: ProjectError): string {
  const milliseconds = asCount(asRecord(error)?.['retryAfter']);
  if (milliseconds === undefined) return l10n.t('The service takes no more requests for now. Try again later.');
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  return l10n.t('The service takes no more requests for now. Try again in {0} s.', seconds);
}

/** The answer of a project to a connection test. */
export function connectionReportMessage(
  { name }: Profile,
  { milliseconds, tables, version }: ConnectionReport,
): string {
  return l10n.t('{0} answered in {1} ms. Tables: {2}. SQLite {3}.', name, milliseconds, tables, version);
}

/** The problem of an entry of the settings. Entries are counted from 1. */
export function profileProblemMessage(problem: ProfileProblem): string {
  const message = entryProblemMessage(problem);
  return problem.scope === 'workspace' ? l10n.t('{0} (Workspace settings.)', message) : message;
}

function entryProblemMessage(problem: ProfileProblem): string {
  switch (problem.kind) {
    case 'notAList':
      return l10n.t('The setting {0} must be a list.', settings.projects);
    case 'notAnObject':
      return l10n.t('Entry {0} of {1} must be an object.', problem.index + 1, settings.projects);
    case 'duplicate':
      return l10n.t('Entry {0} of {1} repeats an earlier one.', problem.index + 1, settings.projects);
    case 'keyInSetting':
      return l10n.t(
        'Entry {0} of {1} holds an API key, where anybody can read it. Remove it and use "Set API Key".',
        problem.index + 1,
        settings.projects,
      );
    case 'field': {
      const { index, field, fault } = problem;
      return fault === 'missing'
        ? l10n.t('Entry {0} of {1} has no "{2}".', index + 1, settings.projects, field)
        : l10n.t('Entry {0} of {1}, "{2}": {3}', index + 1, settings.projects, field, fieldFaultMessage(fault));
    }
    case 'localNotAnObject':
      return problem.projectId === undefined
        ? l10n.t('The setting {0} must be an object.', settings.localServiceProjects)
        : l10n.t('"{0}" of {1} must be an object.', problem.projectId, settings.localServiceProjects);
    case 'localField': {
      const { projectId, field, fault } = problem;
      return l10n.t(
        '"{0}" of {1}, "{2}": {3}',
        projectId,
        settings.localServiceProjects,
        field,
        fieldFaultMessage(fault),
      );
    }
    default:
      return assertNever(problem);
  }
}

/** Says what a field must be. */
export function fieldFaultMessage(fault: FieldFault): string {
  switch (fault) {
    case 'missing':
      return l10n.t('This is needed.');
    case 'notText':
      return l10n.t('This must be text.');
    case 'badUrl':
      return l10n.t('This must be an http(s) address without credentials, query and fragment.');
    case 'insecureUrl':
      return l10n.t('This must begin with https:// unless the service runs on this machine.');
    case 'badPrefix':
      return l10n.t('This must be empty, or a path that begins with a slash and has no blanks, query and fragment.');
    case 'badProjectId':
      return l10n.t('This cannot be part of an address.');
    case 'unknownProtection':
      return l10n.t('This must be one of {0}.', protections.join(', '));
    case 'unknownColor':
      return l10n.t('This must be one of {0}.', projectColors.join(', '));
    case 'badRetries':
      return l10n.t('This must be a whole number from 0 to {0}.', maxRetries);
    case 'badTimeout':
      return l10n.t('This must be a whole number of seconds from 0, for no limit, to {0}.', maxTimeoutSeconds);
    case 'badBudget':
      return l10n.t('This must be a whole number, 1 or more.');
    default:
      return assertNever(fault);
  }
}
