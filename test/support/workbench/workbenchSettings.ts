/** User settings that keep a window still: no news, tips, updates, animations or outside requests. */
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
  // Port forwarding lists the open files of all processes every two seconds.
  'remote.autoForwardPorts': false,
  'remote.autoForwardPortsSource': 'output',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': 'off',
  'extensions.ignoreRecommendations': true,
  'chat.disableAIFeatures': true,
  'git.enabled': false,
  'npm.fetchOnlinePackageInfo': false,
  'typescript.disableAutomaticTypeAcquisition': true,
  'json.schemaDownload.enable': false,
} as const;

/**
 * The built-in extensions beside the one under test: languages, settings and themes. Each window reads all of them, which
 * took a fifth of the time of all tests. The test of the packed extension has all of them.
 */
export const testedBeside = [
  'configuration-editing',
  'json',
  'json-language-features',
  'markdown-basics',
  'python',
  'sql',
  'theme-defaults',
  'theme-modern-icons',
  'theme-seti',
  'typescript-basics',
] as const;
