// The road for a server, walked line by line in namespaces of its own: files, users, ports and processes of this machine stay as they are.

import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../serve-process.js'
import { PROJECT } from './newcomer.js'
import { STAND_INS } from './stand-ins.js'

const NAMESPACES = ['--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc', '--propagation', 'private']

describe('the road for a server', () => {
  let folder: string

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-server-road-'))
    mkdirSync(join(folder, 'bin'))
    for (const [name, text] of Object.entries(STAND_INS))
      writeFileSync(join(folder, 'bin', name), text, { mode: 0o755 })
    for (const name of ['deploy', 'package.json'])
      cpSync(join(PROJECT, name), join(folder, 'repository', name), { recursive: true })
    const commit = 'git init -q && git add . && git -c user.name=A -c user.email=a@example.org commit -qm Sources'
    assert.equal((await run('sh', ['-c', commit], { cwd: join(folder, 'repository') })).code, 0)
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('leads to a service behind Caddy, to a backup, an upgrade, and another machine', async () => {
    const { code, stdout, stderr } = await walk(
      ...blocksOn('docs/guides/server.md', 'sh on-a-server'),
      // The other machine has the backup, and nothing else.
      'systemctl stop palimpsest && rm -r /var/lib/palimpsest',
      ...blocksOn('docs/backup.md', 'sh').filter((block) => block.includes('--resume-mirrors')),
      'systemctl start palimpsest',
      'curl --silent --fail "https://demo.$SITES/" && cat /etc/cron.d/palimpsest && ls -l /etc/ssl/palimpsest',
    )
    assert.equal(code, 0, `${stdout}\n${stderr}`)
    assert.match(stdout, /^https:\/\/pages\.example\/sign-in#/m)
    assert.match(stdout, /HTTP\/2 200/)
    assert.match(stdout, /<h1/)
    assert.match(stdout, /^-rw-r----- 1 root caddy .* key\.pem$/m)
  })

  /** Runs the blocks in one shell, until the first command that fails. */
  async function walk(...blocks: string[]) {
    writeFileSync(join(folder, 'road'), blocks.join('\n'))
    writeFileSync(join(folder, 'walk'), asServer(folder))
    return await run('unshare', [...NAMESPACES, 'bash', '-e', join(folder, 'walk')])
  }
})

/** Makes a server of the namespaces, and walks. What is written goes to memory. */
function asServer(folder: string): string {
  return `
mount -t tmpfs tmpfs /mnt
for name in etc opt usr var run; do
  mkdir -p /mnt/$name/upper /mnt/$name/work
  mount -t overlay overlay -o lowerdir=/$name,upperdir=/mnt/$name/upper,workdir=/mnt/$name/work /$name
done
mkdir -p /mnt/built/dist /mnt/built/node_modules /etc/letsencrypt /etc/cron.d /opt
mount --bind '${join(PROJECT, 'dist')}' /mnt/built/dist
mount --bind '${join(PROJECT, 'node_modules')}' /mnt/built/node_modules
cp '${join(PROJECT, 'package.json')}' /mnt/built/
[ -x /usr/bin/node ] || ln -s '${process.execPath}' /usr/bin/node
ip link set lo up
echo '127.0.0.1 pages.example demo.sites.test' >>/etc/hosts
export PATH='${folder}/bin':/usr/local/sbin:$PATH HOME='${folder}' USER=root REPOSITORY='${folder}/repository'
export CURL_CA_BUNDLE=/etc/letsencrypt/live/palimpsest/fullchain.pem
bash -e '${folder}/road'
`
}

function blocksOn(document: string, fence: string): string[] {
  const text = readFileSync(join(PROJECT, document), 'utf8')
  const blocks = text.matchAll(new RegExp(`^ *\`\`\`${fence}\\n(.*?)^ *\`\`\`$`, 'gms'))
  return Array.from(blocks, ([, block = '']) => block)
}
