import * as vscode from 'vscode';
import type { BrowsingLabels, GridLabels } from '../../protocol/labels.ts';

/** The texts of a table's page that other grids do not have, or have in other words. */
export function tableLabels(): BrowsingLabels & Partial<GridLabels> {
  return {
    // After a reload, a sorted table shows its rows only when they are sorted again.
    noResult: vscode.l10n.t('Loading…'),
    running: vscode.l10n.t('Loading…'),
    waits: vscode.l10n.t('The service asks to wait. The rows are asked for again in {0}.'),
    'action.cancel': vscode.l10n.t('Stop Loading'),
    none: vscode.l10n.t('There are no rows.'),
    find: vscode.l10n.t('Find in the Rows That Are Loaded'),
    // The line above the grid has the row count.
    rowsOf: '',
    place: vscode.l10n.t('Row {0} · {2}'),
    rowsOfAll: vscode.l10n.t('Rows {0}–{1} of {2}'),
    rowsOfMore: vscode.l10n.t('Rows {0}–{1} of more than {2}'),
    rowsOfFilter: vscode.l10n.t('Rows {0}–{1} of {2} that pass the filters'),
    offset: vscode.l10n.t('offset {0}'),
    goToRow: vscode.l10n.t('Go to Row…'),
    countRows: vscode.l10n.t('Count Rows'),
    stopCounting: vscode.l10n.t('Stop Counting'),
    serviceOrder: vscode.l10n.t("The order is the service's own."),
    serviceOrderNote: vscode.l10n.t(
      'The service promises no order, and while others write, rows may come twice or not at all. Sorted by a column, they stand in an order that stays.',
    ),
    statementOrder: vscode.l10n.t('The service sorts and filters, by SQL.'),
    statementOrderNote: vscode.l10n.t(
      'The values of filters are bound, and the order ends in the primary key or what stands for it. To the service, upper and lower case are the same for the letters A to Z only.',
    ),
    showStatement: vscode.l10n.t('Open as SQL'),
    repeated: vscode.l10n.t(
      '{0} rows came twice, since the table was written to meanwhile. Refresh to see each where it stands.',
    ),
    oneRepeated: vscode.l10n.t(
      '1 row came twice, since the table was written to meanwhile. Refresh to see it where it stands.',
    ),
    refresh: vscode.l10n.t('Refresh'),
  };
}
