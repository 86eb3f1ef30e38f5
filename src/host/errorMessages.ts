import { basename } from 'node:path';
import { env, l10n } from 'vscode';
import { assertNever } from '../base/assertNever.ts';
import { formatDuration } from '../base/formats.ts';
import { asProjectError, messageOf, type ProjectError } from '../base/errors.ts';
import { asRecord } from '../base/decode.ts';
import type { ProjectStatus } from '../client/index.ts';
import type { ConnectionReport } from '../model/connectionTest.ts';
import type { Profile, ProfileProblem } from '../model/profiles.ts';
import { isReadOnlyKeyFault } from '../wire/keyScope.ts';
import { asServiceError } from '../wire/serviceError.ts';
import { settings } from './names.ts';
import { fieldFaultMessage } from '../protocol/projectFields.ts';
import { numberText } from './numbers.ts';

type ErrorText = (error: ProjectError) => string;

const unreachableText: ErrorText = ({ message }) =>
  l10n.t('{0} Check the address and that the service runs, then retry.', message);
const timeoutText: ErrorText = ({ message }) =>
  l10n.t('{0} Try again, or raise the time limit of the project in its settings.', message);
const tooLargeText: ErrorText = ({ message }) => l10n.t('{0} Select fewer or shorter columns.', message);

const forbiddenText: ErrorText = error =>
  isReadOnlyKeyFault(error)
    ? l10n.t('This key may only read. Use a key that may write (Set API Key…).')
    : l10n.t('The API key does not open this project. Set its own key, or check holder and name: {0}', error.message);

/** The messages that say more than the error itself, by its code. A map, since a service chooses the codes of its errors. */
const errorTexts: ReadonlyMap<string, ErrorText> = new Map<string, ErrorText>(
  Object.entries({
    no_key: () => l10n.t('No API key is set for this project. Set its API key.'),
    unauthenticated: () => l10n.t('The service rejected the API key. Set another API key.'),
    forbidden: forbiddenText,
    project_not_found: () => l10n.t('The service has no such project. Check the project ID, or remove the project.'),
    not_found: () => l10n.t('There is no SQL service at this address. Check the address and the path prefix.'),
    table_not_found: ({ message }) => l10n.t('{0} It may have been dropped or renamed. Refresh the tree.', message),
    columns_changed: () => l10n.t('The columns of the table have changed. Refresh to see them.'),
    rows_gone: () => l10n.t('The table has fewer rows than before. Refresh, then try again.'),
    row_changed: () => l10n.t('A row has changed since it was loaded. Refresh the table and edit it again.'),
    equal_rows: () =>
      l10n.t('Some of these rows are equal, and the table has no key. Edit and save one of them at a time.'),
    rows_alike: () =>
      l10n.t(
        'Another row looks the same, but one of them has a BLOB where the other has a text. Change it with a statement.',
      ),
    row_deleted: () => l10n.t('This row is marked for deletion. Revert it first.'),
    schema_not_offered: () =>
      l10n.t('The service does not offer the schema of this project. Only the syntax of its statements is checked.'),
    schema_too_large: () =>
      l10n.t('The schema of this project is too large to load. Only the syntax of its statements is checked.'),
    too_many_rows: () => l10n.t('These are too many rows of a browsed table at once. Export the rows instead.'),
    reader_timeout: () =>
      l10n.t(
        'The result was paused for too long, and the service dropped the remaining rows. Run the statement again.',
      ),
    project_gone: () => l10n.t('The project is no longer listed. Add it again, or close this tab.'),
    rate_limited: rateLimitMessage,
    tls_failed: ({ message }) =>
      l10n.t('{0} Check the address, and that this machine trusts the certificate.', message),
    connect_failed: unreachableText,
    connect_timeout: unreachableText,
    unreadable_setting: () =>
      l10n.t(
        "The setting '{0}' is not a list, so nothing is written to it. Fix it in the settings.",
        settings.projects,
      ),
    unreadable_local_setting: () =>
      l10n.t(
        "The setting '{0}' is not a set of objects, so nothing is written to it. Fix it in the settings.",
        settings.localServiceProjects,
      ),
    untrusted_workspace: () =>
      l10n.t(
        'The workspace is not trusted, so nothing is written to its settings. Trust the workspace, or use your user settings.',
      ),
    untrusted_schema: () =>
      l10n.t('The workspace is not trusted, so its schemas are not loaded. Trust the workspace first.'),
    duplicate_project: () => l10n.t('This project already exists. Edit that project instead.'),
    no_such_entry: () => l10n.t('The project is not in the settings.'),
    invalid_entry: () => l10n.t('A field of the project has a wrong value. Fix it in the settings.'),
    window_closed: () => l10n.t('The window was closed while the statement ran. Check the data, then run it again.'),
    result_gone: () => l10n.t('The rows of this result are gone. Run the statement again.'),
    outcome_expired: () =>
      l10n.t(
        'The statement was not sent again. The service may no longer remember it, and could run it a second time. Check the data before you run it again.',
      ),
    no_room_for_rows: () =>
      l10n.t(
        'The disk of this machine is full, so no more rows are stored. Free some space, then run the statement again.',
      ),
    results_disk_full: () =>
      l10n.t('The disk space for the rows of results is used up. Close other results, then compare again.'),
    rows_not_kept: ({ message }) => l10n.t('The rows could not be stored on this machine: {0}', message),
    history_damaged: ({ message }) =>
      l10n.t('The history file was damaged. It was renamed to {0}, and a new history begins.', basename(message)),
    local_service_not_running: () => l10n.t('The local service is not running. Start it, then refresh.'),
    local_service_elsewhere: ({ message }) =>
      l10n.t('{0} Use it there, or choose a data folder on this machine.', message),
    service_unproven: ({ message }) => l10n.t('{0} Start the local service, then refresh.', message),
    local_service_failed: ({ message }) => l10n.t('The local service did not start: {0}', message),
    body_timeout: timeoutText,
    connection_lost: timeoutText,
    headers_timeout: timeoutText,
    row_timeout: timeoutText,
    timeout: timeoutText,
    rows_out_of_memory: () =>
      l10n.t('There is not enough memory to work through these rows. Try fewer rows or columns.'),
    rows_interrupted: () => l10n.t('Working through the rows was interrupted. The rows are still there: try again.'),
    not_a_file: () => l10n.t('Something else has this name and cannot be replaced. Choose another name.'),
    no_sqlite: () => l10n.t('This version of VS Code is too old to use SQLite safely. Update VS Code.'),
    too_many_columns: ({ message }) => l10n.t('{0} Select fewer columns, or export another format.', message),
    answer_too_large: tooLargeText,
    row_too_large: tooLargeText,
    answer_too_deep: ({ message }) =>
      l10n.t('{0} Leave that column out, or select a part of it, for example with json_extract.', message),
    too_many_blanks: ({ message }) =>
      l10n.t('{0} Try again. If it happens again, ask the operator of the service.', message),
    not_an_sql_answer: () =>
      l10n.t('Another server answers at this address, not an SQL service. Check the address and the path prefix.'),
    runtime_too_old: ({ message }) =>
      l10n.t('The local service cannot run in this VS Code: {0} Update VS Code, then try again.', message),
  }),
);

