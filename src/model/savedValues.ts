import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { asArray, asRecord, asString, type UnknownRecord } from '../base/decode.ts';

/** Storage for a workspace, such as VS Code's `Memento`. */
export interface WorkspaceStorage {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** The places of parameter values in a workspace's storage. The window starts with this file, so it imports little. */
export const lastParametersKey = 'sqlProjects.parameters';
export const savedResultsKey = 'sqlProjects.savedResults';
export const paramsEnding = '.params.json';

/**
 * Removes all parameter values from a workspace's storage. `folder` has the values that are too long for the lists. The lists
 * change before the first wait, so that no window restores a result with its values.
 */
export async function dropSavedValues(state: WorkspaceStorage, folder: string | undefined): Promise<void> {
  const results = (asArray(state.get(savedResultsKey)) ?? []).map(result => asRecord(result) ?? {});
  const withValues = results.filter(({ params, hasParamsFile }) => params !== undefined || hasParamsFile === true);
  const updates: PromiseLike<void>[] = [];
  if (withValues.length > 0) updates.push(state.update(savedResultsKey, results.map(withoutValues)));
  if (state.get(lastParametersKey) !== undefined) updates.push(state.update(lastParametersKey, undefined));
  await Promise.all(updates);
  for (const id of withValues.map(result => asString(result['id']))) {
    if (folder !== undefined && id !== undefined) await rm(join(folder, `${id}${paramsEnding}`), { force: true });
  }
}

const withoutValues = (result: UnknownRecord): UnknownRecord =>
  Object.fromEntries(Object.entries(result).filter(([name]) => name !== 'params' && name !== 'hasParamsFile'));
