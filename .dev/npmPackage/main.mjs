#!/usr/bin/env node
// The command line of the npm package. It needs a newer Node.js than the client, and an older one cannot read its code.
const oldest = { major: 24, minor: 15 };

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > oldest.major || (major === oldest.major && minor >= oldest.minor)) {
  await import(new URL('service.mjs', import.meta.url).href);
} else {
  console.error(
    `The commands need Node.js ${oldest.major}.${oldest.minor} or newer, and this is ${process.version}. Update Node.js.`,
  );
  process.exitCode = 1;
}
