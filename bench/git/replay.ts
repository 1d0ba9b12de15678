// Repeats the requests of a git client that finds nothing new, without the client: the advertisement, then `ls-refs`.

import { Agent, request } from 'node:http'
import { pktLine } from '../../src/git/wire/pkt-lines.js'

/** A repository on a git server, and the header fields of requests to it. */
export interface Remote {
  url: string
  headers: Readonly<Record<string, string>>
}

const CONNECTIONS = 4
const LS_REFS = Buffer.concat([
  pktLine('command=ls-refs\n'),
  pktLine('agent=git/2.39.5'),
  pktLine('object-format=sha1'),
  Buffer.from('0001'),
  ...[
    'peel\n',
    'symrefs\n',
    'unborn\n',
    'ref-prefix refs/heads/\n',
    'ref-prefix refs/tags/\n',
    'ref-prefix HEAD\n',
  ].map((line) => pktLine(line)),
  Buffer.from('0000'),
])

/** Returns the number of fetches per second, over four connections. */
export async function replayFetches(remote: Remote, milliseconds: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const end = performance.now() + milliseconds
  let done = 0
  const lane = async () => {
    for (; performance.now() < end; done++) {
      await ask(remote, agent, '/info/refs?service=git-upload-pack')
      await ask(remote, agent, '/git-upload-pack', LS_REFS)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, lane))
  agent.destroy()
  return (done * 1000) / milliseconds
}

/** Returns a request for a blob, like that of a checkout in a partial clone (gitprotocol-v2, fetch). */
export function wantOf(oid: string): Buffer {
  const args = ['thin-pack', 'no-progress', 'ofs-delta', `want ${oid}`, 'filter blob:none', 'done']
  return Buffer.concat([
    pktLine('command=fetch'),
    pktLine('agent=git/2.39.5'),
    pktLine('object-format=sha1'),
    Buffer.from('0001'),
    ...args.map((arg) => pktLine(`${arg}\n`)),
    Buffer.from('0000'),
  ])
}

/** Sends a request. Resolves with the body; rejects unless the answer is a success. */
export function ask({ url, headers }: Remote, agent: Agent, path: string, body?: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const type = body && { 'Content-Type': 'application/x-git-upload-pack-request', 'Content-Length': body.length }
    const options = {
      agent,
      method: body ? 'POST' : 'GET',
      headers: { 'Git-Protocol': 'version=2', ...headers, ...type },
    }
    const sent = request(url + path, options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        if (response.statusCode === 200) resolve(Buffer.concat(chunks))
        else reject(new Error(`${path}: ${response.statusCode} ${Buffer.concat(chunks).toString()}`))
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
