import * as vscode from 'vscode';
import { asBoolean, oneOf } from '../../base/decode.ts';
import { type BlobSpelling, blobSpellings } from '../../protocol/rowQueries.ts';
import { settings } from '../names.ts';

const decodeSpelling = oneOf(blobSpellings);

/** Whether headers show the types of columns. */
export const showsColumnTypes = (): boolean =>
  asBoolean(vscode.workspace.getConfiguration().get(settings.columnTypes)) ?? true;

/** Whether grids have a field for the filter of each column below its header. */
export const showsFilterRow = (): boolean =>
  asBoolean(vscode.workspace.getConfiguration().get(settings.filterRow)) ?? false;

/** Shows or hides the fields for filters, in the settings that have decided it so far. */
export async function showFilterRow(shown: boolean): Promise<void> {
  const configuration = vscode.workspace.getConfiguration();
  const isInWorkspace = configuration.inspect(settings.filterRow)?.workspaceValue !== undefined;
  const target = isInWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  await configuration.update(settings.filterRow, shown, target);
}

/** Whether a change of the settings changes what grids show. */
export const changesGrids = (change: vscode.ConfigurationChangeEvent): boolean =>
  change.affectsConfiguration(settings.columnTypes) || change.affectsConfiguration(settings.filterRow);

/** How BLOBs are copied as text. */
export const copiedBlobs = (): BlobSpelling =>
  decodeSpelling(vscode.workspace.getConfiguration().get(settings.copyBlobsAs)) ?? 'hex';
