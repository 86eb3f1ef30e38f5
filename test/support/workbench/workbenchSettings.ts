/** User settings under which nothing moves by itself: no news, tips, updates, animations or requests to the outside. */
export const workbenchSettings = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'workbench.enableExperiments': false,
  'workbench.settings.enableNaturalLanguageSearch': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.reduceMotion': 'on',
  'window.confirmBeforeClose': 'never',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  // A window on a server else lists the files that all processes hold, every two seconds, to see which ports they listen on.
  'remote.autoForwardPorts': false,
  'remote.autoForwardPortsSource': 'output',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'chat.disableAIFeatures': true,
  'git.enabled': false,
  'npm.fetchOnlinePackageInfo': false,
  'typescript.disableAutomaticTypeAcquisition': true,
  'json.schemaDownload.enable': false,
} as const;

/**
 * What there is beside the extension under test: languages, settings and themes. VS Code reads each extension it comes with
 * for every window, which took a fifth of the time of all tests. The test of the packed extension has all of them.
 */
export const testedBeside = [
  'configuration-editing',
  'json',
  'json-language-features',
  'markdown-basics',
  'sql',
  'theme-defaults',
  'theme-modern-icons',
  'theme-seti',
] as const;
