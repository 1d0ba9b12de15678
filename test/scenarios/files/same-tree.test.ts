import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { useService } from '../../spec/use-service.js'
import { assertSound } from '../../support/git.js'
import { foldersOf } from './random-folders.js'
import { publishThreeWays } from './three-ways.js'

const SIZES = [0, 1, 100, 65_535, 65_536, 1_048_575, 1_048_576, 1_048_577, 3_000_000]

describe('the same folder', () => {
  const service = useService()

  it('gives the same tree by a deploy, by single puts and by a push, byte for byte', async function () {
    const { key } = await service().mint({ scopes: ['admin'] })
    const place = {
      api: () => service().api(key),
      origin: service().origin,
      key,
      gitdir: (slug: string) => service().gitdir(slug),
    }
    for (const folder of fc.sample(foldersOf(SIZES), 1)) {
      const [deployed, put, pushed] = await publishThreeWays(place, folder, 'small')
      assert.ok((deployed?.tree.length ?? 0) > 10, 'there are files')
      assert.deepEqual(put?.tree, deployed?.tree, 'single puts')
      assert.deepEqual(pushed?.tree, deployed?.tree, 'a push')
      for (const { slug } of [deployed, put, pushed].flatMap((way) => way ?? [])) assertSound(service().gitdir(slug))
    }
  })
})
