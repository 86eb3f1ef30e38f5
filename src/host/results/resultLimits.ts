import * as vscode from 'vscode';
import { asCount } from '../../base/shape.ts';
import type { Profile } from '../../model/profiles.ts';
import type { RunLimits } from '../../model/results/statementRun.ts';
import { settings } from '../names.ts';

export const defaultLimits = { maxRows: 1_000_000, maxBytesMb: 1024 } as const;
const otherDefaults = { maxDiskMb: 4096, keep: 10 } as const;

/**
 * How much of a project's result is kept: as its own entry says, or else the settings for all projects. What those say
 * wrongly counts as not said.
 */
export function resultLimits(profile: Profile): RunLimits {
  const configuration = vscode.workspace.getConfiguration();
  const read = (name: string, usual: number): number => asCount(configuration.get(name)) || usual;
  return {
    maxRows: profile.maxRows ?? read(settings.maxRows, defaultLimits.maxRows),
    maxBytes: (profile.maxBytesMb ?? read(settings.maxBytesMb, defaultLimits.maxBytesMb)) * 1024 * 1024,
  };
}

/** How much of the disk all results may take together. */
export function resultsDiskBytes(): number {
  return setNumber(settings.maxDiskMb, otherDefaults.maxDiskMb) * 1024 * 1024;
}

/** How many results may stay that are not pinned. */
export function maxUnpinnedResults(): number {
  return setNumber(settings.keep, otherDefaults.keep);
}

const setNumber = (name: string, otherwise: number): number =>
  asCount(vscode.workspace.getConfiguration().get(name)) || otherwise;
