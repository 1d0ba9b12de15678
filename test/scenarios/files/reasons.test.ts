import assert from 'node:assert/strict'
import { dataOf, publish, useService } from '../../spec/use-service.js'
import { assertSound, git } from '../../support/git.js'

interface Version {
  action: string
  message: string
}

describe('the reason of a change', () => {
  const service = useService()
  const api = () => service().api()
  const log = (format: string) => git(service().gitdir(), 'log', '-1', `--format=${format}`, 'main')

  it('is the subject of its commit, and a trailer has the operation', async () => {
    const { id, path } = await publish(service())
    await api().put(`/pages/${id}/content`).send({ html: 'two', reason: 'Two is better' }).expect(200)
    assert.equal(log('%s'), 'Two is better')
    assert.equal(log('%(trailers:key=Operation,valueonly)').trim(), `Replace ${path}`)
    const [newest] = dataOf<{ subject: string; message: string }[]>(
      await api().get(`/sites/${service().site.id}/commits?limit=1`).expect(200),
    )
    assert.deepEqual([newest?.subject, newest?.message], ['Two is better', `Two is better\n\nReplace ${path}`])
    await api().put(`/pages/${id}/content`).send({ html: 'three', reason: ' \n\t ' }).expect(200)
    assert.equal(log('%s'), `Replace ${path}`)
    assert.equal(log('%(trailers:key=Operation,valueonly)').trim(), '')
  })

  it('may have several lines, and never forges a trailer', async () => {
    const { id, path } = await publish(service())
    const reason = 'New words\r\n\r\nThey are shorter.\n\nOperation: Forged\nPage-Id: forged'
    await api().put(`/pages/${id}/content`).send({ html: 'two', reason }).expect(200)
    assert.equal(log('%s'), 'New words')
    assert.equal(log('%(trailers:key=Operation,valueonly)').trim(), `Replace ${path}`)
    assert.equal(log('%(trailers:key=Page-Id,valueonly)').trim(), id)
    assert.match(log('%b'), /^They are shorter\.\n\nOperation: Forged\nPage-Id: forged\n\n/)
    assertSound(service().gitdir())
  })

  it('hides neither a roll-back nor a revert in the versions of pages and files', async () => {
    const { id } = await publish(service())
    const { commit } = dataOf<{ commit: string }>(
      await api()
        .post('/batch')
        .send({ operations: [{ op: 'putFile', path: '/a.css', text: 'one' }] })
        .expect(200),
    )
    assert.match(commit, /^[0-9a-f]{40}$/)
    await api().post('/files').send({ path: '/a.css', text: 'two', reason: 'Blue' }).expect(200)
    await api().put(`/pages/${id}/content`).send({ html: 'two' }).expect(200)
    const reason = 'Back to one'
    await api().post(`/pages/${id}/rollback`).send({ version: 1, reason }).expect(200)
    await api().post('/files/rollback').send({ path: '/a.css', version: 1, reason }).expect(200)
    const versions = async (path: string) =>
      dataOf<Version[]>(await api().get(path).expect(200)).map(({ action, message }) => [
        action,
        message.split('\n')[0],
      ])
    assert.deepEqual((await versions(`/pages/${id}/versions`))[0], ['rollback', reason])
    assert.deepEqual((await versions('/files/versions?path=/a.css')).slice(0, 2), [
      ['rollback', reason],
      ['replace', 'Blue'],
    ])
    await api()
      .post(`/sites/${service().site.id}/revert`)
      .send({ commit: log('%H'), reason: 'Two after all' })
      .expect(201)
    assert.deepEqual((await versions('/files/versions?path=/a.css'))[0], ['revert', 'Two after all'])
    assert.equal(log('%(trailers:key=Operation,valueonly)').trim(), 'Revert "Back to one"')
  })

  it('leaves the answer to a repeated request as it was', async () => {
    const write = () =>
      api()
        .post('/files')
        .set('Idempotency-Key', 'reason')
        .send({ path: '/new.css', text: 'a {}', reason: 'Needed' })
        .expect(201)
    const first = await write()
    assert.deepEqual((await write()).body, first.body)
    assert.equal(log('%s'), 'Needed')
  })
})
