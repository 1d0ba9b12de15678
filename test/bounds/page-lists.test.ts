import assert from 'node:assert/strict'
import { useIndex } from '../index/open-test-index.js'
import { SiteHistory } from '../index/site-history.js'
import { processorMs } from '../tasks/analysis/processor-time.js'

describe('a list of pages', () => {
  const openIndex = useIndex()

  function indexOf(...treePaths: string[]) {
    const opened = openIndex()
    const history = new SiteHistory()
    history.commit({ files: Object.fromEntries(treePaths.map((path) => [path, `<title>Title of ${path}</title>`])) })
    opened.catchUp(history)
    return { ...opened, history }
  }

  it('is not read completely for one path or one slice', () => {
    const { index } = indexOf(...Array.from({ length: 5_000 }, (_, number) => `${number}.html`))
    const took = processorMs(() => {
      for (let number = 0; number < 500; number += 1) {
        assert.equal(index.pages.findByPath(`/${number}`)?.path, `/${number}`)
        assert.equal(index.pages.list({ limit: 1, path: `/${number}` }).rows.length, 1)
        assert.equal(index.pages.list({ limit: 1, status: 'all', prefix: `/${number}` }).rows.length, 1)
      }
    })
    assert.ok(took < 1500, `${took} ms`)
  })
})
