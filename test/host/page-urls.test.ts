import assert from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import * as fc from 'fast-check'
import { foldCase, type PagePath, parsePagePath, treePathOf, urlPathOf } from '../../src/model/page-path.js'
import { anyPath, likelyPath } from '../model/arbitrary-path.js'
import { Hosting } from './hosting.js'

describe('pages of any path', () => {
  const hosting = new Hosting()
  const pages = new Map<string, PagePath>()

  before(async () => {
    const longest = ['😀'.repeat(2048), `/${'x/'.repeat(1000)}x`]
    for (const text of [...longest, ...fc.sample(anyPath, 400), ...fc.sample(likelyPath, 200)]) {
      const path = accepted(text)
      if (path !== undefined) pages.set(foldCase(path), path)
    }
    await hosting.createSite('demo', Object.fromEntries([...pages.values()].map((path) => [treePathOf(path), path])))
    await hosting.start()
  })
  after(() => hosting.stop())

  it('are each served at their own URL', async () => {
    assert.ok(pages.size > 100, `only ${pages.size} pages`)
    for (const path of pages.values()) {
      const { status, body } = await hosting.ask('demo', urlPathOf(path))
      assert.deepEqual([status, body.toString()], [200, path])
    }
  })
})

function accepted(text: string): PagePath | undefined {
  try {
    return parsePagePath(text)
  } catch {
    return undefined
  }
}
