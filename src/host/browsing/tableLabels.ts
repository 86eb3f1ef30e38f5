import * as vscode from 'vscode';
import type { BrowsingLabels, GridLabels } from '../../protocol/labels.ts';

/** The texts of a table's page that other grids do not have, or have in other words. */
export function tableLabels(): BrowsingLabels & Partial<GridLabels> {
  return {
    // After a reload, a sorted table shows its rows only when they are sorted again.
    noResult: vscode.l10n.t('Loading…'),
    running: vscode.l10n.t('Loading…'),
    waits: vscode.l10n.t('The service is busy. The rows are fetched again in {0}.'),
    'action.cancel': vscode.l10n.t('Stop'),
    none: vscode.l10n.t('No rows'),
    find: vscode.l10n.t('Find in Loaded Rows'),
    // The head line has the row count.
    rowsOf: '',
    rowsOfOne: '',
    place: vscode.l10n.t('Row {0} · {2}'),
    rowsOfAll: vscode.l10n.t('Rows {0}–{1} of {2}'),
    oneRowOfAll: vscode.l10n.t('Row {0} of {2}'),
    rowsOfMore: vscode.l10n.t('Rows {0}–{1} of {2}+'),
    oneRowOfMore: vscode.l10n.t('Row {0} of {2}+'),
    noRows: vscode.l10n.t('No rows'),
    unsorted: vscode.l10n.t('Unsorted'),
    unsortedNote: vscode.l10n.t(
      'The service returns the rows in no fixed order. If the table changes, rows can repeat or be missing. Sort by the primary key or a column for a fixed order.',
    ),
    sortedBy: vscode.l10n.t('sorted by {0}'),
    sortedByKey: vscode.l10n.t('sorted by primary key'),
    sortedNote: vscode.l10n.t('Sorted by the service. Equal rows are in the order of the primary key.'),
    filtered: vscode.l10n.t('filtered'),
    filteredNote: vscode.l10n.t(
      'Filtered by the service, in the order of the primary key. Filters ignore the case of the letters A to Z only.',
    ),
    sortedAndFilteredNote: vscode.l10n.t(
      'Sorted and filtered by the service. Equal rows are in the order of the primary key. Filters ignore the case of the letters A to Z only.',
    ),
    repeated: vscode.l10n.t('{0} rows are shown twice, because the table has changed. Refresh to see each row once.'),
    oneRepeated: vscode.l10n.t('1 row is shown twice, because the table has changed. Refresh to see each row once.'),
    'tool.refresh': vscode.l10n.t('Refresh'),
    'tool.sortByKey': vscode.l10n.t('Sort by Primary Key'),
    'tool.goToRow': vscode.l10n.t('Go to Row…'),
    'tool.countRows': vscode.l10n.t('Count Rows'),
    'tool.stopCounting': vscode.l10n.t('Stop Counting'),
    'tool.showStatement': vscode.l10n.t('Open as SQL'),
    'tool.addRow': vscode.l10n.t('Add Row'),
    trail: vscode.l10n.t('Trail of foreign keys'),
    trailBack: vscode.l10n.t('Back on the Trail'),
    trailForward: vscode.l10n.t('Forward on the Trail'),
  };
}
