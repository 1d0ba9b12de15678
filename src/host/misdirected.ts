// What a process that only reads cannot answer: it lacks the index, the API and the previews. A proxy, or who set it up, sends such a
// request to the role `api`.

import type { ServerResponse } from 'node:http'

const SENTENCE = 'This process serves the files of sites alone: send this request to the role "api".\n'

/** Thrown before anything is sent. */
export class Misdirected extends Error {
  override name = 'Misdirected'
}

/** RFC 9110 §15.5.20. */
export function sendMisdirected(response: ServerResponse): void {
  response.writeHead(421, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': SENTENCE.length,
    'cache-control': 'no-store',
  })
  response.end(SENTENCE)
}
