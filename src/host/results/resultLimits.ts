import * as vscode from 'vscode';
import { asCount } from '../../base/decode.ts';
import type { Profile } from '../../model/profiles.ts';
import type { RunLimits } from '../../model/results/runBudget.ts';
import { defaultResultLimits } from '../../protocol/projectFields.ts';
import { settings } from '../names.ts';

const defaultDiskMb = 4096;
const defaultUnpinned = 10;
const bytesPerMb = 1024 * 1024;

/** A project's own limits come before the settings for all projects. For several projects, the least limits count. */
export function resultLimits(...profiles: readonly Profile[]): RunLimits {
  const rows = positiveSetting(settings.maxRows, defaultResultLimits.maxRows);
  const megabytes = positiveSetting(settings.maxBytesMb, defaultResultLimits.maxBytesMb);
  return {
    maxRows: Math.min(...profiles.map(({ maxRows }) => maxRows ?? rows)),
    maxBytes: Math.min(...profiles.map(({ maxBytesMb }) => maxBytesMb ?? megabytes)) * bytesPerMb,
  };
}

export const resultsDiskBytes = (): number => positiveSetting(settings.maxDiskMb, defaultDiskMb) * bytesPerMb;

export const maxUnpinnedResults = (): number => positiveSetting(settings.keep, defaultUnpinned);

/** A value other than a positive whole number counts as not set. */
const positiveSetting = (name: string, defaultValue: number): number =>
  asCount(vscode.workspace.getConfiguration().get(name)) || defaultValue;