/** Says what happened and what the user can do, for everything that can be thrown. */
export function errorMessage(thrown: unknown): string {
  const error = asProjectError(thrown);
  if (!error) return systemErrorMessage(thrown);
  const text = errorTexts.get(error.code);
  if (text) return text(error);
  switch (error.kind) {
    case 'transport':
      return l10n.t('The service could not be reached: {0}', error.message);
    case 'protocol':
      return l10n.t('The service returned an answer that cannot be read: {0}', error.message);
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
    ? l10n.t('The disk of this machine is full. Free some space, then try again.')
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
  const milliseconds = asServiceError(error)?.retryAfter;
  if (milliseconds === undefined) return l10n.t('The service is busy. Try again later.');
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  return l10n.t('The service is busy. Try again in {0}.', formatDuration(seconds * 1000, env.language, 0));
}

/** The answer of a project to a connection test, with its state if the service reports it. */
export function connectionReportMessage(
  { name }: Profile,
  { milliseconds, tables, version }: ConnectionReport,
  status?: ProjectStatus,
): string {
  const duration = formatDuration(milliseconds, env.language);
  const tableCount = tables === 1 ? l10n.t('1 table') : l10n.t('{0} tables', numberText(tables));
  const report =
    version === undefined
      ? l10n.t("'{0}' answered in {1}: {2}.", name, duration, tableCount)
      : l10n.t("'{0}' answered in {1}: {2}, SQLite {3}.", name, duration, tableCount, version);
  return [report, status && statusMessage(status)].filter(Boolean).join(' ');
}

function statusMessage({ isActive, status, readOnlyReason, engine, keyScope }: ProjectStatus): string {
  const state = isActive ? l10n.t('active') : l10n.t('not active');
  const fullState = status === '' || status === state ? state : `${state} (${status})`;
  const { statementBytes, columns } = engine?.limits ?? {};
  const limits =
    engine !== undefined &&
    statementBytes !== undefined &&
    columns !== undefined &&
    l10n.t(
      "Limits of its engine '{0}': statement length {1} KB, column count {2}.",
      engine.name,
      numberText(Math.floor(statementBytes / 1000)),
      numberText(columns),
    );
  const keyNote = keyScope === 'read' && l10n.t('Its API key may only read.');
  return [l10n.t('The project is {0}.', fullState), keyNote, limits, readOnlyReason].filter(Boolean).join(' ');
}

/** Describes a problem in the settings. Entries are counted from 1. */
export function profileProblemMessage(problem: ProfileProblem): string {
  const message = entryProblemMessage(problem);
  return problem.scope === 'workspace' ? l10n.t('{0} (Workspace settings.)', message) : message;
}

function entryProblemMessage(problem: ProfileProblem): string {
  switch (problem.kind) {
    case 'notAList':
      return l10n.t("The setting '{0}' must be a list.", settings.projects);
    case 'notAnObject':
      return l10n.t("Entry {0} of '{1}' must be an object.", problem.index + 1, settings.projects);
    case 'duplicate':
      return l10n.t("Entry {0} of '{1}' repeats an earlier one.", problem.index + 1, settings.projects);
    case 'keyInSetting':
      return l10n.t(
        "Entry {0} of '{1}' has an API key, where anybody can read it. Remove it, and set the key with Set API Key.",
        problem.index + 1,
        settings.projects,
      );
    case 'field': {
      const { index, field, fault } = problem;
      return fault === 'missing'
        ? l10n.t("Entry {0} of '{1}' has no '{2}'.", index + 1, settings.projects, field)
        : l10n.t("Entry {0} of '{1}', '{2}': {3}", index + 1, settings.projects, field, fieldFaultMessage(fault));
    }
    case 'localNotAnObject':
      return problem.projectId === undefined
        ? l10n.t("The setting '{0}' must be an object.", settings.localServiceProjects)
        : l10n.t("'{0}' of '{1}' must be an object.", problem.projectId, settings.localServiceProjects);
    case 'localField': {
      const { projectId, field, fault } = problem;
      return l10n.t(
        "'{0}' of '{1}', '{2}': {3}",
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
