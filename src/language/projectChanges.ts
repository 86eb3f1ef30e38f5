import type { ProjectSchema } from './projectSchema.ts';
import type { ServedDocuments } from './servedDocuments.ts';
import type { ServedFile } from './servedFile.ts';

interface KnownProject {
  readonly isServed: boolean | undefined;
  readonly project: ProjectSchema | undefined;
}

/**
 * Calls `refresh` when an open file gets or loses its project, or when the schema of its project is another one. The editor
 * asks again by itself only when the text changes.
 */
export function onProjectChange(documents: ServedDocuments, refresh: () => Promise<void>): void {
  const known = new WeakMap<ServedFile, KnownProject>();
  documents.onDidChange(file => {
    const { isServed, project } = file;
    // Until the host has told the project, requests wait for it.
    if (isServed === undefined) return;
    const before = known.get(file);
    known.set(file, { isServed, project });
    if (!before || (before.isServed === isServed && before.project === project)) return;
    // An editor that cannot refresh asks again with the next edit.
    refresh().catch(() => undefined);
  });
}
