// The bounds of the service. Each has a name in docs/configuration.md.

/** The highest `MAX_HTML_BYTES`, which schemas name as the longest html. */
export const HIGHEST_HTML_BYTES = 64 * 1024 * 1024

/** Of an If-Match field. */
export const MAX_IF_MATCH_CHARACTERS = 4096

/** Of the URL of a remote. */
export const MAX_REMOTE_URL_CHARACTERS = 2_048

/** About what an import brings, as far as they are kept. */
export const MAX_IMPORT_WARNINGS = 100

/** Of a sentence for people in an answer. */
export const MAX_MESSAGE_CHARACTERS = 16_384

/** Of a path in a tree; a file at a longer one is in no answer, and git checks out no such path (PATH_MAX). */
export const MAX_TREE_PATH_CHARACTERS = 4_096

/** Of the cursor of a list: the longest holds the path of a file, in base64. */
export const MAX_CURSOR_CHARACTERS = 20_000

/** Of a difference that answers hold; a longer one is left out. */
export const MAX_DIFF_CHARACTERS = 8 * 1024 * 1024

/** Sites that a key or token is limited to. */
export const MAX_KEY_SITES = 1_000

export interface Limits {
  /** Decoded UTF-8 bytes of one page. */
  maxHtmlBytes: number
  /** Bytes of one request body; JSON escapes may make a page three times as long. */
  maxBodyBytes: number
  /** Bytes of all bodies that are being received or worked on. */
  receiveBytes: number
  /** The least rate at which a client sends a body, bytes a second. */
  minBodyBytesPerSecond: number
  /** Bytes of one file that is no page. */
  maxFileBytes: number
  /** Bytes of all files of one deploy. */
  maxDeployBytes: number
  /** Bytes of one push over HTTP. */
  maxPushBytes: number
  /** Bytes of one record as canonical JSON. */
  maxRecordBytes: number
  /** Levels of arrays and objects in a JSON body. */
  maxJsonDepth: number
  /** Of the pages and records of one site that are searched. */
  maxSearchedCharacters: number
  /** Members, elements, arrays and objects in a JSON body. */
  maxJsonValues: number
  /** Bytes of representations the file server keeps in memory. */
  cacheBytes: number
  /** Writes that may wait for one site. */
  queueWrites: number
  /** Bytes of all writes that may wait, shared by the workspaces. */
  queueBytes: number
  /** How long the preview of a dry run can be opened, seconds. */
  previewSeconds: number
  /** Bytes of all previews of dry runs, in memory. */
  previewBytes: number
  /** Bytes of free space below which writes are refused with 507. */
  diskReserveBytes: number
  /** Days that a session at the dashboard lasts. */
  sessionDays: number
  /** Threads that write; a site always has the same one. */
  writerThreads: number
  /** Processes for work of unbounded cost. */
  taskProcesses: number
  /** Imports from remotes that are worked on at once. */
  maxImports: number
  /** Bytes of the pack of one import. */
  maxImportBytes: number
  /** How long one import may take, seconds. */
  importSeconds: number
  /** Clones and fetches that git serves at once. */
  gitMaxFetches: number
  /** How long git may take for one of them, seconds. */
  gitFetchSeconds: number
  /** Bytes that it may send for one of them. */
  gitFetchBytes: number
}
