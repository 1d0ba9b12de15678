// Requests that began and wait for the rest of their bodies: a push, an upload, a blob of a deploy.

import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { git } from '../../../support/git.js'
import { commandLines, packEntry, packOf, sendPush } from '../../../support/raw-push.js'
import type { TestService } from '../../../support/service.js'
import { until } from '../../../support/within.js'

export interface OpenRequest {
  /** Sends the rest. Returns whether it was taken. */
  finish(): Promise<boolean>
}

/** A key that was never used before, so that its first use shows that a request has begun. */
export interface FreshKey {
  id: string
  key: string
}

const FIRST_BYTES = 10

/** Begins a push to main, or one that proposes. */
export async function beginPush(
  service: TestService,
  { id, key }: FreshKey,
  ref: 'refs/heads/main' | 'refs/for/main',
): Promise<OpenRequest> {
  const main = () => git(service.gitdir(), 'rev-parse', 'main')
  const before = main()
  const who = `Ada <ada@example.org> ${Math.floor(Date.now() / 1000)} +0000`
  const tree = git(service.gitdir(), 'rev-parse', 'main^{tree}')
  const commit = Buffer.from(`tree ${tree}\nparent ${before}\nauthor ${who}\ncommitter ${who}\n\n${randomUUID()}\n`)
  const after = oidOf('commit', commit)
  const pack = packOf([packEntry('commit', commit)])
  let open = () => {}
  const gate = new Promise<void>((resolve) => (open = resolve))
  async function* body() {
    const command = ref === 'refs/heads/main' ? { ref, before, after } : { ref, after }
    yield Buffer.concat([commandLines([command]), pack.subarray(0, FIRST_BYTES)])
    await gate
    yield pack.subarray(FIRST_BYTES)
  }
  const sent = sendPush({ origin: service.origin, key, slug: service.site.slug }, body())
  await untilUsed(service, id)
  return {
    async finish() {
      open()
      const { status, text } = await sent
      const isTaken = status === 200 && text.includes(`ok ${ref}`)
      assert.equal(main(), isTaken && ref === 'refs/heads/main' ? after : before, text)
      assert.equal((await headsOf(service)).includes(after), isTaken && ref === 'refs/for/main', text)
      return isTaken
    },
  }
}

/** Returns the commits at which the open change requests of the site are. */
async function headsOf(service: TestService): Promise<unknown[]> {
  const { body } = await service.api().get(`/sites/${service.site.id}/change-requests?limit=1000`).expect(200)
  return (body as { data: { head: unknown }[] }).data.map(({ head }) => head)
}

export async function beginUpload(service: TestService, key: FreshKey): Promise<OpenRequest> {
  const path = `/${randomUUID()}.txt`
  const open = await beginPut(service, key, `/files?path=${path}`, Buffer.from('a file that comes slowly'))
  return {
    async finish() {
      const isTaken = await open.finish()
      const { status } = await service.visit(path)
      assert.equal(status === 200, isTaken, `${path} answers ${status}`)
      return isTaken
    },
  }
}

export async function beginDeploy(
  service: TestService,
  fresh: { maker: FreshKey; of: FreshKey },
): Promise<OpenRequest> {
  const bytes = Buffer.from(`a blob that comes slowly: ${randomUUID()}`)
  const oid = oidOf('blob', bytes)
  const path = `${randomUUID()}.txt`
  const made = await service
    .api(fresh.maker.key)
    .post('/deploys')
    .send({ files: { [path]: { oid, size: bytes.length } }, siteId: service.site.id })
    .expect(201)
  const { id } = (made.body as { data: { id: string } }).data
  const open = await beginPut(service, fresh.of, `/deploys/${id}/blobs/${oid}`, bytes)
  return {
    async finish() {
      const isReceived = await open.finish()
      const published = await service.api(fresh.of.key).post(`/deploys/${id}/publish`)
      assert.equal(published.status === 200, isReceived, published.text)
      assert.equal((await service.visit(`/${path}`)).status === 200, isReceived)
      // A site has room for a few open deploys.
      await service.api().delete(`/deploys/${id}`)
      return isReceived
    },
  }
}

async function beginPut(
  service: TestService,
  { id, key }: FreshKey,
  path: string,
  bytes: Buffer,
): Promise<OpenRequest> {
  const sent = request(`${service.origin}/api/v1${path}`, {
    method: 'PUT',
    agent: false,
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/octet-stream',
      'Content-Length': bytes.length,
      'x-service-site-id': service.site.id,
    },
  })
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>
  sent.write(bytes.subarray(0, FIRST_BYTES))
  await untilUsed(service, id)
  return {
    async finish() {
      sent.end(bytes.subarray(FIRST_BYTES))
      const [answer] = await answered
      answer.resume()
      return (answer.statusCode ?? 0) < 300
    },
  }
}

/** Waits until a request with the key has been authenticated. */
async function untilUsed({ server }: TestService, id: string): Promise<void> {
  const { keyUsage } = server.service.services.catalog
  await until(
    () => keyUsage.lastUseOf(id),
    (at) => at !== undefined,
  )
}

function oidOf(type: string, bytes: Buffer): string {
  return createHash('sha1').update(`${type} ${bytes.length}\0`).update(bytes).digest('hex')
}
