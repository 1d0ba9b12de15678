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

/** Longest text of a comment. */
export const MAX_COMMENT_CHARACTERS = 4_000

/** Longest cursor of a list: the longest holds the path of a file, in base64. */
export const MAX_CURSOR_CHARACTERS = 20_000

/** Longest difference in an answer; a longer one is left out. */
export const MAX_DIFF_CHARACTERS = 8 * 1024 * 1024

/** Most sites that a key or token is limited to. */
export const MAX_KEY_SITES = 1_000

/** Bytes of one record as canonical JSON. */
export const MAX_RECORD_BYTES = 1024 * 1024

/** Bounds of a JSON body: levels of arrays and objects; members, elements, arrays and objects. */
export const JSON_BOUNDS = { maxJsonDepth: 64, maxJsonValues: 200_000 }

/** Seconds for which the preview of a dry run can be opened. */
export const PREVIEW_SECONDS = 600

/** Seconds that one import may take, without its wait. */
export const IMPORT_SECONDS = 3600

/** Seconds that git may take for one clone or fetch. */
export const FETCH_SECONDS = 3600

/** Room in a request body for all that is not the page. */
const BODY_OVERHEAD_BYTES = 64 * 1024

/** Returns the most bytes of one request body: JSON escapes may make a page three times as long. */
export function maxBodyBytesOf({ maxHtmlBytes }: Pick<Limits, 'maxHtmlBytes'>): number {
  return 3 * maxHtmlBytes + BODY_OVERHEAD_BYTES
}

/** Returns the most bytes of a file in the tree. A page may have as many as any other file. */
export function maxBytesOf(treePath: string, { maxHtmlBytes, maxFileBytes }: FileSizes): number {
  return treePath.endsWith('.html') ? Math.max(maxHtmlBytes, maxFileBytes) : maxFileBytes
}

/** Says what becomes of a page that is larger than `maxHtmlBytes`. */
export function wordsOfLargePage({ maxHtmlBytes }: Pick<Limits, 'maxHtmlBytes'>): string {
  return `It has more than ${maxHtmlBytes} bytes: it is published as a file. Visitors get it, but it cannot be read or edited as a page.`
}

/** The limits of files in a tree. */
export type FileSizes = Pick<Limits, 'maxHtmlBytes' | 'maxFileBytes'>

/** The limits with a setting each. */
export interface Limits {
  /** Decoded UTF-8 bytes of a page that the API reads and writes; a larger one is published as a file. */
  maxHtmlBytes: number
  /** Bytes of one file. */
  maxFileBytes: number
  /** Bytes of all files of one deploy. */
  maxDeployBytes: number
  /** Bytes of one push over HTTP, and of the pack of one import. */
  maxPushBytes: number
  /** Bytes of representations that the file server keeps in memory. */
  cacheBytes: number
  /** Bytes of smaller forms of pictures that are kept on the disk; 0: there are none. */
  pictureCacheBytes: number
  /** Bytes of a workspace's repositories on the disk; undefined: no limit. */
  maxWorkspaceBytes?: number | undefined
  /** Published pages of a workspace; undefined: no limit. */
  maxWorkspacePages?: number | undefined
  /** Sites of a workspace; undefined: no limit. */
  maxWorkspaceSites?: number | undefined
  /** Bytes of free space below which writes are refused with 507. */
  diskReserveBytes: number
  /** Least rate at which a client sends a body and reads an answer, in bytes per second. */
  minBytesPerSecond: number
  /** Days that a session at the dashboard lasts. */
  sessionDays: number
  /** Days that an entry of the audit log stays; 0: for ever. */
  auditDays: number
  /** Threads that write; a site always has the same one. */
  writerThreads: number
}
