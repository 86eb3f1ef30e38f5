import type { BrowsedTable } from '../../model/browsing/browsedTable.ts';
import type { Profile } from '../../model/profiles.ts';

interface Titled {
  readonly profile: Pick<Profile, 'name' | 'baseUrl' | 'projectId'>;
  readonly table: BrowsedTable;
}

/** From the shortest to the one that no other table has. */
const ways: readonly ((one: Titled) => string)[] = [
  ({ table }) => table.name,
  ({ table, profile }) => `${table.name}: ${profile.name}`,
  ({ table, profile }) => `${table.name}: ${profile.name} (${new URL(profile.baseUrl).host})`,
  ({ table, profile }) => `${table.name}: ${profile.name} (${profile.projectId})`,
];

/** The titles of editors: names of tables, with as much behind each as tells it from the others. */
export function tableTitles(opened: readonly Titled[]): string[] {
  const isAlone = (title: string, way: (one: Titled) => string): boolean =>
    opened.filter(other => way(other) === title).length === 1;
  return opened.map(one => {
    const found = ways.find(way => isAlone(way(one), way)) ?? ways.at(-1);
    return found?.(one) ?? one.table.name;
  });
}
