// The work of an author and a record keeper that calls every tool of the table.

import assert from 'node:assert/strict'

interface Thing {
  id: string
  etag: string
  path: string
  html: string
  changed?: false
}
interface List<T> {
  data: T[]
  nextCursor: string | null
}

/** Calls a tool, which must succeed, and returns its data. */
export type Call = <T>(name: string, given: Record<string, unknown>) => Promise<T>

/** Does an author's and a record keeper's work, with the required result of each call. */
export async function useEveryTool(call: Call): Promise<void> {
  const [workspace] = (await call<List<{ id: string; defaultSiteId: string }>>('list_workspaces', {})).data
  const target = { accountId: workspace?.id, siteId: workspace?.defaultSiteId }
  const sites = await call<List<Thing>>('list_sites', { accountId: workspace?.id })
  assert.equal(sites.data[0]?.id, workspace?.defaultSiteId)
  const usage = await call<{ pages: { quota: number | null } }>('get_usage', { accountId: workspace?.id })
  assert.equal(usage.pages.quota, null)

  const path = `/tools-${Date.now()}`
  const made = await call<Thing>('create_page', { ...target, path, html: '<p>one</p>', title: 'One' })
  const found = await call<List<Thing>>('list_pages', { ...target, prefix: path })
  assert.deepEqual(
    found.data.map(({ id }) => id),
    [made.id],
  )
  const said = await call<List<Thing>>('search_pages', { ...target, q: 'one', prefix: path })
  assert.deepEqual(
    said.data.map((hit) => hit.path),
    [path],
  )
  const linking = `/linking${path}`
  await call('create_page', { ...target, path: linking, html: `<a href="${path}">x</a>` })
  const links = await call<List<Thing>>('list_backlinks', { ...target, id: path })
  assert.deepEqual(
    links.data.map((link) => link.path),
    [linking],
  )
  const read = await call<Thing>('get_page', { ...target, id: made.id })
  assert.deepEqual([read.html, read.etag], ['<p>one</p>', made.etag])
  const second = await call<Thing>('update_page', { ...target, id: made.id, html: '<p>two</p>', ifMatch: read.etag })
  const edits = [{ find: 'two', replace: 'three' }]
  const third = await call<Thing>('edit_page', { ...target, id: made.id, edits, ifMatch: second.etag })
  const versions = await call<List<{ number: number }>>('list_versions', { ...target, id: made.id })
  assert.deepEqual(
    versions.data.map(({ number }) => number),
    [3, 2, 1],
  )
  const { unified } = await call<{ unified: string }>('diff_versions', { ...target, id: made.id, from: '1' })
  assert.match(unified, /-<p>one<\/p>[^]*\+<p>three<\/p>/)
  const first = await call<Thing>('rollback_page', { ...target, id: made.id, version: 1, ifMatch: third.etag })
  assert.equal((await call<Thing>('get_page', { ...target, id: made.id })).html, '<p>one</p>')
  await call('delete_page', { ...target, id: made.id, ifMatch: first.etag.replaceAll('"', '') })
  const gone = await call<List<Thing>>('list_pages', { ...target, prefix: path })
  assert.deepEqual(gone.data, [])

  const named = await call<Thing>('create_page', { ...target, path: `${path}/named`, html: '<title>Alpha</title>' })
  const { etag } = await call<Thing>('update_page', { ...target, id: named.id, html: '<title>Beta</title>' })
  const renamed = await call<List<Thing>>('list_pages', { ...target, prefix: path, q: 'beta' })
  assert.deepEqual(
    renamed.data.map(({ id }) => id),
    [named.id],
  )
  await call('delete_page', { ...target, id: named.id, ifMatch: etag })

  const schema = { type: 'object', properties: { title: { type: 'string' }, year: { type: 'integer' } } }
  const books = await call<Thing>('create_collection', { ...target, name: path, schema })
  const collections = await call<List<Thing>>('list_collections', { ...target })
  assert.ok(collections.data.some(({ id }) => id === books.id))
  const data = { title: 'Vertigo', year: 1990 }
  const book = await call<Thing>('create_record', { ...target, id: books.id, data })
  await call('create_record', { ...target, id: books.id, data: { title: 'Austerlitz', year: 2001 } })
  const old = await call<List<Thing>>('list_records', { ...target, id: books.id, filter: { year: { lt: 2000 } } })
  assert.deepEqual(
    old.data.map(({ id }) => id),
    [book.id],
  )
  const searched = await call<List<Thing>>('search_records', { ...target, id: books.id, q: 'vertigo' })
  assert.deepEqual(
    searched.data.map(({ id }) => id),
    [book.id],
  )
  const record = { ...target, id: books.id, recordId: book.id }
  assert.deepEqual((await call<{ data: object }>('get_record', record)).data, data)
  const changed = await call<Thing>('update_record', {
    ...record,
    data: { title: 'Vertigo', year: 1999 },
    ifMatch: book.etag,
  })
  await call('delete_record', { ...record, ifMatch: changed.etag })
  const left = await call<List<Thing>>('list_records', { ...target, id: books.id, limit: 10 })
  assert.equal(left.data.length, 1)

  const original = await call<{ html: string }>('get_version', { ...target, id: named.id, version: '1' })
  assert.equal(original.html, '<title>Alpha</title>')
  await call('withdraw_version', { ...target, id: named.id, version: '1' })
  const back = await call<Thing>('create_page', { ...target, path: `${path}/named`, html: '<title>Gamma</title>' })
  assert.equal(back.id, named.id)
  const titled = await call<Thing & { title: string }>('retitle_page', { ...target, id: named.id, title: null })
  assert.equal(titled.title, 'Gamma')
  assert.ok((await call<List<Thing>>('list_templates', { ...target })).data.some(({ id }) => id === 'blank'))

  const operations = ['a', 'b'].map((name) => ({ op: 'putPage', path: `${path}/${name}`, html: name }))
  const shown = await call<{ commit: null }>('batch', { ...target, operations, dryRun: true })
  assert.equal(shown.commit, null)
  const { commit } = await call<{ commit: string }>('batch', { ...target, operations, idempotencyKey: path })
  assert.equal(
    (await call<{ commit: string }>('batch', { ...target, operations, idempotencyKey: path })).commit,
    commit,
  )
  const mine = await call<List<{ id: string; mine: boolean }>>('list_commits', { siteId: target.siteId, author: 'me' })
  assert.deepEqual([mine.data[0]?.id, mine.data[0]?.mine], [commit, true])
  const everywhere = [{ find: 'a', replace: 'z', occurrences: 'all' }]
  const pages = ['a', 'b'].map((name) => `${path}/${name}`)
  const { count } = await call<{ count: number }>('edit_pages', { ...target, pages, edits: everywhere, dryRun: true })
  assert.equal(count, 1)
  const many = await call<{ commit: string }>('edit_pages', {
    ...target,
    pages,
    edits: [{ pattern: '^.', replace: '$&!' }],
  })
  const { fileCount } = await call<{ fileCount: number }>('get_commit', { oid: commit })
  assert.equal(fileCount, 4)
  const undone = await call<{ changed: boolean; undone: object[] }>('revert_commits', {
    ...target,
    commits: [commit, many.commit],
  })
  assert.deepEqual([undone.changed, undone.undone.length], [true, 2])
  const nothing = await call<{ changed: boolean }>('undo_my_changes', { ...target, since: '2999-01-01T00:00:00Z' })
  assert.equal(nothing.changed, false)
  assert.equal((await call<{ complete: boolean }>('check_site', {})).complete, true)

  const file = await call<{ path: string; oid: string }>('put_file', { ...target, path: `${path}.css`, text: 'a{}' })
  const files = await call<List<{ oid: string }>>('list_files', { ...target, prefix: file.path })
  assert.deepEqual(
    files.data.map(({ oid }) => oid),
    [file.oid],
  )
  const styled = { ...target, path: file.path, edits: [{ find: 'a{', replace: 'b{' }], ifMatch: file.oid }
  const changedFile = await call<{ oid: string; replaced: { size: number } }>('edit_file', styled)
  assert.equal(changedFile.replaced.size, 3)
  const styles = await call<{ content: string; oid: string }>('get_file', { ...target, path: file.path })
  assert.deepEqual([styles.content, styles.oid], ['b{}', changedFile.oid])
  await call('delete_file', { ...target, path: file.path, ifMatch: styles.oid })

  const draft = { ...target, path: `${path}/proposed`, html: '<p>proposed</p>', changeRequest: 'new' }
  const { changeRequest } = await call<{ changeRequest: { id: string; number: number } }>('create_page', draft)
  const proposed = { ...target, id: draft.path, changeRequest: changeRequest.id }
  assert.equal((await call<Thing>('get_page', proposed)).html, draft.html)
  const own = await call<List<Thing>>('list_change_requests', { ...target, author: 'me' })
  assert.ok(own.data.some(({ id }) => id === changeRequest.id))
  const numbered = { ...target, id: String(changeRequest.number) }
  assert.equal((await call<Thing>('get_change_request', numbered)).id, changeRequest.id)
  const comment = await call<Thing>('comment_change_request', { ...numbered, text: 'Why?', path: draft.path })
  await call('comment_change_request', { ...numbered, text: 'So.', inReplyTo: comment.id, resolve: true })
  assert.equal((await call<{ changed: boolean }>('update_change_request', numbered)).changed, false)
  const trial = await call<{ commit: null }>('publish_change_request', { ...numbered, dryRun: true })
  assert.equal(trial.commit, null)
  const ended = await call<{ state: string }>('edit_change_request', { ...numbered, state: 'closed' })
  assert.equal(ended.state, 'closed')

  await call('update_collection', { ...target, id: books.id, name: `${path} again`, schema })
  await call('delete_collection', { ...target, id: `${path} again` })
  assert.deepEqual((await call<{ scopes: string[] }>('get_me', {})).scopes, ['read', 'write', 'admin'])
  assert.match((await call<{ url: string }>('create_site', { slug: `tools-${Date.now()}` })).url, /^http:/)
}
