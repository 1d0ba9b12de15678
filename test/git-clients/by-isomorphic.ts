// Works with a site as isomorphic-git does: clone, fetch, shallow, push, tag. A process of its own, since Node takes certificates only
// at its start (NODE_EXTRA_CA_CERTS). Prints a line for each: its name and "ok", or what went wrong. Arguments: the URL with the
// key, the folder for clones, the name of the page.

import fs from 'node:fs'
import { join } from 'node:path'
import * as git from 'isomorphic-git'
import http from 'isomorphic-git/http/node'

const [address = '', folder = '', name = ''] = process.argv.slice(2)
const url = new URL(address)
const { password } = url
url.username = url.password = ''
const remote = { fs, http, url: url.href, onAuth: () => ({ username: 'any', password }) }
const author = { name: 'Ida Isomorphic', email: 'ida@example.org' }
const whole = join(folder, 'whole')

async function attempt(step: string, work: () => Promise<void>): Promise<void> {
  const outcome = await work().then(
    () => 'ok',
    (error: unknown) => String(error).replaceAll(/\s+/g, ' '),
  )
  console.log(`${step} ${outcome}`)
}

async function pushed(ref: string): Promise<void> {
  const { ok, refs } = await git.push({ ...remote, dir: whole, ref, remoteRef: ref })
  if (!ok) throw new Error(JSON.stringify(refs))
}

await attempt('clone', async () => {
  for (const dir of [whole, join(folder, 'behind')]) await git.clone({ ...remote, dir })
})
await attempt('push', async () => {
  fs.writeFileSync(join(whole, `${name}.html`), `<p>by ${name}`)
  await git.add({ fs, dir: whole, filepath: `${name}.html` })
  await git.commit({ fs, dir: whole, message: 'Add a page', author })
  await pushed('refs/heads/main')
})
await attempt('fetch', async () => {
  const dir = join(folder, 'behind')
  await git.fetch({ ...remote, dir, ref: 'main' })
  await git.readCommit({ fs, dir, oid: await git.resolveRef({ fs, dir: whole, ref: 'main' }) })
})
await attempt('shallow', async () => {
  const dir = join(folder, 'shallow')
  await git.clone({ ...remote, dir, depth: 1 })
  if (!fs.existsSync(join(dir, '.git', 'shallow'))) throw new Error('it is not shallow')
})
await attempt('tag', async () => {
  await git.annotatedTag({ fs, dir: whole, ref: name, message: 'Tag', tagger: author })
  await pushed(`refs/tags/${name}`)
})
console.log('partial none\noptions none')
