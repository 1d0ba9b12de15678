import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createHeadViews } from '../../../../src/protocols/host/views/head-view.js'

type Parts = Parameters<typeof createHeadViews>[0]

interface Ref {
  head: string
  looks: number
}

const [FIRST, SECOND] = ['1'.repeat(40), '2'.repeat(40)] as const
const AT_ONCE = 8

describe('the view of a site at its head', () => {
  it("takes one look at the site's ref for all requests of a callback, and another one for those of the next", async () => {
    const ref: Ref = { head: FIRST, looks: 0 }
    const find = createHeadViews(partsOf(ref))
    const commits = () => new Set(Array.from({ length: AT_ONCE }, () => find('demo')?.commit))
    for (const head of [FIRST, SECOND]) {
      ref.head = head
      assert.deepEqual([...commits()], [head])
      await nextTurn()
    }
    assert.equal(ref.looks, 2)
  })

  it('looks again in a callback that follows in the same turn of the event loop', async () => {
    const ref: Ref = { head: FIRST, looks: 0 }
    const find = createHeadViews(partsOf(ref))
    const seen: (string | undefined)[] = []
    const callbacks = [FIRST, SECOND].map(
      (head) =>
        new Promise<void>((resolve) =>
          setImmediate(() => {
            ref.head = head
            seen.push(find('demo')?.commit)
            resolve()
          }),
        ),
    )
    await Promise.all(callbacks)
    assert.deepEqual(seen, [FIRST, SECOND])
  })
})

/** A catalog of one site, and a ref that counts who looks at it. */
function partsOf(ref: Ref): Parts {
  const site = { id: 'site', slug: 'demo', publicHistory: false, markdown: false, search: false, withdrawals: 0 }
  return {
    address: { baseUrl: 'http://localhost', siteDomain: 'localhost' },
    sites: { findBySlug: () => site },
    store: {
      head() {
        ref.looks += 1
        return ref.head
      },
    },
  } as unknown as Parts
}
