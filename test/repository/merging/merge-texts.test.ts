import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { Pieces, readHtml } from '../../../src/repository/merging/read-html.js'
import { TextMerger } from '../../../src/repository/merging/text-merger.js'
import { runHere } from '../../programs/shell.js'
import { git } from '../../support/git.js'
import { type AnyMerge, anyMerge, wordsOf } from './any-merge.js'

const MERGES = 500
const SEED = 5
const SIDES = ['base', 'ours', 'theirs'] as const

type Merged = Buffer | 'conflict'

describe('a merge of texts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-texts-'))
  before(() => git(folder, 'init', '--quiet', '--bare', 'site.git'))
  after(() => rmSync(folder, { recursive: true, force: true }))

  const merger = () =>
    new TextMerger(join(folder, 'site.git'), {
      readBlobWithin: () => undefined,
    })

  async function mergeAll(merges: readonly AnyMerge[], isHtml: boolean): Promise<Merged[]> {
    const work = merger()
    const texts = merges.map((sides) => {
      const [base = '', ours = '', theirs = ''] = SIDES.map((side) => work.keep(sides[side]))
      return { oids: { base, ours, theirs }, isHtml }
    })
    const results: Merged[] = []
    for await (const [, result] of work.mergeEach(texts))
      results.push('oid' in result ? (work.made.get(result.oid) ?? 'conflict') : 'conflict')
    return results
  }

  const mergeOne = async (base: string, ours: string, theirs: string) => {
    const [merged] = await mergeAll(
      [{ base: Buffer.from(base), ours: Buffer.from(ours), theirs: Buffer.from(theirs) }],
      true,
    )
    return merged === undefined || merged === 'conflict' ? 'conflict' : merged.toString()
  }

  it(`gives what git gives in ${MERGES} random merges, and loses and brings back no word where git has a conflict`, async () => {
    const merges = fc.sample(anyMerge, { seed: SEED, numRuns: MERGES })
    const [expected, found] = [mergeByGit(folder, merges), await mergeAll(merges, true)]
    let more = 0
    for (const [at, sides] of merges.entries()) {
      const [byGit, merged] = [expected[at]!, found[at]!]
      const shown = `merge ${at}: ${SIDES.map((side) => JSON.stringify(sides[side].toString('latin1'))).join('\n')}`
      if (byGit !== 'conflict') assert.deepEqual(merged, byGit, shown)
      else if (merged !== 'conflict') {
        more += 1
        assertWords(merged, sides, shown)
      }
    }
    const conflicts = expected.filter((outcome) => outcome === 'conflict').length
    assert.ok(more > 100 && more < conflicts, `${more} of ${conflicts} conflicts of git are merged`)
    assert.deepEqual(await mergeAll(merges, false), expected)
  })

  it('merges HTML of one line at its tags', async () => {
    const base = '<ul><li>one</li><li>two</li></ul>'
    assert.equal(
      await mergeOne(base, base.replace('one', 'ours'), base.replace('two', 'theirs')),
      '<ul><li>ours</li><li>theirs</li></ul>',
    )
  })

  it('merges changes in one long line beside short ones, and leaves short lines to git', async () => {
    const long = `<p>one</p>${'<hr>'.repeat(200)}<p>two</p>`
    const base = `<h1>\n${long}\n</h1>\n`
    const merged = await mergeOne(base, base.replace('one', 'ours'), base.replace('two', 'theirs'))
    assert.equal(merged, base.replace('one', 'ours').replace('two', 'theirs'))
    const short = '<h1>\n<p>one</p><p>two</p>\n</h1>\n'
    assert.equal(await mergeOne(short, short.replace('one', 'ours'), short.replace('two', 'theirs')), 'conflict')
  })

  const REFUSED: Readonly<Record<string, readonly [base: string, ours: string, theirs: string]>> = {
    'elements that overlap': [
      '<p>a</p><hr><p>b</p><hr><p>c</p>',
      '<div><p>a</p><hr><p>b</p></div><hr><p>c</p>',
      '<p>a</p><hr><section><p>b</p><hr><p>c</p></section>',
    ],
    'a link in a link': [
      '<p>a<i>b</i><u>c</u></p>',
      '<p><a href="o">a<i>b</i><u>c</u></a></p>',
      '<p>a<i>b</i><u><a href="t">c</a></u></p>',
    ],
    'a list in what is a paragraph now': [
      '<div>a<b>x</b>c</div>',
      '<p>a<b>x</b>c</p>',
      '<div>a<b><ul><li>x</li></ul></b>c</div>',
    ],
    'an item that lies in the element of the other side': [
      '<ul><li>a</li><li>b</li></ul>',
      '<ol><li>a</li><li>b</li></ol>',
      '<ul><li>a</li><dd>t</dd><li>b</li></ul>',
    ],
  }
  for (const [what, [base, ours, theirs]] of Object.entries(REFUSED))
    it(`finds a conflict in ${what}`, async () => assert.equal(await mergeOne(base, ours, theirs), 'conflict'))

  it('cuts any document so that its pieces joined are the document', () => {
    const parts = fc.constantFrom(
      '<p>',
      '</p>',
      '<',
      '>',
      '<!--',
      '-->',
      '<!x>',
      '<script>',
      '</script',
      'a',
      '\n',
      '<a b="',
      '"',
      '\xe9',
      '<?',
      '/>',
    )
    fc.assert(
      fc.property(fc.array(parts), (list) => {
        const html = list.join('')
        const all = new Pieces()
        const { pieces } = readHtml(html, all)
        assert.equal(pieces.map((number) => all.known[number]?.slice(1)).join(''), html)
      }),
    )
  })

  it('cuts no text of another kind, and none of ISO-2022-JP', async () => {
    const [base, ours, theirs] = ['<p>a</p><p>b</p>', '<p>ours</p><p>b</p>', '<p>a</p><p>theirs</p>']
    const sides = { base: Buffer.from(base), ours: Buffer.from(ours), theirs: Buffer.from(theirs) }
    assert.deepEqual(await mergeAll([sides], false), ['conflict'])
    assert.equal(await mergeOne(`${base}\x1b$B`, `${ours}\x1b$B`, `${theirs}\x1b$B`), 'conflict')
  })
})

/** Each word that one side added is there once; none is that one side removed. */
function assertWords(merged: Buffer, { base, ours, theirs }: AnyMerge, shown: string): void {
  const [before, here, there] = [base, ours, theirs].map((side) => new Set(wordsOf(side)))
  const isKept = (word: string) => {
    const [was, isOurs, isTheirs] = [before, here, there].map((side) => side!.has(word))
    return was ? isOurs && isTheirs : isOurs || isTheirs
  }
  const wanted = [...new Set([...before!, ...here!, ...there!])].filter(isKept)
  assert.deepEqual(wordsOf(merged).toSorted(), wanted.toSorted(), `${shown}\n${merged.toString('latin1')}`)
}

function mergeByGit(folder: string, merges: readonly AnyMerge[]): Merged[] {
  for (const [at, sides] of merges.entries())
    for (const side of SIDES) writeFileSync(join(folder, `${at}.${side}`), sides[side])
  const script = `cd "$1"; for n in $(seq 0 ${merges.length - 1}); do git merge-file -q $n.ours $n.base $n.theirs; echo $?; done`
  const printed = runHere({ command: ['sh', '-c', script, 'sh', folder] }).toString()
  return printed
    .trim()
    .split('\n')
    .map((code, at) => (code === '0' ? readFileSync(join(folder, `${at}.ours`)) : 'conflict'))
}
