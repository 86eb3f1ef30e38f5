import * as vscode from 'vscode';
import { asCount } from '../../base/shape.ts';
import type { RunLimits } from '../../model/results/resultRun.ts';
import { settings } from '../names.ts';

export const defaultLimits = { maxRows: 1_000_000, maxBytesMb: 1024 } as const;

/** How much of a result is kept, as the settings say; what they say wrongly counts as not said. */
export function resultLimits(): RunLimits {
  const configuration = vscode.workspace.getConfiguration();
  const read = (name: string, usual: number): number => asCount(configuration.get(name)) || usual;
  return {
    maxRows: read(settings.maxRows, defaultLimits.maxRows),
    maxBytes: read(settings.maxBytesMb, defaultLimits.maxBytesMb) * 1024 * 1024,
  };
}
