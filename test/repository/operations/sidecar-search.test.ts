import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { encodeCommit } from '../../../src/git/objects/commit.js'
import { newObject } from '../../../src/git/objects/object.js'
import type { Oid } from '../../../src/git/objects/oid.js'
import { ObjectDatabase } from '../../../src/git/storage/object-database.js'
import { parsePagePath } from '../../../src/model/paths/page-path.js'
import { findSidecarId } from '../../../src/repository/operations/sidecar-search.js'
import { encodeSidecar, sidecarPathOf } from '../../../src/repository/format/site-format.js'
import { SiteState } from '../../../src/repository/staging/site-state.js'
import { gitWithInput, storeCommit, withSite } from '../../git/scratch-repository.js'
import { git } from '../../support/git.js'

const SITE_ID = '5a000000-0000-4000-8000-000000000001'
const IDS = ['0a', '0b', '1c'].map((start) => `${start}000000-0000-4000-8000-000000000001`)
const PATHS = [parsePagePath('/a'), parsePagePath('/b')]

/** The number of the path that the sidecar of each id names; 2 for no sidecar, 3 for a broken one. */
const tree = fc.tuple(...IDS.map(() => fc.integer({ min: 0, max: 3 })))

function filesOf(claims: readonly number[]): Record<string, string> {
  const files: Record<string, string> = { 'index.html': 'hello' }
  for (const [i, claim] of claims.entries()) {
    const path = PATHS[claim]
    const file = sidecarPathOf(IDS[i] ?? '')
    if (path !== undefined) files[file] = encodeSidecar({ path, title: 'A title', templateId: null }).toString()
    if (claim === 3) files[file] = 'not JSON'
  }
  return files
}

function lowest(claims: readonly number[], path: number): string | undefined {
  return IDS.filter((_, i) => claims[i] === path).toSorted()[0]
}

/** Makes a commit in memory whose sidecars are these files, as the site's writer does. */
function advanceTo(state: SiteState, odb: ObjectDatabase, files: Record<string, string>): Oid {
  for (const id of IDS) {
    const file = sidecarPathOf(id)
    const text = files[file]
    if (text !== undefined) state.tree.put(file, Buffer.from(text))
    else if (state.tree.entry(file) !== undefined) state.tree.remove(file)
  }
  const paths = new Set(state.tree.editedPaths)
  const objects = state.tree.flush()
  const who = { name: 'x', email: 'x@example.org', time: 1_800_000_000 }
  const bytes = encodeCommit({
    tree: state.tree.root,
    parents: [state.head],
    author: who,
    committer: who,
    message: 'x\n',
  })
  const commit = newObject('commit', bytes)
  odb.remember([...objects, commit])
  state.advance(commit.oid, paths)
  state.tree.settle()
  return commit.oid
}

