import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

interface Step {
  name: string
  script: string
  inputs: readonly string[]
  outputs: readonly string[]
}
type RunSteps = (
  steps: readonly Step[],
  options: { root: string; stampFile: string; print: (text: string) => void },
) => boolean

/** Doubles the text of a file, or stops in the middle of that. */
const DOUBLE = `import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
const text = readFileSync('source/text', 'utf8')
mkdirSync('made', { recursive: true })
writeFileSync('made/first', text)
if (text === 'bad') throw new Error('it stops in the middle')
writeFileSync('made/second', text + text)
`
/** Adds a full stop to what the step before it made. */
const END = `import { readFileSync, writeFileSync } from 'node:fs'
writeFileSync('ended', readFileSync('made/second', 'utf8') + '.')
`
const STEPS: readonly Step[] = [
  { name: 'double', script: 'double.mjs', inputs: ['source', 'double.mjs'], outputs: ['made'] },
  { name: 'end', script: 'end.mjs', inputs: ['source/text', 'end.mjs'], outputs: ['ended'] },
]

describe('the build', () => {
  let root: string
  let runSteps: RunSteps

  before(async () => {
    const url = pathToFileURL(resolve('scripts/build/run-steps.js')).href
    ;({ runSteps } = (await import(url)) as { runSteps: RunSteps })
  })
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'palimpsest-build-'))
    mkdirSync(join(root, 'source'))
    write('source/text', 'one')
    write('double.mjs', DOUBLE)
    write('end.mjs', END)
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  const write = (name: string, text: string) => writeFileSync(join(root, name), text)
  const made = () => readFileSync(join(root, 'ended'), 'utf8')

  /** Builds, and returns the printed text with `N s` for each time, and the first line of a script's own output. */
  function build(): { succeeded: boolean; printed: string } {
    let printed = ''
    const succeeded = runSteps(STEPS, { root, stampFile: 'made.json', print: (text) => (printed += text) })
    return { succeeded, printed: printed.replaceAll(/\d+\.\d s/g, 'N s') }
  }

  it('reports each step and its duration, and the second time that there is nothing to do', () => {
    assert.deepEqual(build(), { succeeded: true, printed: '[1/2] double… N s\n[2/2] end… N s\n' })
    assert.equal(made(), 'oneone.')
    assert.deepEqual(build(), { succeeded: true, printed: 'The build is up to date.\n' })
  })

  it('decides by the content of files, not by their times', () => {
    build()
    utimesSync(join(root, 'source/text'), new Date(), new Date())
    write('end.mjs', END)
    assert.equal(build().printed, 'The build is up to date.\n')
  })

  it('rebuilds only what a changed, new or removed file affects', () => {
    build()
    write('end.mjs', END.replace("'.'", "'!'"))
    assert.equal(build().printed, '1 of 2 steps are up to date.\n[2/2] end… N s\n')
    assert.equal(made(), 'oneone!')
    write('source/more', '')
    assert.match(build().printed, /^1 of 2 .*\n\[1\/2\] double/)
    rmSync(join(root, 'source/more'))
    assert.match(build().printed, /^1 of 2 .*\n\[1\/2\] double/)
    write('source/text', 'two')
    assert.equal(build().printed, '[1/2] double… N s\n[2/2] end… N s\n')
    assert.equal(made(), 'twotwo!')
  })

  it('rebuilds outputs that are lost or were changed by another program', () => {
    build()
    rmSync(join(root, 'made/second'))
    assert.match(build().printed, /double/)
    write('ended', 'by hand')
    assert.match(build().printed, /end/)
    assert.equal(made(), 'oneone.')
  })

  it('stops at a step that fails, shows its output, and never treats its leftovers as complete', () => {
    build()
    write('source/text', 'bad')
    const { succeeded, printed } = build()
    assert.equal(succeeded, false)
    assert.match(printed, /^\[1\/2\] double… failed after N s\n[^]*it stops in the middle/)
    assert.doesNotMatch(printed, /end/)
    // Restores the old source: the output there is half of the bad one.
    write('source/text', 'one')
    assert.match(build().printed, /^1 of 2 .*\n\[1\/2\] double… N s\n$/)
    assert.equal(readFileSync(join(root, 'made/first'), 'utf8'), 'one')
    assert.equal(build().printed, 'The build is up to date.\n')
  })

  it('starts over if its notes cannot be read', () => {
    build()
    write('made.json', '{"double":')
    assert.equal(build().printed, '[1/2] double… N s\n[2/2] end… N s\n')
  })
})
