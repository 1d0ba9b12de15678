// The thread's side of ThreadClient.

import { parentPort } from 'node:worker_threads'
import { type Asked, END, type Protocol, type Said } from './messages.js'

/**
 * Hands each request to `take`, and returns the function that posts replies and events. Exits when the client asks for it.
 * Memory in `moved` belongs to the client from then on.
 */
export function serveRequests<P extends Protocol>(
  take: (request: P['request'], ticket: number) => void,
): (said: Said<P>, moved?: readonly ArrayBuffer[]) => void {
  const port = parentPort
  if (port === null) throw new Error('this file runs as a worker thread')
  port.on('message', (message: Asked<P> | typeof END) => {
    if (message === END) process.exit()
    take(message.request, message.ticket)
  })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- windows have origins, threads have not
  return (said, moved) => port.postMessage(said, moved)
}
