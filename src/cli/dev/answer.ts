// Answers one request to a folder as the service would answer one to its site: by the same rules. No answer is cached.

import { createReadStream, readFileSync, statSync } from 'node:fs'
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import { mediaTypeOf } from '../../model/media-type.js'
import { type Span, selectSpan } from '../../protocols/http/byte-range.js'
import { type FoundFile, resolve } from '../../repository/resolution/resolution.js'
import type { FolderSnapshot } from './folder-snapshot.js'
import { EVENTS_PATH, type Reload, SCRIPT, SCRIPT_PATH } from './reload.js'

export interface Served {
  snapshot: FolderSnapshot
  origin: string
  reload: Reload
}

type Fields = Readonly<Record<string, string>>

/** Made by the service from what is published. */
const GENERATED = /^(?:robots\.txt|sitemap\.xml)$/
const HTML = { 'content-type': 'text/html; charset=utf-8' }
/** Other names may be those of any page on the web, which its visitor's browser would let read the folder. */
const OWN_HOST = /^(?:(?:[\w-]+\.)*localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i

export function answer(served: Served, request: IncomingMessage, response: ServerResponse): void {
  const { method = '', url: target = '', headers } = request
  if (!OWN_HOST.test(headers.host ?? '')) return sendPage(served, response, 421, 'This is served at localhost only.')
  if (method !== 'GET' && method !== 'HEAD') return sendPage(served, response, 405, 'A site answers GET and HEAD.')
  if (target === EVENTS_PATH) return served.reload.subscribe(response)
  if (target.startsWith(SCRIPT_PATH)) return send(response, 200, { 'content-type': 'text/javascript' }, SCRIPT)
  const found = resolve({ ...served, generates: (name) => GENERATED.test(name) }, target)
  switch (found.kind) {
    case 'file':
      return sendFile(served, found.file, request, response)
    case 'redirect':
      return send(response, found.status, { ...found.fields, location: found.location })
    case 'generated':
      return sendPage(served, response, 404, `The service makes ${found.treePath} once the site is published.`)
    default:
      return sendPage(served, response, 404, 'The folder has nothing here, and no 404.html.')
  }
}

function sendFile(
  { snapshot, reload }: Served,
  { treePath, status, fields }: FoundFile,
  { method, headers }: IncomingMessage,
  response: ServerResponse,
): void {
  const file = snapshot.fileOf(treePath)
  const size = statSync(file, { throwIfNoEntry: false })?.size
  // It was removed at this moment. The page reloads when the change is seen.
  if (size === undefined) return send(response, 404, HTML, reload.tag)
  const type = fields['content-type'] ?? mediaTypeOf(treePath)
  const sent = { 'content-type': type, ...fields }
  if (type.startsWith('text/html') && fields['content-encoding'] === undefined)
    return send(response, status, sent, Buffer.concat([readFileSync(file), Buffer.from(reload.tag)]))
  const span = status === 200 && headers.range !== undefined ? selectSpan(headers.range, size) : 'whole'
  if (span === 'unsatisfiable') return send(response, 416, { 'content-range': `bytes */${size}` })
  const { start, end }: Span = span === 'whole' ? { start: 0, end: size } : span
  const partial = span !== 'whole' && { 'content-range': `bytes ${start}-${end - 1}/${size}` }
  const length = { 'content-length': String(end - start), 'accept-ranges': 'bytes' }
  response.writeHead(span === 'whole' ? status : 206, withCommon({ ...sent, ...length, ...partial }))
  if (method === 'HEAD' || end === start) response.end()
  else
    createReadStream(file, { start, end: end - 1 })
      .on('error', () => response.destroy())
      .pipe(response)
}

function sendPage({ reload }: Served, response: ServerResponse, status: number, sentence: string): void {
  const title = STATUS_CODES[status] ?? ''
  const html = `<!doctype html>\n<title>${title}</title>\n<h1>${title}</h1>\n<p>${sentence}</p>${reload.tag}`
  send(response, status, HTML, html)
}

/** Node sends no body in the answer to HEAD. */
function send(response: ServerResponse, status: number, fields: Fields, body: string | Buffer = ''): void {
  const length = { 'content-length': String(Buffer.byteLength(body)) }
  response.writeHead(status, withCommon({ ...fields, ...length })).end(body)
}

/** No browser may show an earlier state of a file. */
function withCommon(fields: Fields): Fields {
  return { ...fields, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' }
}
