// Refuses requests that a read-only process cannot answer: it lacks the index, the API and the previews. The proxy, or the operator who
// configured it, must send such a request to the role `api`.

import type { ServerResponse } from 'node:http'

const SENTENCE = 'This process serves the files of sites alone: send this request to the role "api".\n'

/** Thrown before anything is sent. */
export class Misdirected extends Error {
  override name = 'Misdirected'
}

/** Answers 421 (RFC 9110 §15.5.20). */
export function sendMisdirected(response: ServerResponse): void {
  response.writeHead(421, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': SENTENCE.length,
    'cache-control': 'no-store',
  })
  response.end(SENTENCE)
}
