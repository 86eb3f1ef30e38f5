import * as vscode from 'vscode';
import type { ImportPlan, ImportWork } from '../../model/importing/journal.ts';
import { numberText, rowsText } from '../numbers.ts';

/** The sentences in which an import, a copy and generated rows differ. */
interface WorkTexts {
  readonly title: (table: string) => string;
  readonly running: (table: string) => string;
  readonly paused: (table: string) => string;
  readonly doneText: (rowCount: number, table: string) => string;
  readonly cancelled: () => string;
  readonly stopped: () => string;
  readonly stoppedAt: (line: number, reason: string) => string;
  readonly unfinished: (plan: ImportPlan, rowCount: number) => string;
}

export const workTexts: Readonly<Record<ImportWork, WorkTexts>> = {
  import: {
    title: table => vscode.l10n.t("Importing into '{0}'", table),
    running: table => vscode.l10n.t('Importing into {0}', table),
    paused: table => vscode.l10n.t('Import into {0} Paused', table),
    doneText: (count, table) =>
      count === 1
        ? vscode.l10n.t("Imported 1 row into '{0}'.", table)
        : vscode.l10n.t("Imported {0} rows into '{1}'.", numberText(count), table),
    cancelled: () => vscode.l10n.t('The import was cancelled.'),
    stopped: () => vscode.l10n.t('The import has stopped.'),
    stoppedAt: (line, reason) => vscode.l10n.t('The import stopped at line {0}: {1}', numberText(line), reason),
    unfinished: ({ source, target }, count) =>
      vscode.l10n.t(
        "The import of {0} into '{1}' has not ended. {2} are imported.",
        source.name,
        target.table,
        rowsText(count),
      ),
  },
  copy: {
    title: table => vscode.l10n.t("Copying into '{0}'", table),
    running: table => vscode.l10n.t('Copying into {0}', table),
    paused: table => vscode.l10n.t('Copy into {0} Paused', table),
    doneText: (count, table) =>
      count === 1
        ? vscode.l10n.t("Copied 1 row into '{0}'.", table)
        : vscode.l10n.t("Copied {0} rows into '{1}'.", numberText(count), table),
    cancelled: () => vscode.l10n.t('The copy was cancelled.'),
    stopped: () => vscode.l10n.t('The copy has stopped.'),
    stoppedAt: (line, reason) => vscode.l10n.t('The copy stopped at row {0}: {1}', numberText(line), reason),
    unfinished: ({ source, target }, count) =>
      vscode.l10n.t(
        "The copy of {0} into '{1}' has not ended. {2} are copied.",
        source.name,
        target.table,
        rowsText(count),
      ),
  },
  generate: {
    title: table => vscode.l10n.t("Adding generated rows to '{0}'", table),
    running: table => vscode.l10n.t('Adding Rows to {0}', table),
    paused: table => vscode.l10n.t('Adding Rows to {0} Paused', table),
    doneText: (count, table) =>
      count === 1
        ? vscode.l10n.t("Added 1 generated row to '{0}'.", table)
        : vscode.l10n.t("Added {0} generated rows to '{1}'.", numberText(count), table),
    cancelled: () => vscode.l10n.t('The generated rows were cancelled.'),
    stopped: () => vscode.l10n.t('The generated rows have stopped.'),
    stoppedAt: (line, reason) => vscode.l10n.t('The generated rows stopped at row {0}: {1}', numberText(line), reason),
    unfinished: ({ target }, count) =>
      vscode.l10n.t("Not all generated rows are in '{0}'. {1} are written.", target.table, rowsText(count)),
  },
};
