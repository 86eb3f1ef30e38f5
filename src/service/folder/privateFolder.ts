import { chmodSync, lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { asRecord } from '../../base/decode.ts';

/** The bits that let other users read, write or search. */
const othersBits = 0o077;
const everybodyWrites = 0o002;
/** In a folder with this bit, such as /tmp, users cannot rename or remove what belongs to others. */
const sticky = 0o1000;

/** Only a service makes these. A folder without them may be anybody's, such as a checkout that the user named by mistake. */
const markNames: ReadonlySet<string> = new Set(['lock.sqlite', 'registry.sqlite']);
/** The names of the service's own files. Other files keep their modes. */
const ownName = /^(?:projects|(?:lock|registry|restore|sample)\.sqlite(?:-[a-z]+)?|service\.(?:json[^/]*|spare))$/;

/**
 * Makes sure that only this user can open a data folder. Its path has no symbolic links. Fixes modes, and calls `warn` if the
 * folder was open. Throws if somebody else owns a part of the folder or can replace it. Windows has no modes: there the folder
 * has the access list of its parent.
 */
export function makePrivate(folder: string, warn: (message: string) => void): void {
  const user = process.geteuid?.();
  if (user === undefined) return;
  const { uid, mode } = statSync(folder);
  if (uid !== user) {
    throw new Error(
      `The data folder ${folder} belongs to another user, who could read and change everything in it. Choose a folder of your own, or run this program as user ${uid}.`,
    );
  }
  requireSafeParents(folder);
  const names = readdirSync(folder);
  const isDataFolder = names.some(name => markNames.has(name) && lstatSync(join(folder, name)).uid === user);
  // Close the folder first. Until then, another user could replace a file after its check.
  if ((mode & othersBits) !== 0) {
    // A shared folder keeps its mode: without /etc or a home folder, other programs would fail.
    if (!isDataFolder && names.length > 0) {
      throw new Error(
        `Other users can open the folder ${folder}, and it holds other files. Choose an empty folder as the data folder.`,
      );
    }
    chmodSync(folder, 0o700);
    if ((statSync(folder).mode & othersBits) !== 0) {
      throw new Error(
        `Other users can open the data folder ${folder}, and its file system keeps no modes to prevent that. Choose a folder on another file system.`,
      );
    }
    const oldMode = (mode & 0o7777).toString(8).padStart(4, '0');
    warn(`Other users could open the data folder ${folder} (mode ${oldMode}). Now only you can open it (mode 0700).`);
  }
  for (const name of readdirSync(folder)) {
    const isOwn = ownName.test(name);
    checkEntry(join(folder, name), { user: isOwn ? user : undefined, fixesMode: isOwn && isDataFolder });
  }
  const projects = join(folder, 'projects');
  if (!lstatSync(projects, { throwIfNoEntry: false })?.isDirectory()) return;
  for (const name of readdirSync(projects)) checkEntry(join(projects, name), { user, fixesMode: isDataFolder });
}

/** A service that is ending removes some of its files, so each file may be gone at any time. */
function checkEntry(path: string, { user, fixesMode }: { user: number | undefined; fixesMode: boolean }): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return;
  requireOwn(path, stats, user);
  if (!fixesMode || (stats.mode & othersBits) === 0) return;
  try {
    chmodSync(path, stats.isDirectory() ? 0o700 : 0o600);
  } catch (thrown) {
    if (asRecord(thrown)?.['code'] !== 'ENOENT') throw thrown;
  }
}

function requireOwn(path: string, stats: Stats, user: number | undefined): void {
  if (stats.isSymbolicLink()) {
    throw new Error(
      `${path} is a symbolic link, and a data folder may not have any. Put the file itself there. To keep the data elsewhere, link to the whole data folder.`,
    );
  }
  if (user === undefined || stats.uid === user) return;
  throw new Error(
    `${path} in the data folder belongs to another user, who could read and change it. Make it your own with chown, or remove it.`,
  );
}

/** A user who may write to a parent can put another folder in the place of this one. */
function requireSafeParents(folder: string): void {
  const parent = dirname(folder);
  if (parent === folder) return;
  const { mode } = statSync(parent);
  if ((mode & everybodyWrites) !== 0 && (mode & sticky) === 0) {
    throw new Error(
      `All users may replace the data folder ${folder}, because they may write to ${parent}. Choose another folder, or run "chmod o-w ${parent}".`,
    );
  }
  requireSafeParents(parent);
}
