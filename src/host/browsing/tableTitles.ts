import type { BrowsedTable } from '../../model/browsing/browsedTable.ts';
import type { Profile } from '../../model/profiles.ts';

interface TitledTable {
  readonly profile: Pick<Profile, 'name' | 'baseUrl' | 'projectId'>;
  readonly table: BrowsedTable;
}

/** From the shortest title to one that no other table has. */
const titleFormats: readonly ((titled: TitledTable) => string)[] = [
  ({ table }) => table.name,
  ({ table, profile }) => `${table.name}: ${profile.name}`,
  ({ table, profile }) => `${table.name}: ${profile.name} (${new URL(profile.baseUrl).host})`,
  ({ table, profile }) => `${table.name}: ${profile.name} (${profile.projectId})`,
];

/** The shortest title of each table that no other table would have. */
export function tableTitles(tables: readonly TitledTable[]): string[] {
  const isUnique = (title: string, format: (titled: TitledTable) => string): boolean =>
    tables.filter(other => format(other) === title).length === 1;
  return tables.map(titled => {
    const format = titleFormats.find(candidate => isUnique(candidate(titled), candidate)) ?? titleFormats.at(-1);
    return format?.(titled) ?? titled.table.name;
  });
}
