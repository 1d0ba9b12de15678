// Bytes that pass through the service without being held in memory: the body of an upload, and the content of a file.

/** Files up to this size are read whole, and kept in memory by hosting; larger ones are streamed. */
export const MAX_BLOB_BYTES = 16 * 1024 * 1024

/** Said of a page that is published all the same. */
export const NOT_UTF8 =
  'It is not UTF-8, but is served as such: save it as UTF-8, or name its charset in _headers (Content-Type: text/html; charset=euc-kr).'

/** Bytes that are read at once of a streamed file. Reading more may need a git process. */
export const MAX_PIECE_BYTES = 1024 * 1024

/** The bytes that a client sends, readable once. Reading throws `payload_too_large`, and `invalid_body` if the client stops. */
export interface ByteSource {
  /** Size, if the client gave it. */
  size: number | undefined
  chunks: AsyncIterable<Buffer>
}

/** The bytes of one representation. */
export interface Content {
  mediaType: string
  size: number
  /** Entity tag with its quotes. */
  etag: string
  /** Yields the bytes from `start` to `end` (exclusive), in pieces. Throws `site_unreadable`. */
  open: (span: { start: number; end: number }) => AsyncIterable<Buffer>
}
