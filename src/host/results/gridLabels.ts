import * as vscode from 'vscode';
import type { GridLabels } from '../../protocol/labels.ts';
import { cellLabels } from './cellLabels.ts';
import { protectionBadges, protectionNote } from '../projectAppearance.ts';

/** The labels of a page with a result. */
export function gridLabels(): GridLabels {
  return {
    noResult: vscode.l10n.t('Run a statement to see its rows here.'),
    running: vscode.l10n.t('Running…'),
    rows: vscode.l10n.t('{0} rows'),
    oneRow: vscode.l10n.t('1 row'),
    changed: vscode.l10n.t('{0} rows changed'),
    oneChanged: vscode.l10n.t('1 row changed'),
    cancelled: vscode.l10n.t('Stopped'),
    limited: vscode.l10n.t('Stopped at the limit'),
    more: vscode.l10n.t('more as you scroll'),
    firstRow: vscode.l10n.t('first row after {0}'),
    firstColumns: vscode.l10n.t('the first {0} of {1} columns are shown'),
    tabs: vscode.l10n.t('Results'),
    tabKeys: vscode.l10n.t('Delete closes it, F2 renames it.'),
    pinned: vscode.l10n.t('pinned'),
    closeTab: vscode.l10n.t('Close {0}'),
    paused: vscode.l10n.t('Paused'),
    'paused.rows': vscode.l10n.t(
      'This is as many rows as a result takes. The rest waits at the service, for as long as that lets it.',
    ),
    'paused.bytes': vscode.l10n.t(
      'This is as much of the disk as a result takes. The rest waits at the service, for as long as that lets it.',
    ),
    'paused.disk': vscode.l10n.t(
      'All results together take as much of the disk as the settings allow. Close some, then continue.',
    ),
    waits: vscode.l10n.t('The service asks to wait. The statement is sent again in {0}.'),
    waiting: vscode.l10n.t('Waiting'),
    stateFailed: vscode.l10n.t('failed'),
    'outcome.unknown': vscode.l10n.t(
      'Outcome unknown: the statement was sent, and nothing told whether it was done. Check Outcome sends it again under the same key: what was done is not done twice, and what was not is done now.',
    ),
    'outcome.expired': vscode.l10n.t(
      'Outcome unknown: the statement was sent, and nothing told whether it was done. The service can no longer be asked: it would perhaps do the statement a second time. Look at the data, and run the statement again only if it was not done.',
    ),
    'outcome.replayed': vscode.l10n.t('The statement had been done before. This is what it did then.'),
    valuesNotSaved: vscode.l10n.t('The values of the parameters were not saved. Rerun asks for them.'),
    'action.cancel': vscode.l10n.t('Enough'),
    'action.resume': vscode.l10n.t('Continue'),
    'action.finish': vscode.l10n.t('Stop Here'),
    'action.cancelWait': vscode.l10n.t('Give Up'),
    'action.checkOutcome': vscode.l10n.t('Check Outcome'),
    'action.setKey': vscode.l10n.t('Set API Key'),
    'action.issueKey': vscode.l10n.t('Issue a New Key'),
    'action.editProject': vscode.l10n.t('Edit Project'),
    'action.retry': vscode.l10n.t('Try Again'),
    'action.goToStatement': vscode.l10n.t('Go to Statement'),
    'action.rerun': vscode.l10n.t('Rerun'),
    'action.export': vscode.l10n.t('Export Rows…'),
    'action.pin': vscode.l10n.t('Pin Result'),
    'action.unpin': vscode.l10n.t('Unpin Result'),
    'action.openInEditor': vscode.l10n.t('Open in Editor'),
    'action.rename': vscode.l10n.t('Rename Result…'),
    grid: vscode.l10n.t('Rows of {0}'),
    none: vscode.l10n.t('The statement gave no rows.'),
    loading: vscode.l10n.t('Loading'),
    confirmWrites: protectionNote('confirmWrites'),
    readOnly: protectionNote('readOnly'),
    'mark.confirmWrites': protectionBadges.confirmWrites,
    'mark.readOnly': protectionBadges.readOnly,
    failed: vscode.l10n.t('This could not be done. Try again, or reload the window.'),
    ...cellLabels(),
  };
}
