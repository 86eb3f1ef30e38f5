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

/** The shortest title of each table that no other table would have. A table may be open twice. */
export function tableTitles(tables: readonly TitledTable[]): string[] {
  return tables.map(titled => {
    const isUnique = (format: (table: TitledTable) => string): boolean =>
      tables.every(other => format(other) !== format(titled) || isSame(other, titled));
    const format = titleFormats.find(isUnique) ?? titleFormats.at(-1);
    return format?.(titled) ?? titled.table.name;
  });
}

const isSame = (one: TitledTable, other: TitledTable): boolean =>
  titleFormats.every(format => format(one) === format(other));
