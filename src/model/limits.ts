// The limits of the service. Each setting has a name in docs/configuration.md.

/** Highest `MAX_HTML_BYTES`, which schemas give as the longest html. */
export const HIGHEST_HTML_BYTES = 64 * 1024 * 1024

/** Longest If-Match field. */
export const MAX_IF_MATCH_CHARACTERS = 4096

/** Longest URL of a remote. */
export const MAX_REMOTE_URL_CHARACTERS = 2_048

/** Number of warnings about an import that are kept. */
export const MAX_IMPORT_WARNINGS = 100

/** Longest sentence for people in an answer. */
export const MAX_MESSAGE_CHARACTERS = 16_384

/** Longest path in a tree; a file at a longer one is in no answer, and git checks out no such path (PATH_MAX). */
export const MAX_TREE_PATH_CHARACTERS = 4_096

/** Longest cursor of a list: the longest holds the path of a file, in base64. */
export const MAX_CURSOR_CHARACTERS = 20_000

/** Longest difference in an answer; a longer one is left out. */
export const MAX_DIFF_CHARACTERS = 8 * 1024 * 1024

/** Most sites that a key or token is limited to. */
export const MAX_KEY_SITES = 1_000

export interface Limits {
  /** Decoded UTF-8 bytes of one page. */
  maxHtmlBytes: number
  /** Bytes of one request body; JSON escapes may make a page three times as long. */
  maxBodyBytes: number
  /** Bytes of all bodies that are being received or handled. */
  receiveBytes: number
  /** Least rate at which a client sends a body, in bytes per second. */
  minBodyBytesPerSecond: number
  /** Bytes of one file that is not a page. */
  maxFileBytes: number
  /** Bytes of all files of one deploy. */
  maxDeployBytes: number
  /** Bytes of one push over HTTP. */
  maxPushBytes: number
  /** Bytes of one record as canonical JSON. */
  maxRecordBytes: number
  /** Levels of arrays and objects in a JSON body. */
  maxJsonDepth: number
  /** Characters of one site's pages and records that are searched. */
  maxSearchedCharacters: number
  /** Members, elements, arrays and objects in a JSON body. */
  maxJsonValues: number
  /** Bytes of representations that the file server keeps in memory. */
  cacheBytes: number
  /** Writes that may wait for one site. */
  queueWrites: number
  /** Bytes of all writes that may wait, shared by the workspaces. */
  queueBytes: number
  /** Seconds for which the preview of a dry run can be opened. */
  previewSeconds: number
  /** Bytes of all previews of dry runs, in memory. */
  previewBytes: number
  /** Bytes of a workspace's repositories on the disk; undefined: no limit. */
  maxWorkspaceBytes?: number | undefined
  /** Published pages of a workspace; undefined: no limit. */
  maxWorkspacePages?: number | undefined
  /** Sites of a workspace; undefined: no limit. */
  maxWorkspaceSites?: number | undefined
  /** Bytes of free space below which writes are refused with 507. */
  diskReserveBytes: number
  /** Days that a session at the dashboard lasts. */
  sessionDays: number
  /** Threads that write; a site always has the same one. */
  writerThreads: number
  /** Processes for work of unbounded cost. */
  taskProcesses: number
  /** Imports from remotes that run at once. */
  maxImports: number
  /** Bytes of the pack of one import. */
  maxImportBytes: number
  /** Seconds that one import may take. */
  importSeconds: number
  /** Clones and fetches that git serves at once. */
  gitMaxFetches: number
  /** Seconds that git may take for one clone or fetch. */
  gitFetchSeconds: number
  /** Bytes that git may send for one clone or fetch. */
  gitFetchBytes: number
}
