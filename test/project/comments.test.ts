// A comment begins with a verb or with the name of its subject: a stranger then knows at once what it is about.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDERS = ['src', 'schemas', 'test', 'bench', 'dashboard', 'scripts']
const CODE = /\.(?:tsx?|js|sh|css)$/
/** The first line of a comment: a line before it may end the sentence of another comment. */
const COMMENT = /^\s*(?:\/\/|\/\*\*?|#) (\w+)/
const OBSCURE = new Set(['What', 'Of', 'Who', 'Whoever', 'Whose'])

describe('the comments', () => {
  it('begin with no word that hides their subject', () => {
    const found = FOLDERS.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => CODE.test(name) && !name.includes('node_modules'))
        .flatMap((name) => obscureLinesOf(join(folder, name))),
    )
    assert.deepEqual(found, [])
  })
})

function obscureLinesOf(file: string): string[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.flatMap((line, at) => {
    const [, word = ''] = COMMENT.exec(line) ?? []
    return OBSCURE.has(word) ? [`${file}:${at + 1} ${line.trim()}`] : []
  })
}
