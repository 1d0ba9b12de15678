import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isOfAnotherProcess, PROCESS_TAG } from '../../../src/git/disk/process-tag.js'
import { withFolder } from '../scratch-repository.js'
import { until } from '../../support/within.js'

const [pid, start, boot, namespace] = PROCESS_TAG.split('.')
const ELSEWHERE = `1.1.${boot}.${Number(namespace) + 1}`

describe('a file with the tag of a process', () => {
  const isOfAnother = (tag: string): boolean =>
    withFolder((folder) => {
      const path = join(folder, 'file')
      writeFileSync(path, tag)
      return isOfAnotherProcess(tag, path)
    })

  it('has no owner if its process has ended, or ran before the boot', () => {
    assert.equal(isOfAnother(`${pid}.1.${boot}.${namespace}`), false)
    assert.equal(isOfAnother(`${pid}.${start}.0.${namespace}`), false)
    assert.equal(isOfAnother('not a tag'), false)
  })

  it('belongs to a running process, with and without a PID namespace in the tag', () => {
    const parent = process.ppid
    const stat = execFileSync('cat', [`/proc/${parent}/stat`], { encoding: 'latin1' })
    const since = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    assert.equal(isOfAnother(`${parent}.${since}.${boot}.${namespace}`), true)
    assert.equal(isOfAnother(`${parent}.${since}.${boot}`), true)
  })

  it('counts as abandoned in another PID namespace only after it was unchanged for a while', async () => {
    assert.equal(isOfAnother(ELSEWHERE), true)
    await withFolder(async (folder) => {
      const path = join(folder, 'file')
      writeFileSync(path, ELSEWHERE)
      await until(
        () => isOfAnotherProcess(ELSEWHERE, path, 20),
        (isOthers) => !isOthers,
      )
    })
  })
})
