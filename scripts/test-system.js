// `npm run test:system [-- name…]`: runs the named parts of the tests, or all, one after the other, and prints the result of each. The
// exit code is 1 if a part failed, 2 for an unknown name.
// `npm run test:system -- bounds sites -- --grep pages`: words after a second `--` are passed to each part.

import { PARTS, runPart } from './tests/parts.js'

const words = process.argv.slice(2)
const end = words.includes('--') ? words.indexOf('--') : words.length
const names = words.slice(0, end)
const unknown = names.filter((name) => !Object.hasOwn(PARTS, name))
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}; there are ${Object.keys(PARTS).join(', ')}.`)
  process.exitCode = 2
} else runAll(names.length > 0 ? names : Object.keys(PARTS), words.slice(end + 1))

function runAll(chosen, others) {
  const summary = []
  for (const name of chosen) {
    console.log(`--- ${name}`)
    const start = performance.now()
    const code = runPart(PARTS[name], others)
    if (code !== 0) process.exitCode = 1
    summary.push(
      `${name} ${code === 0 ? 'passed' : 'FAILED'} after ${Math.round((performance.now() - start) / 1000)} s`,
    )
  }
  console.log(summary.join('\n'))
}
