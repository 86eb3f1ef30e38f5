import { spawnSync } from 'node:child_process';
import { basename, dirname } from 'node:path';

/** The access control lists of a new file or folder, in the form of `getfacl`. GNU's tar sets and reads them. */
export interface AccessLists {
  readonly access?: string;
  /** For what is created in the folder later. */
  readonly default?: string;
}

/** Creates an empty file or folder. */
export function makeWithLists(path: string, kind: 'file' | 'folder', lists: AccessLists): void {
  const records = Object.entries(lists).map(([name, list]) => record(`SCHILY.acl.${name}=${list}`));
  const extended = Buffer.from(records.join(''));
  const padding = Buffer.alloc(-extended.length & 511);
  const end = Buffer.alloc(1024);
  const head = header(basename(path), 0, kind === 'file' ? '0' : '5');
  const archive = Buffer.concat([header('lists', extended.length, 'x'), extended, padding, head, end]);
  tar(['-x'], path, archive);
}

/** The access control list of a file; undefined when it has only a mode. */
export function accessListOf(file: string): string | undefined {
  const archive = tar(['--format=pax', '-c', basename(file)], file);
  const found = /(\d+) SCHILY\.acl\.access=/.exec(archive);
  return found ? archive.slice(found.index, found.index + Number(found[1])).slice(found[0].length) : undefined;
}

function tar(options: readonly string[], path: string, input = Buffer.alloc(0)): string {
  const args = ['--acls', '-C', dirname(path), '-f', '-', ...options];
  const { status, stdout, stderr } = spawnSync('tar', args, { input });
  if (status !== 0) throw new Error(`tar failed: ${stderr.toString()}`);
  return stdout.toString('latin1');
}

/** A record of a pax header begins with its own length. */
function record(text: string): string {
  let length = text.length;
  while (`${length} ${text}\n`.length !== length) length++;
  return `${length} ${text}\n`;
}

function header(name: string, sizeBytes: number, type: string): Buffer {
  const block = Buffer.alloc(512);
  block.write(name, 0);
  block.write(octal(0o755, 7), 100);
  block.write(octal(process.getuid?.() ?? 0, 7), 108);
  block.write(octal(process.getgid?.() ?? 0, 7), 116);
  block.write(octal(sizeBytes, 11), 124);
  block.write(octal(0, 11), 136);
  block.fill(' ', 148, 156);
  block.write(type, 156);
  block.write('ustar\u000000', 257);
  block.write(
    `${octal(
      block.reduce((sum, byte) => sum + byte, 0),
      6,
    )}\0 `,
    148,
  );
  return block;
}

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');
