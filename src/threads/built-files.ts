// Folders of files that the build makes beside the program.

/** Bundled or not, this module is one folder below the program's folder, as entries.ts is. */
export const BUILT_FILES = {
  dashboard: new URL('../../dashboard-ui/', import.meta.url),
  reference: new URL('../../docs-ui/', import.meta.url),
} as const
