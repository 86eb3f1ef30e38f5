import type { KeyRecord } from '../../wire/adminAnswers.ts';
import type { KeyScope } from '../../wire/keyScope.ts';
import { administer, administerProject, dataOption, projectIdOf, projectOptions } from './administer.ts';
import { type Command, type Output, UsageError, readArguments, readNumber } from './command.ts';

export const key: Command = {
  usage: 'key issue|list|revoke --data DIR [options]',
  summary: 'issues, lists and revokes the keys of projects',
  details: `  key issue --data DIR --project NAME [--user NAME] [--read-only] [--days N]
                                      prints a new key; it cannot be printed again
  key list --data DIR [--project NAME]
                                      prints a line for each key, separated by tabs:
                                      id, project, user, time of issue, time of revocation, full or read-only,
                                      time of expiry if it expires, hour of its last use
  key revoke --data DIR KEY_ID        revokes a key for good; the list shows the ids

A key with --days expires after that many days. A project is named by its name or its id. A read-only key reads rows and
schemas of its project. The service refuses every statement that may change something.

Only a hash of each key is stored.`,

  async run([action, ...args], output) {
    if (action === 'issue') return issue(args, output);
    if (action === 'list') return list(args, output);
    if (action === 'revoke') return revoke(args, output);
    throw new UsageError('The action is missing. Use issue, list or revoke.');
  },
};

async function issue(args: readonly string[], output: Output): Promise<void> {
  const options = {
    ...projectOptions,
    user: { type: 'string' },
    'read-only': { type: 'boolean' },
    days: { type: 'string' },
  } as const;
  const { data, project, user = '', 'read-only': isReadOnly = false, days } = readArguments(args, options).values;
  const expiresInSeconds = days === undefined ? undefined : readNumber('days', days, { min: 1, max: 36_500 }) * 86_400;
  const scope: KeyScope = isReadOnly ? 'read' : 'full';
  const { apiKey, keyId } = await administerProject({ data, project, output }, (folder, projectId) =>
    folder.issueKey({ projectId, user, scope, expiresInSeconds }),
  );
  output.print(apiKey);
  output.note(`This key is not shown again. Its id is ${keyId}.`);
}

async function list(args: readonly string[], output: Output): Promise<void> {
  const { data, project } = readArguments(args, projectOptions).values;
  const records = await administer({ data, output }, async folder =>
    folder.keys(project === undefined ? undefined : await projectIdOf(folder, project)),
  );
  for (const record of records) output.print(lineOf(record));
}

async function revoke(args: readonly string[], output: Output): Promise<void> {
  const { values, positionals } = readArguments(args, dataOption, ['KEY_ID']);
  const [keyId = ''] = positionals;
  output.print(lineOf(await administer({ data: values.data, output }, folder => folder.revokeKey(keyId))));
}

function lineOf({ keyId, projectId, issuedTo, issuedAt, revokedAt, scope, expiresAt, lastUsedAt }: KeyRecord): string {
  const access = scope === 'read' ? 'read-only' : scope;
  return [keyId, projectId, issuedTo, issuedAt, revokedAt, access, expiresAt, lastUsedAt].join('\t').trimEnd();
}
