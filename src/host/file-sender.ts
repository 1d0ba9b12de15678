// Sends one file of a site as an HTTP answer: fields, conditions, and the bytes from memory, from the repository, or from git.

import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { Snapshot } from '../store/snapshot.js'
import { streamBlob } from './blob-stream.js'
import { entityTagOf, namesTag } from './entity-tag.js'
import { mediaTypeOf } from './media-type.js'
import { ISOLATION, sendPlainPage } from './plain-page.js'
import type { FoundFile } from './resolution.js'

/** Larger blobs are never read whole. */
export const STREAM_ABOVE_BYTES = 16 * 1024 * 1024
/** Each holds a git process for as long as its visitor reads. */
export const MAX_STREAMS = 64
/** What a cached body costs beside its bytes: its key, its entry, its Buffer. */
const ENTRY_OVERHEAD_BYTES = 256

/** Caches may keep a page but ask each time, so that live means live. */
const REVALIDATE = { 'Cache-Control': 'public, max-age=0, must-revalidate' }

export interface SiteAtHead {
  gitdir: string
  snapshot: Pick<Snapshot, 'blob' | 'size'>
}

export class FileSender {
  /** Bodies by blob oid: what an oid stands for never changes, so nothing here is ever stale. */
  readonly #bodies: LRUCache<string, Buffer>
  #streams = 0

  constructor(cacheBytes: number) {
    this.#bodies = new LRUCache({
      // The cache takes no bound of 0; in a single byte nothing fits.
      maxSize: Math.max(cacheBytes, 1),
      sizeCalculation: (body) => body.length + ENTRY_OVERHEAD_BYTES,
    })
  }

  /** Answers GET and HEAD. Rejects when the repository cannot be read: with nothing sent, or with a stream broken off. */
  async send(request: IncomingMessage, response: ServerResponse, site: SiteAtHead, file: FoundFile): Promise<void> {
    const tag = entityTagOf(file.oid)
    // A condition counts only where the answer would be 200 (RFC 9110 §13.2.1).
    if (file.status === 200 && namesTag(request.headers['if-none-match'], tag)) {
      response.writeHead(304, { ...ISOLATION, ...REVALIDATE, ETag: tag }).end()
      return
    }
    const known = this.#bodies.get(file.oid)
    const size = known?.length ?? site.snapshot.size(file.oid)
    const fields = {
      ...file.fields,
      ...ISOLATION,
      ...REVALIDATE,
      'Content-Type': mediaTypeOf(file.treePath),
      'Content-Length': size,
    }
    const headers: OutgoingHttpHeaders = file.status === 200 ? { ...fields, ETag: tag } : fields
    if (request.method === 'HEAD') response.writeHead(file.status, headers).end()
    else if (size > STREAM_ABOVE_BYTES) await this.#stream(response, site, file, headers)
    else {
      const body = known ?? this.#read(site, file.oid)
      response.writeHead(file.status, headers).end(body)
    }
  }

  #read({ snapshot }: SiteAtHead, oid: string): Buffer {
    const body = snapshot.blob(oid)
    this.#bodies.set(oid, body)
    return body
  }

  async #stream(
    response: ServerResponse,
    { gitdir }: SiteAtHead,
    file: FoundFile,
    headers: OutgoingHttpHeaders,
  ): Promise<void> {
    if (this.#streams >= MAX_STREAMS) {
      const sentence = 'Too many large files are being read at once. Try again in a few seconds.'
      return sendPlainPage(response, { status: 503, sentence, headers: { 'Retry-After': '5' } })
    }
    this.#streams += 1
    try {
      response.writeHead(file.status, headers)
      await streamBlob(gitdir, file.oid, response)
    } finally {
      this.#streams -= 1
    }
  }
}
