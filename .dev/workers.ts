/**
 * `npm run service:workers`: runs the service as Cloudflare does, with workerd, on this machine.
 * `npm run service:workers -- FOLDER` keeps its data in that folder; without it, the data ends with the process.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { parse } from 'jsonc-parser';
import { root, runTool } from './command.ts';

/** The part of the configuration that workerd needs. */
interface WranglerConfig {
  readonly compatibility_date: string;
  readonly durable_objects: { readonly bindings: readonly { readonly name: string; readonly class_name: string }[] };
  readonly vars: Readonly<Record<string, string>>;
}

export interface WorkersOptions {
  readonly folder: string;
  readonly adminKey: string;
  /** Other values of the variables in the configuration. */
  readonly vars?: Readonly<Record<string, string>>;
  readonly port?: number;
}

export interface Workers {
  readonly child: ChildProcess;
  readonly baseUrl: string;
}

/** Starts the built Worker with the bindings of the configuration that deploys it. */
export async function startWorkers({ folder, adminKey, vars = {}, port = 0 }: WorkersOptions): Promise<Workers> {
  const file = join(root, 'src/service/deploy/cloudflare/wrangler.jsonc');
  const config = parse(await readFile(file, 'utf8'), [], { allowTrailingComma: true }) as WranglerConfig;
  await mkdir(join(folder, 'objects'), { recursive: true, mode: 0o700 });
  await copyFile(join(root, 'dist/serviceWorker.mjs'), join(folder, 'worker.js'));
  const capnp = join(folder, 'workerd.capnp');
  await writeFile(capnp, workerdConfig(config, { ...config.vars, ...vars, ADMIN_KEY: adminKey }, port), {
    mode: 0o600,
  });
  const child = spawn(workerdProgram(), ['serve', capnp, '--control-fd=3'], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('workerd ended. Its messages are above.')));
  ended.catch(() => undefined);
  try {
    const [line] = (await Promise.race([once(child.stdio[3] as Readable, 'data'), ended])) as [Buffer];
    return { child, baseUrl: `http://127.0.0.1:${(JSON.parse(String(line)) as { port: number }).port}` };
  } finally {
    // The file holds the key.
    await rm(capnp);
  }
}

/** The path of workerd. */
export const workerdProgram = (): string =>
  (createRequire(import.meta.url)('workerd') as { readonly default: string }).default;

function workerdConfig(config: WranglerConfig, vars: Readonly<Record<string, string>>, port: number): string {
  const objects = config.durable_objects.bindings;
  const bindings = [
    ...objects.map(({ name, class_name }) => `(name = "${name}", durableObjectNamespace = "${class_name}")`),
    ...Object.entries(vars).map(([name, text]) => `(name = "${name}", text = ${JSON.stringify(text)})`),
  ];
  const namespaces = objects.map(
    ({ class_name }) => `(className = "${class_name}", uniqueKey = "${class_name.toLowerCase()}", enableSql = true)`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [ (name = "main", worker = .worker), (name = "disk", disk = (path = "objects", writable = true)) ],
  sockets = [ (name = "http", address = "127.0.0.1:${port}", http = (), service = "main") ]);
const worker :Workerd.Worker = (
  modules = [ (name = "worker.js", esModule = embed "worker.js") ],
  compatibilityDate = "${config.compatibility_date}",
  bindings = [ ${bindings.join(', ')} ],
  durableObjectNamespaces = [ ${namespaces.join(', ')} ],
  durableObjectStorage = (localDisk = "disk"));
`;
}

if (import.meta.main) {
  if (!runTool('build')) process.exit(1);
  const [folderArgument] = process.argv.slice(2);
  const folder = folderArgument === undefined ? await mkdtemp(join(tmpdir(), 'workers-')) : resolve(folderArgument);
  const adminKey = randomBytes(32).toString('base64url');
  const { child, baseUrl } = await startWorkers({ folder, adminKey });
  console.log(`listening ${baseUrl}\nadmin key ${adminKey}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill('SIGTERM'));
  await once(child, 'exit');
  if (folderArgument === undefined) await rm(folder, { recursive: true, force: true });
}
