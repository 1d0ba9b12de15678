import assert from 'node:assert/strict'
import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PROCESS_TAG } from '../../../../src/git/disk/process-tag.js'
import { lockRef } from '../../../../src/git/repository/ref.js'
import { FormCheck } from '../../../../src/repository/disk/checks/form-check.js'
import { inspectRepository } from '../../../../src/repository/disk/checks/inspect-repository.js'
import { MAIN, withSite } from '../../../git/scratch-repository.js'
import { runHere } from '../../../programs/shell.js'

const SITE_ID = '018f3c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0f'
const CHECKS = 8
const LONG_AGO = 1_700_000_000

const moduleOf = (name: string) => fileURLToPath(new URL(`../../../../src/${name}`, import.meta.url))

describe('the inspection of a repository', () => {
  it('lets requests be served between its checks', async () => {
    await withSite({ 'index.html': 'hello' }, async (gitdir) => {
      let turns = 0
      let isOver = false
      const count = () => {
        turns += 1
        if (!isOver) setImmediate(count)
      }
      setImmediate(count)
      assert.deepEqual(await inspectRepository(gitdir, SITE_ID, new FormCheck()), [])
      isOver = true
      assert.ok(turns >= CHECKS, `${turns} turns of the event loop`)
    })
  })

  it('names a lock that git, or a process of ours that has ended, left long ago', async () => {
    const [, , boot, namespace] = PROCESS_TAG.split('.')
    for (const text of ['', `palimpsest ${process.pid}.1.${boot}.${namespace}\n`]) {
      await withSite({ 'index.html': 'hello' }, async (gitdir) => {
        const lock = join(gitdir, `${MAIN}.lock`)
        writeFileSync(lock, text)
        assert.deepEqual(await inspectRepository(gitdir, SITE_ID, new FormCheck()), [])
        utimesSync(lock, LONG_AGO, LONG_AGO)
        const found = await inspectRepository(gitdir, SITE_ID, new FormCheck())
        assert.deepEqual(
          found.map(({ kind, subject }) => [kind, subject]),
          [['lock', `${MAIN}.lock`]],
        )
      })
    }
  })

  it('names no lock of a running process of ours, whose time is that of a mark from long ago', async () => {
    await withSite({ 'index.html': 'hello' }, async (gitdir) => {
      const held = lockRef(gitdir, MAIN)
      utimesSync(join(gitdir, `${MAIN}.lock`), LONG_AGO, LONG_AGO)
      assert.deepEqual(await inspectRepository(gitdir, SITE_ID, new FormCheck()), [])
      const script = `
        import { FormCheck } from '${moduleOf('repository/disk/checks/form-check.js')}'
        import { inspectRepository } from '${moduleOf('repository/disk/checks/inspect-repository.js')}'
        console.log(JSON.stringify(await inspectRepository('${gitdir}', '${SITE_ID}', new FormCheck())))`
      const seen = runHere({ command: [process.execPath, '--input-type=module', '--eval', script] })
      assert.equal(seen.toString(), '[]\n')
      held.release()
    })
  })
})
