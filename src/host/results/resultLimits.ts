import * as vscode from 'vscode';
import { asCount } from '../../base/shape.ts';
import type { Profile } from '../../model/profiles.ts';
import type { RunLimits } from '../../model/results/resultRun.ts';
import { settings } from '../names.ts';

export const defaultLimits = { maxRows: 1_000_000, maxBytesMb: 1024 } as const;

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
