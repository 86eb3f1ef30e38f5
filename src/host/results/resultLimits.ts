import * as vscode from 'vscode';
import { asCount } from '../../base/decode.ts';
import type { Profile } from '../../model/profiles.ts';
import type { RunLimits } from '../../model/results/runBudget.ts';
import { defaultResultLimits } from '../../protocol/projectFields.ts';
import { settings } from '../names.ts';

const defaultDiskMb = 4096;
const defaultUnpinned = 10;
const bytesPerMb = 1024 * 1024;

/** The project's own limits come before the settings for all projects. */
export function resultLimits({ maxRows, maxBytesMb }: Partial<Profile> = {}): RunLimits {
  return {
    maxRows: maxRows ?? positiveSetting(settings.maxRows, defaultResultLimits.maxRows),
    maxBytes: (maxBytesMb ?? positiveSetting(settings.maxBytesMb, defaultResultLimits.maxBytesMb)) * bytesPerMb,
  };
}

export const resultsDiskBytes = (): number => positiveSetting(settings.maxDiskMb, defaultDiskMb) * bytesPerMb;

export const maxUnpinnedResults = (): number => positiveSetting(settings.keep, defaultUnpinned);

/** A value other than a positive whole number counts as not set. */
export const positiveSetting = (name: string, defaultValue: number): number =>
  asCount(vscode.workspace.getConfiguration().get(name)) || defaultValue;
