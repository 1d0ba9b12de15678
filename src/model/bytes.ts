// Bytes that pass through the service without being held in memory: the body of an upload, and the content of a file.

/** Files up to this size are read whole, and kept in memory by hosting; larger ones are streamed. */
export const MAX_BLOB_BYTES = 16 * 1024 * 1024

/** What is read at once of a file that is streamed. Reading more than that may take a program of git. */
export const MAX_PIECE_BYTES = 1024 * 1024

/** The bytes that a client sends, once. Reading them throws `payload_too_large`, and `invalid_body` where the client stops. */
export interface ByteSource {
  /** Where the client said it. */
  size: number | undefined
  chunks: AsyncIterable<Buffer>
}

/** The bytes of one representation. */
export interface Content {
  mediaType: string
  size: number
  /** Quotes included. */
  etag: string
  /** The bytes from `start` to `end` (exclusive), in pieces. Throws `site_unreadable`. */
  open: (span: { start: number; end: number }) => AsyncIterable<Buffer>
}
