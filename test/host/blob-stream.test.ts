import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, it } from 'mocha'
import { streamBlob } from '../../src/host/blob-stream.js'

describe('a blob streamed by git', () => {
  let gitdir: string
  let oid: string

  before(() => {
    gitdir = join(mkdtempSync(join(tmpdir(), 'blob-stream-')), 'site.git')
    execFileSync('git', ['init', '--quiet', '--bare', gitdir])
    oid = execFileSync('git', ['hash-object', '-w', '--stdin'], {
      cwd: gitdir,
      input: 'bytes',
      encoding: 'utf8',
    }).trim()
  })
  after(() => rmSync(join(gitdir, '..'), { recursive: true }))

  it('arrives whole, and ends what it is written to', async () => {
    const to = new PassThrough()
    const [bytes] = await Promise.all([buffer(to), streamBlob(gitdir, oid, to)])
    assert.equal(bytes.toString(), 'bytes')
  })

  it('destroys what it is written to where git fails, so that nobody takes a part for the whole', async () => {
    const to = new PassThrough()
    await assert.rejects(streamBlob(gitdir, '0'.repeat(40), to), /git cat-file ended with 128/)
    assert.equal(to.destroyed, true)
    assert.equal(to.writableEnded, false)
  })

  it('destroys it where git cannot even start', async () => {
    const to = new PassThrough()
    const path = process.env['PATH']
    process.env['PATH'] = '/nowhere'
    try {
      await assert.rejects(streamBlob(gitdir, oid, to), { code: 'ENOENT' })
    } finally {
      process.env['PATH'] = path
    }
    assert.equal(to.destroyed, true)
  })

  it('is given up in silence when the reader leaves', async () => {
    const to = new PassThrough()
    const streamed = streamBlob(gitdir, oid, to)
    to.destroy()
    await streamed
    assert.equal(to.writableEnded, false)
  })
})
