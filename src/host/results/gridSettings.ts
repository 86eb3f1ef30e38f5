import * as vscode from 'vscode';
import { asBoolean, oneOf } from '../../base/decode.ts';
import { type BlobSpelling, blobSpellings } from '../../protocol/rowQueries.ts';
import { settings } from '../names.ts';

const decodeSpelling = oneOf(blobSpellings);

/** Whether headers show the types of columns. */
export const showsColumnTypes = (): boolean =>
  asBoolean(vscode.workspace.getConfiguration().get(settings.columnTypes)) ?? true;

/** How BLOBs are copied as text. */
export const copiedBlobs = (): BlobSpelling =>
  decodeSpelling(vscode.workspace.getConfiguration().get(settings.copyBlobsAs)) ?? 'hex';