describe('the search for the sidecar of a path', () => {
  it('finds the lowest id, for any earlier commit and any knowledge of the reader', () => {
    fc.assert(
      fc.property(fc.array(tree, { minLength: 1, maxLength: 4 }), (steps) => {
        withSite({ 'index.html': 'hello' }, (gitdir, first) => {
          const commits = [{ oid: first, claims: [2, 2, 2] as number[] }]
          for (const claims of steps) {
            const { oid, pack } = storeCommit(gitdir, filesOf(claims), [commits.at(-1)?.oid ?? ''])
            pack.release()
            commits.push({ oid, claims })
          }
          const odb = new ObjectDatabase(gitdir)
          const head = commits.at(-1) ?? commits[0]!
          const state = new SiteState(SITE_ID, odb, head.oid)
          for (const [number, path] of PATHS.entries()) {
            assert.equal(findSidecarId(state, path), lowest(head.claims, number))
            for (const { oid, claims } of commits) {
              const known = { id: lowest(claims, number), asOf: oid }
              assert.equal(findSidecarId(state, path, known), lowest(head.claims, number))
            }
          }
          odb.close()
        })
      }),
      { numRuns: 20 },
    )
  })

  it('finds the same over commits that the writer made itself', () => {
    withSite({ 'index.html': 'hello' }, (gitdir, first) => {
      const odb = new ObjectDatabase(gitdir)
      fc.assert(
        fc.property(fc.array(tree, { minLength: 1, maxLength: 4 }), (steps) => {
          const state = new SiteState(SITE_ID, odb, first)
          const commits = [{ oid: first, claims: [2, 2, 2] as number[] }]
          for (const claims of steps) commits.push({ oid: advanceTo(state, odb, filesOf(claims)), claims })
          const { claims: now } = commits.at(-1) ?? commits[0]!
          for (const [number, path] of PATHS.entries()) {
            for (const { oid, claims } of commits) {
              const known = { id: lowest(claims, number), asOf: oid }
              assert.equal(findSidecarId(state, path, known), lowest(now, number))
            }
          }
        }),
      )
      odb.close()
    })
  })

  it('reads nothing of commits that the writer made itself, for any number of pages', () => {
    withSite({ 'index.html': 'hello' }, (gitdir, first) => {
      const odb = new ObjectDatabase(gitdir)
      const state = new SiteState(SITE_ID, odb, first)
      for (const claims of [
        [0, 2, 2],
        [0, 1, 2],
        [0, 1, 1],
      ])
        advanceTo(state, odb, filesOf(claims))
      state.tree.readBlobWithin = () => assert.fail('a sidecar is read')
      assert.equal(findSidecarId(state, PATHS[0]!, { id: undefined, asOf: first }), IDS[0])
      assert.equal(findSidecarId(state, PATHS[1]!, { id: undefined, asOf: first }), IDS[1])
      odb.close()
    })
  })

  it('reads only the sidecars that changed since the reader looked', () => {
    withSite({ 'index.html': 'hello' }, (gitdir, first) => {
      const known = storeCommit(gitdir, filesOf([0, 2, 1]), [first])
      const head = storeCommit(gitdir, filesOf([0, 1, 1]), [known.oid])
      const odb = new ObjectDatabase(gitdir)
      const state = new SiteState(SITE_ID, odb, head.oid)
      const read: string[] = []
      const readBlob = state.tree.readBlobWithin.bind(state.tree)
      state.tree.readBlobWithin = (oid, maxBytes) => {
        read.push(oid)
        return readBlob(oid, maxBytes)
      }
      assert.equal(findSidecarId(state, PATHS[0]!, { id: IDS[0], asOf: known.oid }), IDS[0])
      const changed = state.tree.entry(sidecarPathOf(IDS[1]!))
      assert.deepEqual(read, [changed?.oid])
      odb.close()
    })
  })

  it('is refused as retryable if more sidecars have come since than one write may read', () => {
    withSite({ 'index.html': 'hello' }, (gitdir, first) => {
      const head =
        'commit refs/heads/main\ncommitter O <o@example.org> 1800000000 +0000\ndata 1\nx\nfrom refs/heads/main^0\n'
      const sidecar = encodeSidecar({ path: PATHS[1]!, title: null, templateId: null }).toString()
      const files = Array.from({ length: 5_001 }, (_, n) => {
        const file = sidecarPathOf(`0a000000-0000-4000-8000-${String(n).padStart(12, '0')}`)
        return `M 100644 inline ${file}\ndata ${sidecar.length}\n${sidecar}\n`
      })
      gitWithInput(gitdir, head + files.join(''), 'fast-import', '--quiet')
      const pushed = git(gitdir, 'rev-parse', 'main')
      const odb = new ObjectDatabase(gitdir)
      const state = new SiteState(SITE_ID, odb, pushed)
      const isBusy = { code: 'site_busy' }
      assert.throws(() => findSidecarId(state, PATHS[0]!, { id: undefined, asOf: first }), isBusy)
      assert.throws(() => findSidecarId(state, PATHS[0]!), isBusy)
      assert.equal(findSidecarId(state, PATHS[0]!, { id: undefined, asOf: pushed }), undefined)
      odb.close()
    })
  })
})
