import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { replaceContent } from '../../../src/usecases/merging/change-page.js'
import { createPage, getPage, retitlePage } from '../../../src/usecases/pages/pages.js'
import { unpublishPage } from '../../../src/usecases/moves/unpublish-page.js'
import { ServiceError } from '../../../src/model/errors.js'
import { assertSound, git, withClone } from '../../support/git.js'
import { openServiceParts, refusal, type ServiceParts } from '../service-parts.js'

const LINES = ['<title>Fair</title>', '<h1>Fair</h1>', '<p>one</p>', '<p>two</p>', '<p>three</p>', '<p>four</p>', '']
const EARLIER = LINES.join('\n')
const change = (from: string, to: string, text = EARLIER) => text.replace(from, to)

interface ConflictDetails {
  etag: string
  version: { id: string; number: number }
  conflicts: { path: string; reason: string; hunks: string | null }[]
  since: { id: string; number: number; author: string }[]
}

describe('replacing the content of a page with onConflict=merge', () => {
  let shared: ServiceParts
  let parts: ServiceParts
  let id: string
  let base: string
  const put = async (html: string | Uint8Array, more: object = {}) =>
    (await replaceContent(parts.call(), { id, html, ...more })).data
  const merge = async (html: string, ifMatch: string, more: object = {}) =>
    await put(html, { ifMatch: [ifMatch], onConflict: 'merge', ...more })
  const live = async () => (await getPage(parts.call(), { id })).data.html
  const conflictOf = async (work: Promise<unknown>): Promise<ConflictDetails> => {
    const error = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    assert.ok(error instanceof ServiceError && error.code === 'merge_conflict', String(error))
    return error.details as ConflictDetails
  }
  const publish = async (html: string, path = '/fair') => {
    const { data } = await createPage(parts.call(), { path, html })
    id = data.id
    base = data.version.id
  }

  before(async () => {
    shared = await openServiceParts()
  })
  beforeEach(async () => {
    parts = await shared.inNewWorkspace()
    await publish(EARLIER)
  })
  after(() => shared.stop())

  it('publishes both changes as one commit, and names the version that it was merged with', async () => {
    const theirs = await put(change('one', 'by Grace'))
    const merged = await merge(change('four', 'by Ada'), base, { reason: 'Mine' })
    assert.equal(await live(), change('one', 'by Grace', change('four', 'by Ada')))
    const { version, createdAt } = { ...theirs, createdAt: theirs.updatedAt }
    assert.deepEqual(merged.mergedWith, [{ ...version, author: 'Ada', createdAt }])
    assert.equal(merged.version.number, 3)
    assert.equal(git(parts.gitdir(), 'log', '-1', '--format=%s %P', 'main'), `Mine ${theirs.version.id}`)
    assertSound(parts.gitdir())
  })

  it('refuses overlapping lines with both texts, and publishes nothing', async () => {
    const theirs = await put(change('two', 'by Grace'))
    const details = await conflictOf(merge(change('two', 'by Ada'), base))
    const { etag, version, conflicts, since } = details
    assert.deepEqual([etag, version], [`"${theirs.version.id}"`, theirs.version])
    assert.deepEqual(
      since.map(({ number }) => number),
      [2],
    )
    const marked = '<<<<<<< ours\n<p>by Grace</p>\n=======\n<p>by Ada</p>\n>>>>>>> theirs\n'
    assert.deepEqual(conflicts, [{ path: '/fair', reason: 'changed', hunks: change('<p>two</p>\n', marked) }])
    assert.equal(await live(), change('two', 'by Grace'))
  })

  it('loses no word that one side added, whatever lines both changed, with every kind of line end', async () => {
    const edit = fc.record({ at: fc.nat(6), kind: fc.constantFrom('replace', 'insert', 'remove'), n: fc.nat(99) })
    const edited = (lines: readonly string[], edits: readonly { at: number; kind: string; n: number }[], by: string) =>
      edits.reduce((text, { at, kind, n }) => {
        const word = kind === 'remove' ? [] : [`${by}${n}`]
        return text.toSpliced(at, kind === 'insert' ? 0 : 1, ...word)
      }, lines)
    const edits = fc.array(edit, { minLength: 1, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(edits, edits, fc.constantFrom('\n', '\r\n'), fc.boolean(), async (left, right, end, isOpen) => {
        const lines = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
        const textOf = (text: readonly string[]) => text.join(end) + (isOpen ? ' ' : end)
        await publish(textOf(lines), `/p${parts.services.newId()}`)
        const [ours, theirs] = [textOf(edited(lines, left, 'grace')), textOf(edited(lines, right, 'ada'))]
        await put(ours)
        const outcome = await merge(theirs, base).then(live, (error: ServiceError) => {
          assert.equal(error.code, 'merge_conflict')
          return (error.details as ConflictDetails).conflicts[0]?.hunks
        })
        const words = (text: string | null | undefined) => new Set(text?.match(/(grace|ada)\d+/g))
        assert.deepEqual(words(outcome), words(ours + theirs))
      }),
      { numRuns: 25 },
    )
  })

  it('keeps CRLF, and the missing line end of the last line', async () => {
    const crlf = EARLIER.replaceAll('\n', '\r\n').trimEnd()
    await publish(crlf, '/crlf')
    await put(change('one', 'by Grace', crlf))
    await merge(change('four', 'by Ada', crlf), base)
    assert.equal(await live(), change('one', 'by Grace', change('four', 'by Ada', crlf)))
  })

  it('merges html of one line at its tags, and shows both lines if they changed the same text', async () => {
    await publish('<p>one</p><p>two</p>', '/line')
    const { version } = await put('<p>by Grace</p><p>two</p>')
    await merge('<p>one</p><p>by Ada</p>', base)
    assert.equal(await live(), '<p>by Grace</p><p>by Ada</p>')
    const { conflicts } = await conflictOf(merge('<p>by Grace</p><p>by Eve</p>', version.id))
    assert.match(conflicts[0]?.hunks ?? '', /by Ada[^]*by Eve/)
  })

  it('merges nothing if only the title has changed, or nothing at all', async () => {
    const { data } = await retitlePage(parts.call(), { id, title: 'Mine' })
    const first = await merge('<p>new</p>', base)
    assert.deepEqual([first.title, first.mergedWith, await live()], ['Mine', undefined, '<p>new</p>'])
    const second = await merge('<p>newer</p>', first.version.id)
    assert.equal(second.mergedWith, undefined)
    // The tag of the title names the html of that moment.
    const third = await merge(EARLIER, data.etag.slice(1, -1))
    assert.deepEqual([third.changed, await live()], [false, '<p>newer</p>'])
  })

  it('makes no version of a request that comes twice', async () => {
    await put(change('one', 'by Grace'))
    const first = await merge(change('four', 'by Ada'), base)
    const again = await merge(change('four', 'by Ada'), base)
    assert.deepEqual([again.changed, again.version], [false, first.version])
  })

  it('shows in a dry run what it would publish', async () => {
    await put(change('one', 'by Grace'))
    const { dryRun, mergedWith } = await merge(change('four', 'by Ada'), base, { dryRun: true })
    assert.equal(mergedWith?.length, 1)
    assert.match(dryRun?.diff ?? '', /^\+<p>by Ada<\/p>$/m)
    assert.doesNotMatch(dryRun?.diff ?? '', /^[-+].*Grace/m)
    assert.equal(await live(), change('one', 'by Grace'))
  })

  it('merges many that publish at once, each into the version of the one before', async () => {
    const words = ['one', 'two', 'three', 'four']
    const spaced = words.map((word) => `<p>${word}</p>\n\n<hr>\n\n`).join('')
    await publish(spaced, '/busy')
    await Promise.all(words.map((word) => merge(change(word, `new ${word}`, spaced), base)))
    assert.equal(await live(), words.map((word) => `<p>new ${word}</p>\n\n<hr>\n\n`).join(''))
  })

  it('merges into a page that was moved meanwhile, at its new path', async () => {
    const { services, site } = parts
    await withClone(parts.gitdir(), (clone) => {
      const sidecar = `.pages/${id.slice(0, 2)}/${id}.json`
      git(clone, 'mv', 'fair.html', 'fest.html')
      const text = git(clone, 'show', `HEAD:${sidecar}`).replace('/fair', '/fest')
      writeFileSync(join(clone, sidecar), `${text}\n`)
      writeFileSync(join(clone, 'fest.html'), change('one', 'by Op'))
      git(clone, 'add', '--all')
      git(clone, 'commit', '--quiet', '-m', 'Move')
      git(clone, 'push', '--quiet', 'origin', 'main')
    })
    services.store.reader.expire(site)
    const merged = await merge(change('four', 'by Ada'), base)
    assert.equal(merged.path, '/fest')
    assert.equal(await live(), change('one', 'by Op', change('four', 'by Ada')))
  })

  it('needs the entity tag of one version of the page', async () => {
    await assert.rejects(put('x', { onConflict: 'merge' }), refusal('precondition_required'))
    await assert.rejects(put('x', { onConflict: 'merge', ifMatch: '*' }), refusal('precondition_required'))
    await put('<p>newer</p>')
    for (const tag of ['f'.repeat(40), 'W', git(parts.gitdir(), 'rev-list', '--max-parents=0', 'main')])
      await assert.rejects(merge('x', tag), refusal('precondition_failed'), tag)
    await assert.rejects(put('x', { onConflict: 'merge', ifMatch: [base, 'W'] }), refusal('precondition_failed'))
    assert.equal(await live(), '<p>newer</p>')
  })

  it('says that the page was unpublished meanwhile', async () => {
    await unpublishPage(parts.call(), { id })
    await assert.rejects(merge('x', base), refusal('page_unpublished'))
  })

  it('writes only where the key may write', async () => {
    await put(change('one', 'by Grace'))
    const context = parts.context()
    const limited = { ...context, principal: { ...context.principal, paths: ['/other'] } }
    const input = { id, html: change('four', 'by Ada'), ifMatch: [base], onConflict: 'merge' } as const
    await assert.rejects(replaceContent({ ...parts.services, ...limited }, input), refusal('path_not_allowed'))
  })
})
