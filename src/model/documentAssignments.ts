/** Which project each document is assigned to, by their addresses. */
export type Assignments = Readonly<Record<string, unknown>>;

/**
 * What was assigned stays assigned wherever it goes, as do the files of a folder. What was at the new address before is no
 * longer there, so that its assignment says nothing of what came.
 */
export function movedAssignments(before: Assignments, from: string, to: string): Assignments {
  const entries = Object.entries(before);
  const isMoved = (name: string): boolean => name === from || name.startsWith(`${from}/`);
  const staying = entries.filter(([name]) => !isMoved(name) && name !== to);
  const moved = entries
    .filter(([name]) => isMoved(name))
    .map(([name, project]) => [`${to}${name.slice(from.length)}`, project] as const);
  return Object.fromEntries([...staying, ...moved]);
}
