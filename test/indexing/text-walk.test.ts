import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { siteFileOf } from '../../src/index/tables/site-file.js'
import { followText, useIndex } from '../index/open-test-index.js'
import { SITE, SiteHistory } from '../index/site-history.js'

describe('the walk that brings a text to its index', () => {
  const openIndex = useIndex()

  it('answers the position that the text has reached, also for a damaged file', () => {
    const opened = openIndex()
    const history = new SiteHistory()
    history.commit({ files: { 'one.html': 'one' } })
    history.commit({ files: { 'two.html': 'two' } })
    opened.catchUp(history)
    assert.equal(followText(opened), 2)
    writeFileSync(siteFileOf(opened.folder, SITE, 'text').path, 'this is no database')
    assert.equal(followText(opened), 2)
  })

  it('answers 0, and does not change the file, if the index describes no commit', () => {
    const opened = openIndex()
    const history = new SiteHistory()
    history.commit({ files: { 'one.html': 'one' } })
    opened.catchUp(history)
    opened.index.forget()
    const path = siteFileOf(opened.folder, SITE, 'text').path
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, 'this is no database')
    assert.equal(followText(opened), 0)
    assert.equal(readFileSync(path, 'utf8'), 'this is no database')
  })
})
