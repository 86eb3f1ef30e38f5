import type { ProvenIndexes, ProvenIndexesRequest } from '../protocol/languageBridge.ts';
import { keyOf } from '../sql/text/names.ts';
import type { ServedSchemas } from './servedSchemas.ts';

/** Proves on the schema of a project which indexes would help a statement. */
export async function provenIndexes(
  { project, rowCounts, ...explained }: ProvenIndexesRequest,
  schemas: ServedSchemas,
): Promise<ProvenIndexes | undefined> {
  const schema = await schemas.schemaOf(project);
  await schema?.readInTurns();
  const counts = new Map(rowCounts.map(({ table, count }) => [keyOf(table), count]));
  return schema ? (await schema.shadow()).proveIndexes({ ...explained, counts }, schema.schema) : undefined;
}
