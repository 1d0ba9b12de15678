import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { assertSound } from '../../support/git.js'
import { withSite } from '../scratch-repository.js'

const SCRIPT = fileURLToPath(new URL('./publish-many.js', import.meta.url))
const CALLS = 'trace=link,linkat,rename,renameat,renameat2,unlink,unlinkat,fsync,fdatasync'

/** The calls a publisher makes on the disk, in order, each as `call kind-of-file`; a rename by where it goes. */
function traceCalls(gitdir: string, publishes: number): string[] {
  const log = join(gitdir, '..', 'strace.log')
  const args = ['-f', '-qq', '-y', '-s', '400', '-e', CALLS, '-e', 'signal=none', '-o', log]
  const { status, stderr } = spawnSync('strace', [...args, process.execPath, SCRIPT, gitdir, 'x', `${publishes}`])
  assert.equal(status, 0, stderr.toString())
  return readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line.includes(gitdir) && !line.includes('= -1'))
    .map((line) => `${/ (\w+)\(/.exec(line)?.[1]} ${kindOf(line.slice(line.lastIndexOf(gitdir) + gitdir.length))}`)
}

/** Returns `line` from the last path on, with the kind of file in place of its name. */
function kindOf(line: string): string {
  const path = /^[^">]*/.exec(line)?.[0] ?? ''
  return path
    .replace(/^\//, '')
    .replace(/pack-[0-9a-f]{40}/, 'pack-X')
    .replace(/(pack|ref)-[\d.a-f]+-\d+-\d+/, '$1-tmp')
}

const isOfOldRef = (call: string) => call === 'unlink palimpsest/ref-tmp'

describe('a publish', () => {
  it("calls the disk in the design's order, and not once more", () => {
    withSite({ 'index.html': 'hello' }, (gitdir) => {
      const calls = traceCalls(gitdir, 2)
      // Another thread removes the old files of the ref, at any moment.
      const [aside, own] = [calls.filter(isOfOldRef), calls.filter((call) => !isOfOldRef(call))]
      assert.equal(aside.length, 2)
      // The first one also makes this process's mark; the second is what every later one is.
      const second = own.slice(own.lastIndexOf('link objects/pack/pack-X.keep'))
      assert.deepEqual(second, [
        'link objects/pack/pack-X.keep',
        'fsync palimpsest/pack-tmp.pack',
        'fsync palimpsest/pack-tmp.idx',
        'rename objects/pack/pack-X.pack',
        'rename objects/pack/pack-X.idx',
        'fsync objects/pack',
        'link refs/heads/main.lock',
        'fsync palimpsest/ref-tmp',
        'link palimpsest/ref-tmp',
        'rename refs/heads/main',
        'fsync refs/heads',
        'unlink refs/heads/main.lock',
        'unlink objects/pack/pack-X.keep',
      ])
      const left = readdirSync(join(gitdir, 'palimpsest')).filter((name) => !name.startsWith('mark-'))
      assert.deepEqual(left, ['pushers'])
      assertSound(gitdir)
    })
  })
})
