import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Admission } from '../../../src/admission/admission.js'
import { DEFAULT_SIZES } from '../../../src/admission/row.js'
import { type Deploy, sumsOf } from '../../../src/repository/uploads/deploy.js'
import { DeployFolders } from '../../../src/repository/uploads/deploy-folders.js'
import { collectGarbage } from '../../bounds/collect-garbage.js'

const oidOf = (number: number) => number.toString(16).padStart(40, '0')
const FILES = 20_000

function deployOf(number: number): Deploy {
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
  const files = Array.from({ length: FILES }, (_, at) => [`page-${number}-${at}.html`, oidOf(at), 7] as const)
  const common = { workspaceId: 'w', siteId: 's', mode: 'merge', message: null, ifHead: null } as const
  return { id, ...common, files, createdAt: 1_000, expiresAt: 90_000 }
}

const TURNS = new Admission(DEFAULT_SIZES).gate('deploys')

describe('deploys that were published', () => {
  let dataDir: string
  before(() => (dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-deploys-'))))
  after(() => rmSync(dataDir, { recursive: true }))

  it('keep neither manifests nor uploads in memory, and have all of it when asked', async () => {
    const folders = new DeployFolders(dataDir, () => new Date(2_000_000), TURNS)
    // Objects read through a weak reference may be freed only a turn later.
    const used = async () => {
      await nextTurn()
      collectGarbage()
      return process.memoryUsage().heapUsed
    }
    const before = await used()
    for (let number = 0; number < 10; number++) {
      folders.create(deployOf(number))
      await folders.publish(deployOf(number).id, oidOf(number))
    }
    const bytesEach = ((await used()) - before) / 10
    assert(bytesEach < 20 * FILES, `${bytesEach} bytes for each`)
    for (const folder of [folders, new DeployFolders(dataDir, () => new Date(2_000_000), TURNS)]) {
      const found = folder.find(deployOf(3).id)
      assert(found !== undefined)
      assert.deepEqual(sumsOf(found), { files: FILES, bytes: 7 * FILES })
      assert.deepEqual(found.files, deployOf(3).files)
      assert.deepEqual(found.published, { commit: oidOf(3) })
      assert.equal(folder.list('w').length, 10)
    }
  })
})

describe('the folder of a deploy that is removed', () => {
  let dataDir: string
  before(() => (dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-deploys-'))))
  after(() => rmSync(dataDir, { recursive: true }))

  it('stays until the work begun on it is over, and runs its jobs one after the other', async () => {
    const folders = new DeployFolders(dataDir, () => new Date(2_000_000), TURNS)
    const deploy = { ...deployOf(1), files: [] }
    folders.create(deploy)
    const done: string[] = []
    const { promise: gate, resolve: open } = makeGate()
    const work = (name: string) => async () => {
      await gate
      done.push(`${name} ${existsSync(folders.folderOf(deploy.id))}`)
    }
    const failing = folders.inTurn(deploy.id, async () => {
      await work('first')()
      throw new Error('it fails')
    })
    const second = folders.inTurn(deploy.id, work('second'))
    const removed = folders.remove(deploy.id)
    assert.equal(folders.find(deploy.id), undefined)
    const last = folders.inTurn(deploy.id, work('last'))
    open()
    await assert.rejects(failing, /it fails/)
    await Promise.all([second, removed, last])
    assert.deepEqual(done, ['first true', 'second true', 'last false'])
  })
})

function makeGate(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((open) => (resolve = open))
  return { promise, resolve }
}
