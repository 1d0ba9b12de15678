// Attacks by occupied connections: bodies that are never complete, and answers that are never read.

import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type Act, type Attack, together } from '../attack.js'
import { push } from '../push.js'
import type { Tenant } from '../tenant.js'

const MIB = 1024 * 1024
const CONNECTIONS = 200
const HELD_MS = 3000

export const CONNECTIONS_HELD: readonly Attack[] = [
  {
    name: 'half a sign-in',
    about: '200 connections, without a key, that send 3 MiB of a sign-in and stop',
    atOnce: 1,
    prepare: (tenant) =>
      Promise.resolve(
        holdBodies(tenant, 3 * MIB, [
          'POST /session HTTP/1.1',
          `Origin: http://localhost:${tenant.data.port}`,
          'Content-Type: application/json',
        ]),
      ),
  },
  {
    name: 'half a page',
    about: '200 connections of one key that send all but 10 bytes of a page of 10 MiB',
    atOnce: 1,
    prepare: (tenant) =>
      Promise.resolve(
        holdBodies(tenant, 10 * MIB, [
          'PUT /api/v1/pages?path=/half HTTP/1.1',
          `Authorization: Bearer ${tenant.data.key}`,
          'Content-Type: text/html',
        ]),
      ),
  },
  {
    name: 'slow readers',
    about: '64 connections that do not read a file of 20 MiB',
    atOnce: 1,
    async prepare(tenant) {
      const { slug, gitdir } = await tenant.makeSite()
      const refusal = await push(gitdir, [{ files: { 'large.bin': Buffer.alloc(20 * MIB, 'x') } }])
      if (refusal !== undefined) return refusal
      const head = `GET /large.bin HTTP/1.1\r\nHost: ${slug}.localhost\r\n\r\n`
      return (signal) => together(64, () => hold(tenant, signal, head, Buffer.alloc(0), true))
    },
  },
  {
    name: 'unread files',
    about: '100 connections that ask for 8 files of 12 MiB and do not read them',
    atOnce: 1,
    async prepare(tenant) {
      const { slug, gitdir } = await tenant.makeSite()
      const files = Array.from({ length: 8 }, (_, at) => [`${at}.bin`, randomBytes(12 * MIB)] as const)
      const refusal = await push(gitdir, [{ files: Object.fromEntries(files) }])
      if (refusal !== undefined) return refusal
      const head = (at: number) => `GET /${at % files.length}.bin HTTP/1.1\r\nHost: ${slug}.localhost\r\n\r\n`
      return (signal) => together(100, (at) => hold(tenant, signal, head(at), Buffer.alloc(0), true))
    },
  },
  {
    name: 'unread answers',
    about: '100 connections of one key that ask the API for a page of 10 MiB and read nothing',
    atOnce: 1,
    async prepare(tenant) {
      const { id } = await tenant.putPage('/unread', 'x'.repeat(10 * MIB))
      const lines = [`GET /api/v1/pages/${id} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${tenant.data.key}`]
      const head = [...lines, '', ''].join('\r\n')
      return (signal) => together(100, () => hold(tenant, signal, head, Buffer.alloc(0), true))
    },
  },
]

function holdBodies(tenant: Tenant, length: number, lines: readonly string[]): Act {
  const head = [...lines, 'Host: localhost', `Content-Length: ${length}`, '', ''].join('\r\n')
  const part = Buffer.alloc(length - 10, ' ')
  return (signal) => together(CONNECTIONS, () => hold(tenant, signal, head, part, false))
}

/** Returns the status that arrived in the meantime, or `held`. */
async function hold(tenant: Tenant, signal: AbortSignal, head: string, body: Buffer, isSlow: boolean): Promise<string> {
  const socket: Socket = connect(tenant.connection)
  let answer = ''
  socket.on('error', () => undefined)
  socket.on('data', (data) => {
    if (answer.length < 64) answer += data.toString('latin1', 0, 64)
    if (isSlow) socket.pause()
  })
  socket.write(head)
  socket.write(body)
  await delay(HELD_MS, undefined, { signal }).catch(() => undefined)
  socket.destroy()
  return /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 'held'
}
