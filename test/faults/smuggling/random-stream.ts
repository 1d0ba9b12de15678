// Random byte streams of a client that wants to be taken for another one: one to three requests with any number of fields, any framing
// and hidden requests for bodies, as plain values that a seed repeats.

import * as fc from 'fast-check'

interface RandomRequest {
  method: string
  path: string
  version: '1.0' | '1.1'
  hasKey: boolean
  /** Fields that say nothing. */
  fillers: number
  /** Lines that say where the body ends; `#` stands for a length. */
  framing: string
  isFramingLast: boolean
  /** The length that `#` becomes: that of the body as it is sent and so many more, or that of a head. */
  length: { more: number } | { exactly: number }
  body: string
  coding: (typeof CODINGS)[number]
  other: string
}

export interface RandomStream {
  requests: RandomRequest[]
  /** The number of pieces in which it is sent. */
  pieces: number
  /** The client's last act. */
  ending: 'waits' | 'ends' | 'leaves'
}

/** The names used in the bytes of a stream. */
export interface StreamNames {
  /** Its requests have the ids `s<number>-0`, `s<number>-1` and so on. */
  number: number
  /** The key of its own tenant. */
  key: string
  host: string
}

const METHODS = ['GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']
const PATHS = [
  '/healthz',
  '/api/v1/me',
  '/api/v1/pages?path=/none',
  '/api/v1/files?path=/file-@.txt',
  '/',
  '/git/x.git/info/refs',
]
const CODINGS = [
  'none',
  'none',
  'chunks',
  'chunks',
  'extensions',
  'trailers',
  'unfinished',
  'wrong size',
  'line feeds',
] as const
const PLAIN_FRAMINGS = ['', 'Content-Length: #', 'Content-Length: #', 'Transfer-Encoding: chunked']
const ODD_FRAMINGS = [
  'Content-Length: #\r\nContent-Length: #',
  'Content-Length: #\r\nContent-Length: 0',
  'Content-Length: #, #',
  'Content-Length : #',
  'Content-Length:\r\n #',
  'Content-Length: +#',
  'Content-Length: 000#',
  'Content-Length:',
  'Content_Length: #',
  'Content-Length: #\r\nTransfer-Encoding: chunked',
  'Transfer-Encoding: chunked\r\nContent-Length: #',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: identity\r\nContent-Length: #',
  'Transfer-Encoding: xchunked\r\nContent-Length: #',
  'Transfer-Encoding:\r\nContent-Length: #',
  'Transfer-Encoding:\tCHUNKED',
  'Transfer-Encoding:\r\n chunked',
  'X: y\nContent-Length: #',
  'X: y\rTransfer-Encoding: chunked',
  'X: y\r\n Content-Length: #',
  'X: \0\r\nContent-Length: #',
]
const OTHERS = [
  '',
  '',
  'Connection: close',
  'Connection: keep-alive, content-length, host',
  'Connection: upgrade\r\nUpgrade: websocket',
  'Expect: 100-continue',
  'Expect: something',
  'Host: localhost',
  'X-Palimpsest-Client-Address: 192.0.2.1',
]
/** Bytes that form a request if they are read as one. `{key}` stands for the key, `{host}` for the host. */
const ANSWERED = 'GET /healthz HTTP/1.1\r\nHost: {host}\r\n\r\n'
const BODIES = [
  '',
  'ten bytes!',
  'x'.repeat(300),
  ANSWERED,
  `${ANSWERED}DELETE /api/v1/files?path=/precious.txt HTTP/1.1\r\nX-Ignored: `,
  'DELETE /api/v1/files?path=/precious.txt HTTP/1.1\r\nX-Ignored: ',
  `${ANSWERED}PUT /api/v1/files?path=/stolen.txt HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\nContent-Type: text/plain\r\nContent-Length: 250\r\n\r\n`,
  'PUT /api/v1/files?path=/stolen.txt HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\nContent-Type: text/plain\r\nContent-Length: 250\r\n\r\n',
]
/** Lengths of the heads that processes send one another. */
const HEAD_LENGTHS = { min: 1, max: 500 }

