import { chmodSync, lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const others = 0o077;
const everybodyWrites = 0o002;
/** In a folder with this bit, such as /tmp, users cannot rename or remove what belongs to others. */
const sticky = 0o1000;

/** What stands in a data folder. Other files are not the service's business: the user may have named a wrong folder. */
const ownName = /^(?:projects|reserve|(?:lock|registry|restore|sample)\.sqlite.*|service\..*)$/;
const projectsName = 'projects';

/**
 * Makes sure that only this user can open a data folder, which is given without symbolic links. Fixes modes and calls `warn`
 * if the folder was open; throws if somebody else owns a part of it or can replace it. Windows has no modes: there the
 * folder has the access list of its parent.
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
  const entries = entriesOf(folder);
  for (const { path, stats } of entries) requireOwn(path, stats, user);
  if ((mode & others) !== 0) {
    requireDataFolder(folder, entries.length);
    chmodSync(folder, 0o700);
    if ((statSync(folder).mode & others) !== 0) {
      throw new Error(
        `Other users can open the data folder ${folder}, and its file system keeps no modes to prevent that. Choose a folder on another file system.`,
      );
    }
    const before = (mode & 0o7777).toString(8).padStart(4, '0');
    warn(`Other users could open the data folder ${folder} (mode ${before}). Now only you can open it (mode 0700).`);
  }
  for (const { path, stats } of entries) {
    if ((stats.mode & others) !== 0) chmodSync(path, stats.isDirectory() ? 0o700 : 0o600);
  }
}

interface Entry {
  readonly path: string;
  readonly stats: Stats;
}

function entriesOf(folder: string): Entry[] {
  const own = readdirSync(folder).filter(name => ownName.test(name));
  const projects = own.includes(projectsName) ? join(folder, projectsName) : undefined;
  const paths = own.map(name => join(folder, name));
  // A link is refused and not followed.
  if (projects !== undefined && lstatSync(projects).isDirectory()) {
    for (const name of readdirSync(projects)) paths.push(join(projects, name));
  }
  return paths.flatMap(path => {
    // A service that ends just now removes some of its files.
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats ? [{ path, stats }] : [];
  });
}

function requireOwn(path: string, stats: Stats, user: number): void {
  if (stats.isSymbolicLink()) {
    throw new Error(
      `${path} is a symbolic link, and a data folder may not have any. Put the file itself there. To keep the data elsewhere, link to the whole data folder.`,
    );
  }
  if (stats.uid === user) return;
  throw new Error(
    `${path} in the data folder belongs to another user, who could read and change it. Make it your own with chown, or remove it.`,
  );
}

/** Whoever may write to a parent can put another folder in the place of this one. */
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

/** A folder that is shared on purpose keeps its mode. */
function requireDataFolder(folder: string, ownCount: number): void {
  if (ownCount > 0 || readdirSync(folder).length === 0) return;
  throw new Error(
    `Other users can open the folder ${folder}, and it holds other files. Choose an empty folder as the data folder, or run "chmod 700 ${folder}".`,
  );
}
