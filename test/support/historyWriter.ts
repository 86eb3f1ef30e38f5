/** Writes entries one after another until it is killed, and says after each that it is stored: FOLDER NAME. */
import { startHistoryThread } from './historyThread.ts';

const [folder = '', name = ''] = process.argv.slice(2);
const history = startHistoryThread(folder);
for (let number = 1; ; number++) {
  await history.add({ sql: `SELECT '${name} ${number}'` });
  process.stdout.write(`${number}\n`);
}
