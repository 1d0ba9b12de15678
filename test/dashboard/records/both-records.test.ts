import assert from 'node:assert/strict'
import { bothOf, withMine } from '../../../dashboard/src/screens/collections/form/both-records.js'

const BASE = { title: 'Amores', year: -16, tags: ['love'], author: { name: 'Ovid', town: 'Sulmo' } }

describe('two changes of one record', () => {
  it('are both kept where they do not touch the same field', () => {
    const mine = { ...BASE, year: -15, author: { name: 'Ovid', town: 'Rome' } }
    const theirs = { ...BASE, title: 'The Loves', author: { name: 'P. Ovidius Naso', town: 'Sulmo' } }
    assert.deepEqual(bothOf(BASE, mine, theirs), {
      data: { title: 'The Loves', year: -15, tags: ['love'], author: { name: 'P. Ovidius Naso', town: 'Rome' } },
      clashes: [],
    })
  })

  it('clash where both changed a field differently, and the person chooses', () => {
    const both = bothOf(BASE, { ...BASE, year: -15, tags: ['a'] }, { ...BASE, year: -14, tags: ['b'] })
    assert.deepEqual(both.clashes, [
      { path: ['year'], theirs: -14, mine: -15 },
      { path: ['tags'], theirs: ['b'], mine: ['a'] },
    ])
    assert.deepEqual(
      withMine(both, ({ path }) => path[0] === 'year'),
      { ...BASE, year: -15, tags: ['b'] },
    )
  })

  it('clash where one removed the field that the other changed', () => {
    const { year: _, ...without } = BASE
    const both = bothOf(BASE, without, { ...BASE, year: -14 })
    assert.deepEqual(both.clashes, [{ path: ['year'], theirs: -14, mine: undefined }])
    assert.deepEqual(
      withMine(both, () => true),
      without,
    )
  })

  it('are one change where both did the same', () => {
    const same = { ...BASE, year: -15, author: { town: 'Rome', name: 'Ovid' } }
    assert.deepEqual(bothOf(BASE, same, { ...same }), { data: same, clashes: [] })
    assert.deepEqual(bothOf(BASE, {}, {}), { data: {}, clashes: [] })
  })
})
