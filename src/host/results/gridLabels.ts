import * as vscode from 'vscode';
import type { GridLabels } from '../../protocol/labels.ts';

/** The sentences of the page with the grid. */
export function gridLabels(): GridLabels {
  return {
    noResult: vscode.l10n.t('Run a statement to see its rows here.'),
    running: vscode.l10n.t('Running…'),
    rows: vscode.l10n.t('{0} rows'),
    oneRow: vscode.l10n.t('1 row'),
    changed: vscode.l10n.t('{0} rows changed'),
    oneChanged: vscode.l10n.t('1 row changed'),
    cancelled: vscode.l10n.t('Stopped'),
    limited: vscode.l10n.t('Stopped at the limit of the settings'),
    more: vscode.l10n.t('more as you scroll, in the order of the service'),
    stop: vscode.l10n.t('Stop'),
    grid: vscode.l10n.t('Rows of {0}'),
    none: vscode.l10n.t('The statement gave no rows.'),
    loading: vscode.l10n.t('Loading'),
    confirmWrites: vscode.l10n.t('asks before writes'),
    readOnly: vscode.l10n.t('read-only'),
    failed: vscode.l10n.t('This could not be done. Try again, or reload the window.'),
  };
}
