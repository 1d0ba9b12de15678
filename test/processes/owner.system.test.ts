// Only root can act as other users.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareDataDir } from '../../src/processes/data-dir.js'
import { runPalimpsest } from '../scenarios/serve-process.js'

const OTHER_UID = 65_534

describe('the data directory', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-owner-'))
    chmodSync(folder, 0o755)
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('is readable by DATA_GROUP, including older files, and by no other user', () => {
    const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8)
    mkdirSync(join(folder, 'demo.git'))
    writeFileSync(join(folder, 'demo.git', 'config'), 'x')
    const gid = Number(/^daemon:[^:]*:(\d+)/m.exec(readFileSync('/etc/group', 'utf8'))?.[1])
    prepareDataDir({ dataDir: folder, dataGroup: 'daemon' }, { warn: () => undefined })
    for (const path of [folder, join(folder, 'demo.git')]) assert.equal(modeOf(path), '2750')
    assert.equal(modeOf(join(folder, 'demo.git', 'config')), '640')
    assert.equal(statSync(join(folder, 'demo.git', 'config')).gid, gid)
    const read = (group: number) =>
      execFileSync('cat', [join(folder, 'demo.git', 'config')], { uid: OTHER_UID, gid: group, stdio: 'pipe' })
    assert.equal(read(gid).toString(), 'x')
    assert.throws(() => read(OTHER_UID), /Permission denied/)
  })

  it('is refused by every command, with advice, if another user owns it', async () => {
    chownSync(folder, OTHER_UID, OTHER_UID)
    for (const command of [
      ['keys', 'list'],
      ['sites', 'create', 'x'],
      ['restore', join(folder, '..', 'backup')],
      ['serve'],
    ]) {
      const { code, stderr } = await runPalimpsest({ DATA_DIR: folder }, ...command)
      assert.equal(code, 1)
      assert.match(stderr, /Run it as that user: sudo -u '#65534'/, command.join(' '))
    }
    assert.ok(!existsSync(join(folder, 'catalog.db')))
  })
})
