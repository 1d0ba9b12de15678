import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { useService } from '../../spec/use-service.js'
import { flipByteOf } from '../../support/damage.js'
import { assertSound, git } from '../../support/git.js'

const MIB = 1024 * 1024
/** Streams that one workspace may have, of 32 for all workspaces. */
const OF_ONE_WORKSPACE = 16

describe('the content of files', () => {
  const service = useService()
  const put = (path: string, bytes: Buffer) =>
    service().api().put(`/files?path=${path}`).type('application/octet-stream').send(bytes).expect(201)

  it('is read without a git process up to a MiB, whole and by range', async () => {
    await put('/site.css', Buffer.alloc(MIB, 'a {} '))
    let programs = 0
    const note = () => programs++
    subscribe('child_process', note)
    const whole = await service().api().get('/files/content?path=/site.css').buffer(true).expect(200)
    const part = await service().api().get('/files/content?path=/site.css').set('Range', 'bytes=5-8').buffer(true)
    unsubscribe('child_process', note)
    assert.deepEqual([whole.text.length, part.status, part.text], [MIB, 206, 'a {}'])
    assert.equal(programs, 0)
    assertSound(service().gitdir())
  })

  it('can be read by at most 16 readers of a workspace at once if large, and each that ends makes room', async () => {
    // More than the buffers between a reader and git.
    await put('/large.csv', Buffer.alloc(24 * MIB, '1,2\n'))
    const headers = { Authorization: `Bearer ${service().key}` }
    const read = () =>
      request(`${service().origin}/api/v1/files/content?path=/large.csv`, { headers, agent: false }).end()
    const answerTo = async (sent: ClientRequest) => ((await once(sent, 'response')) as [IncomingMessage])[0]
    const readers = Array.from({ length: OF_ONE_WORKSPACE }, read)
    for (const { statusCode } of await Promise.all(readers.map(answerTo))) assert.equal(statusCode, 200)
    const refused = await answerTo(read())
    assert.deepEqual([refused.statusCode, refused.headers['retry-after'] !== undefined], [503, true])
    refused.resume()
    readers[0]?.destroy()
    const next = read()
    assert.equal((await answerTo(next)).statusCode, 200)
    for (const sent of [...readers, next]) sent.destroy()
  })

  it('is empty for an empty file', async () => {
    await put('/empty.txt', Buffer.alloc(0))
    const { status, headers } = await service().api().get('/files/content?path=/empty.txt')
    assert.deepEqual([status, headers['content-length']], [200, '0'])
  })

  it('gets 503 without an entity tag if a large file cannot be read', async () => {
    const bytes = randomBytes(2 * MIB)
    await put('/damaged.bin', bytes)
    const oid = git(service().gitdir(), 'rev-parse', 'main:damaged.bin')
    const mend = flipByteOf(service().gitdir(), oid)
    try {
      const { status, headers, body } = await service().api().get('/files/content?path=/damaged.bin')
      assert.deepEqual([status, body.error.code, headers['etag']], [503, 'site_unreadable', undefined])
    } finally {
      mend()
    }
    const whole = await service().api().get('/files/content?path=/damaged.bin').buffer(true).expect(200)
    assert.ok((whole.body as Buffer).equals(bytes))
  })
})
