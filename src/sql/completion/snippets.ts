/** A text with tab stops, `${1:placeholder}` and `$1`, in the syntax of TextMate that editors share. `$0` is the last one. */
interface Snippet {
  readonly label: string;
  readonly text: string;
}

/** Snippets by the keyword that they begin with. Words in upper case are SQL, those in lower case are placeholders. */
export const snippetsByKeyword: ReadonlyMap<string, Snippet> = new Map(
  Object.entries({
    SELECT: { label: 'SELECT … FROM', text: 'SELECT ${2:*} FROM ${1:table}$0' },
    INSERT: { label: 'INSERT INTO … VALUES', text: 'INSERT INTO ${1:table} (${2:column}) VALUES (${3:value})$0' },
    UPDATE: {
      label: 'UPDATE … SET … WHERE',
      text: 'UPDATE ${1:table} SET ${2:column} = ${3:value} WHERE ${4:condition}$0',
    },
    DELETE: { label: 'DELETE FROM … WHERE', text: 'DELETE FROM ${1:table} WHERE ${2:condition}$0' },
    CREATE: {
      label: 'CREATE TABLE …',
      text: 'CREATE TABLE ${1:name} (\n\t${2:id} INTEGER PRIMARY KEY,\n\t${3:column} ${4:TEXT}\n)$0',
    },
    WITH: {
      label: 'WITH … AS … SELECT',
      text: 'WITH ${1:name} AS (\n\tSELECT ${3:*} FROM ${2:table}\n)\nSELECT ${4:*} FROM ${1:name}$0',
    },
    CASE: {
      label: 'CASE WHEN … THEN … ELSE … END',
      text: 'CASE WHEN ${1:condition} THEN ${2:value} ELSE ${3:value} END$0',
    },
  }),
);

/** Text that a snippet inserts as it is. */
export const escapedForSnippet = (text: string): string => text.replaceAll(/[\\$}]/g, String.raw`\$&`);

/** The text of a snippet with the placeholders in place of the tab stops. */
export const withoutTabStops = (snippet: string): string => snippet.replaceAll(/\$\{\d+:([^}]*)\}|\$\d/g, '$1');
