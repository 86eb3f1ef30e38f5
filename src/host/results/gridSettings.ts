import * as vscode from 'vscode';
import { asBoolean, oneOf } from '../../base/decode.ts';
import { type BlobSpelling, blobSpellings } from '../../protocol/rowQueries.ts';
import { changeSetting } from '../connections/profileSettings.ts';
import { settings } from '../names.ts';

const decodeSpelling = oneOf(blobSpellings);

export const showsColumnTypes = (): boolean =>
  asBoolean(vscode.workspace.getConfiguration().get(settings.columnTypes)) ?? true;

/** The filter row has a field for each column, below its header. */
export const showsFilterRow = (): boolean =>
  asBoolean(vscode.workspace.getConfiguration().get(settings.filterRow)) ?? false;

export const showFilterRow = (shown: boolean): Promise<void> => changeSetting(settings.filterRow, shown);

/** How BLOBs are copied as text. */
export const copiedBlobs = (): BlobSpelling =>
  decodeSpelling(vscode.workspace.getConfiguration().get(settings.copyBlobsAs)) ?? 'hex';
