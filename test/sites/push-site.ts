// Pushes a site's files to a second site, and compares its answers with those of the published one, at every URL of every file.

import { copyFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { LocalFile } from '../../src/protocols/client/node/folder.js'
import { doSideBySide } from '../../src/protocols/client/side-by-side.js'
import { git } from '../support/git.js'
import type { Ground } from './program.js'
import { Visitor } from './visitor.js'

/** Links are pushed as the files that they lead to, which is what a folder's publish sends. */
export async function pushSite(
  { service, key, folder }: Omit<Ground, 'browser'>,
  slug: string,
  files: readonly LocalFile[],
): Promise<void> {
  await service.api(key).post('/sites').send({ slug }).expect(201)
  git(folder, 'clone', '--quiet', `http://git:${key}@localhost:${service.port}/git/${slug}.git`, 'pushed')
  const clone = join(folder, 'pushed')
  for (const { name, file } of files) {
    mkdirSync(dirname(join(clone, name)), { recursive: true })
    copyFileSync(file, join(clone, name))
  }
  git(clone, 'add', '--all', '--force')
  git(clone, 'commit', '--quiet', '--message', 'Build')
  git(clone, 'push', '--quiet', 'origin', 'HEAD:main')
}

export interface Compared {
  urls: number
  /** URLs whose answers differ, in a line each. */
  faults: string[]
}

/** Asks both sites for what the URLs of each file and each folder could be. */
export async function compareSites(
  port: number,
  slugs: readonly [string, string],
  files: readonly LocalFile[],
): Promise<Compared> {
  const [one, other] = slugs.map((slug) => new Visitor(port, slug)) as [Visitor, Visitor]
  const urls = new Set(files.flatMap(({ name }) => urlsOf(name)))
  const faults: string[] = []
  await doSideBySide([...urls], async (url) => {
    const [here, there] = await Promise.all([one.answer(url), other.answer(url)])
    if (here !== there) faults.push(`${url}: ${here} when published, ${there} when pushed`)
  })
  one.close()
  other.close()
  return { urls: urls.size, faults }
}

/** With and without `.html` and `index.html`, with and without a slash at the end; folders too. */
function urlsOf(name: string): string[] {
  const segments = name.split('/').map(encodeURIComponent)
  const folders = segments.slice(1).map((_, at) => `/${segments.slice(0, at + 1).join('/')}`)
  const literal = `/${segments.join('/')}`
  const clean = literal.replace(/\.html$/, '')
  const paths = [literal, clean, clean.replace(/\/index$/, ''), ...folders]
  return paths.flatMap((path) => [path === '' ? '/' : path, `${path}/`])
}
