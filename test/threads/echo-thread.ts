// The thread of client.test.ts: answers what it is asked, and dies, or fails, where it is asked to.

import { serveRequests } from '../../src/threads/serve.js'

export interface EchoProtocol {
  request: { say: string } | { fail: string } | { announce: string } | { die: true } | { hang: true }
  answer: string
  event: string
}

const post = serveRequests<EchoProtocol>((request, ticket) => {
  if ('say' in request) post({ replies: [{ ticket, answer: request.say }] })
  else if ('fail' in request) post({ replies: [{ ticket, failure: { code: 'conflict', message: request.fail } }] })
  else if ('announce' in request) post({ event: request.announce, replies: [{ ticket, answer: 'announced' }] })
  else if ('die' in request) process.exit(3)
  else for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)
})
