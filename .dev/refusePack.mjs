// npm runs this before it packs or publishes the folder of the extension, which is not a package for npm.
console.error(
  'This folder is not the npm package. Run `npm run package:npm`: it writes the package into dist/npm and packs it.',
);
process.exitCode = 1;
