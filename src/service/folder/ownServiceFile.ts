import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { decodeServiceFile, encodeServiceFile, type ServiceFile, serviceFileName } from '../../wire/serviceFile.ts';
import { onDisk } from '../faults.ts';

/** Undefined if the file is missing or names no service. */
export function serviceFileIn(folder: string): ServiceFile | undefined {
  try {
    return decodeServiceFile(readFileSync(join(folder, serviceFileName), 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Whether another machine wrote the file into a folder that both see. Names of machines change, so this only explains why
 * the service cannot be reached.
 */
export const isElsewhere = ({ machine }: ServiceFile): boolean => machine !== undefined && machine !== hostname();

/** The blank file of a service that has ended. It keeps its space on the disk for the next one. */
const spareName = 'service.spare';
/** Each content is padded to a multiple of this, so that the next one fits into the same space. */
const paddingBytes = 4096;

/** Blanks the file of a service that has ended, and keeps it as the spare. */
export function retireServiceFile(folder: string): void {
  const path = join(folder, serviceFileName);
  if (!existsSync(path)) return;
  try {
    overwrite(path, '');
    renameSync(path, join(folder, spareName));
  } catch (thrown) {
    // Some file systems need new space even for this. Then there is no spare, but the file still must not lead anywhere.
    try {
      rmSync(path);
    } catch {
      throw thrown;
    }
  }
}

/** Writes into the space that the file has already: a full disk has no other. */
function overwrite(path: string, content: string): void {
  const blocks = Math.max(1, Math.ceil(Buffer.byteLength(content) / paddingBytes));
  const bytes = Buffer.alloc(blocks * paddingBytes, ' ');
  bytes.write(content);
  // A link must not lead the key elsewhere. Windows has no such flag.
  const descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0), 0o600);
  try {
    fchmodSync(descriptor, 0o600);
    writeFileSync(descriptor, bytes);
    ftruncateSync(descriptor, bytes.length);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Writes the service file of the process that has locked the data folder. The returned function removes the file, unless another
 * service has written its own since.
 */
export function writeServiceFile(folder: string, content: ServiceFile): () => void {
  const spare = join(folder, spareName);
  onDisk(() => {
    overwrite(spare, encodeServiceFile(content));
    // Rename the file into place, so that no reader finds half of it.
    renameSync(spare, join(folder, serviceFileName));
  });
  return () => {
    if (serviceFileIn(folder)?.adminKey === content.adminKey) retireServiceFile(folder);
  };
}