/** Node keeps 1,000 fields in one list and some more in another: most requests have about so many. */
const fillers = fc.oneof(
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 5 }) },
  { weight: 5, arbitrary: fc.integer({ min: 992, max: 1024 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 1100 }) },
)

const request: fc.Arbitrary<RandomRequest> = fc.record({
  method: fc.constantFrom(...METHODS),
  path: fc.constantFrom(...PATHS),
  version: fc.constantFrom('1.1', '1.1', '1.1', '1.0'),
  hasKey: fc.boolean(),
  fillers,
  framing: fc.oneof(fc.constantFrom(...PLAIN_FRAMINGS), fc.constantFrom(...PLAIN_FRAMINGS, ...ODD_FRAMINGS)),
  isFramingLast: fc.constantFrom(true, true, true, false),
  length: fc.oneof(
    fc.record({ more: fc.constantFrom(0, 0, 0, 1, -1, 10, 100_000) }),
    fc.record({ exactly: fc.integer(HEAD_LENGTHS) }),
  ),
  body: fc.constantFrom(...BODIES),
  coding: fc.constantFrom(...CODINGS),
  other: fc.constantFrom(...OTHERS),
})

export const randomStreams: fc.Arbitrary<RandomStream> = fc.record({
  requests: fc.array(request, { minLength: 1, maxLength: 3 }),
  pieces: fc.integer({ min: 1, max: 3 }),
  ending: fc.constantFrom('waits', 'waits', 'ends', 'leaves'),
})

export function bytesOf({ requests }: RandomStream, names: StreamNames): string {
  return requests
    .map((one, index) => headAndBody(one, index, names))
    .join('')
    .replaceAll('{key}', names.key)
    .replaceAll('{host}', names.host)
}

function headAndBody(asked: RandomRequest, index: number, { number, key, host }: StreamNames): string {
  const { method, path, version, hasKey, framing, isFramingLast, length, other } = asked
  const body = WRITE_CODED[asked.coding](asked.body.replaceAll('{key}', key).replaceAll('{host}', host))
  const declared = 'more' in length ? Math.max(0, body.length + length.more) : length.exactly
  const framed = framing.replaceAll('#', String(declared))
  const lines = [
    `${method} ${path.replace('@', String(number % 20))} HTTP/${version}`,
    'Host: {host}',
    `X-Request-Id: s${number}-${index}`,
    ...(hasKey ? ['Authorization: Bearer {key}', 'Content-Type: text/plain'] : []),
    ...(isFramingLast ? [] : [framed]),
    ...Array.from({ length: asked.fillers }, () => 'a:b'),
    other,
    ...(isFramingLast ? [framed] : []),
  ]
  return `${lines.filter((line) => line !== '').join('\r\n')}\r\n\r\n${body}`
}

/** The body as each transfer coding sends it, right or wrong. */
const WRITE_CODED: Readonly<Record<RandomRequest['coding'], (body: string) => string>> = {
  none: (body) => body,
  chunks: (body) => `${chunkOf(body)}0\r\n\r\n`,
  extensions: (body) => `${chunkOf(body).replace('\r\n', ';a=b;c="d"\r\n')}0;e\r\n\r\n`,
  trailers: (body) => `${chunkOf(body)}0\r\nX-Trailer: a\r\nHost: other\r\n\r\n`,
  unfinished: chunkOf,
  'wrong size': (body) => `${toHex(body.length + 1)}\r\n${body}\r\n0\r\n\r\n`,
  'line feeds': (body) => `${toHex(body.length)}\n${body}\n0\n\n`,
}

function chunkOf(body: string): string {
  return body === '' ? '' : `${toHex(body.length)}\r\n${body}\r\n`
}

function toHex(size: number): string {
  return size.toString(16)
}
