// `npm test`: runs mocha on the built tests. Files and folders are named by their paths in the source tree. Without a name, it runs all
// tests that belong to no part. `--node` runs the tests that depend on Node itself.
// `npm test -- test/git/disk test/spec/3-states.test.ts --grep refuses`: options of mocha may stand anywhere.

import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { NODE_TESTS } from './tests/node-tests.js'
import { runOthers, runTests } from './tests/parts.js'

const NODE_OPTION = '--node'
const root = fileURLToPath(new URL('..', import.meta.url))

const words = process.argv.slice(2)
const paths = words.map(testPath)
const options = words.filter((word, index) => paths[index] === undefined && word !== NODE_OPTION)
const named = paths.filter((path) => path !== undefined)
const lost = named.find((path) => !existsSync(join(root, path)))
if (lost !== undefined) {
  console.error(`${lost} does not exist.`)
  process.exitCode = 2
} else if (named.length > 0) process.exitCode = runTests(options, named)
else if (words.includes(NODE_OPTION)) process.exitCode = runTests(options, NODE_TESTS)
else process.exitCode = runOthers(options, ['test'])

/** Returns the path below the project's root that a word names, relative to npm's folder; undefined if the word is an option. */
function testPath(word) {
  const path = relative(root, resolve(process.env.INIT_CWD ?? '.', word))
  return /^test(?:\/|$)/.test(path) && (path.endsWith('.test.ts') || existsSync(join(root, path))) ? path : undefined
}
