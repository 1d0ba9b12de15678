// Fills a workspace of its own with things to look at: none, one of each, many, or ones whose names are hard to show.

import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { publishAs } from '../../support/people/as-agent.js'
import { authorizeUrl, newVerifier, registerClient } from '../../support/people/connect-agent.js'
import { type SignedIn, signInAs } from '../../support/people/sign-in-as.js'
import { git, withClone } from '../../support/git.js'
import type { TestService } from '../../support/service.js'
import { within } from '../../support/within.js'
import type { Made } from './screens.js'

/** How many there are of each thing, and how they are called. */
interface Filling {
  count: number
  /** The name of a thing, and of the person who made it. */
  name: string
  person: string
}

export const FILLINGS = {
  none: { count: 0, name: '', person: 'Ada' },
  one: { count: 1, name: 'Our spring fair', person: 'Ada Lovelace' },
  many: { count: 5000, name: 'News of the day', person: 'Ada Lovelace' },
  long: {
    count: 3,
    name: `${'The annual general meeting of the club '.repeat(3)}${'and'.repeat(20)}`,
    person: 'Hubert Blaine Wolfeschlegelsteinhausenbergerdorff senior',
  },
  rightToLeft: { count: 3, name: 'مهرجان الربيع في مدرستنا (2026)', person: 'عائشة بنت محمد' },
} as const satisfies Record<string, Filling>

export type FillingName = keyof typeof FILLINGS

/** More sites, requests, collections, keys and people than that are no more to look at, and each costs files or rows. */
const MOST_SITES = 200
const SLICE = 500

export interface Filled {
  made: Made
  owner: SignedIn
}

export async function fill(service: TestService, filling: FillingName): Promise<Filled> {
  const { count, name, person } = FILLINGS[filling]
  const own = await service.inNewWorkspace(`looks-${filling.toLowerCase()}`)
  const owner = await signInAs(own, 'owner', { name: person })
  const site = own.site.slug
  const invitation = await invite(owner)
  const consent = authorizeUrl({ clientId: await registerClient(own), verifier: newVerifier() })
  if (count === 0) return { made: { site, invitation, consent }, owner }
  await owner
    .send('patch', `/sites/${own.site.id}`)
    .send({ name: name.slice(0, 60) })
    .expect(200)
  const page = await makePages(own, owner, count, name)
  const request = await propose(owner, pathOf(name), name)
  const more = Math.min(count, MOST_SITES) - 1
  const author = await signInAs(own, 'author', { name: person })
  for (let n = 0; n < more; n++) await propose(author, `/proposed/${n}`, `${name} ${n}`)
  const collection = await makeRecords(owner, count, name)
  await makeCollections(owner, more, name)
  await makePeople(own, Math.min(count, SLICE), name, person)
  await makeSites(own, more, name)
  const agent = { id: randomUUID(), client: name.slice(0, 60), userId: owner.userId }
  await publishAs(own, agent, { path: '/by-agent', html: pageOf(name), reason: `${name}: by an agent` })
  return { made: { site, page, request, collection, invitation, consent }, owner }
}

function pageOf(title: string): string {
  return `<!doctype html>\n<title>${title}</title>\n<h1 dir="auto">${title}</h1>\n<p>Come at ten.</p>\n`
}

async function invite(owner: SignedIn): Promise<string> {
  const { body } = await owner.send('post', '/invitations').send({ role: 'editor' }).expect(201)
  return new URL((body as { data: { url: string } }).data.url).hash.slice(1)
}

function pathOf(name: string): string {
  return `/${name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}]+/gu, '-')
    .slice(0, 120)}`
}

/** Pushes pages and files, one commit each, and publishes a page with two versions. Returns the id of the page. */
async function makePages(own: TestService, owner: SignedIn, count: number, name: string): Promise<string> {
  const folder = pathOf(name).slice(1)
  await withClone(own.gitdir(), (clone) => {
    let from = 'refs/heads/main^0'
    const commits = Array.from({ length: count }, (_, n) => {
      const html = pageOf(`${name} ${n}`)
      const message = `${name}, number ${n}`
      const commit = [
        `commit refs/heads/main\nmark :${n + 1}\ncommitter ${name.slice(0, 40)} <o@example.org> ${1_790_000_000 + n * 600} +0000`,
        `data ${Buffer.byteLength(message)}\n${message}\nfrom ${from}`,
        `M 100644 inline "${folder}/${n % 40}/${n}.html"\ndata ${Buffer.byteLength(html)}\n${html}`,
        `M 100644 inline "files/${folder}-${n}.txt"\ndata ${Buffer.byteLength(html)}\n${html}`,
      ]
      from = `:${n + 1}`
      return `${commit.join('\n')}\n`
    })
    execFileSync('git', ['fast-import', '--quiet'], { cwd: clone, input: commits.join('') })
    git(clone, 'push', '--quiet')
  })
  // A push is seen a moment later.
  await within(120_000, async () => await owner.send('get', '/pages?q=0&limit=1').expect(200, /"path"/))
  const put = async (html: string) =>
    await owner.send('put', `/pages?path=${encodeURIComponent(`/${folder}`)}`).send({ html })
  await put(pageOf(name))
  await owner
    .send('put', '/files?path=/_redirects&force=true')
    .type('text/plain')
    .send(`/a /${encodeURIComponent(folder)}\n`)
  const { body } = await put(pageOf(name).replace('Come at ten.', 'Come at eleven, and <a href="/nowhere">see</a>.'))
  return (body as { data: { id: string } }).data.id
}

/** Returns the id of the request, which changes the page at the path. */
async function propose(owner: SignedIn, path: string, name: string): Promise<string> {
  const html = pageOf(`${name} (a draft)`)
  const { body } = await owner.send('put', `/pages?path=${encodeURIComponent(path)}&changeRequest=new`).send({ html })
  const { changeRequest } = body as { changeRequest: string }
  await owner.send('patch', `/change-requests/${changeRequest}`).send({ state: 'review', title: name.slice(0, 100) })
  return changeRequest
}

async function makeCollections(owner: SignedIn, count: number, name: string): Promise<void> {
  for (let n = 0; n < count; n++)
    await owner
      .send('post', '/collections')
      .send({ name: `${name.slice(0, 50)} ${n}`, schema: null })
      .expect(201)
}

async function makeRecords(owner: SignedIn, count: number, name: string): Promise<string> {
  const schema = {
    title: name,
    type: 'object',
    required: ['title'],
    properties: {
      title: { type: 'string' },
      year: { type: 'integer' },
      about: { type: 'string' },
      read: { type: 'boolean' },
    },
  }
  const { body } = await owner
    .send('post', '/collections')
    .send({ name: name.slice(0, 60), schema })
    .expect(201)
  const { id: collectionId } = (body as { data: { id: string } }).data
  for (let from = 0; from < count; from += SLICE) {
    const operations = Array.from({ length: Math.min(SLICE, count - from) }, (_, n) => ({
      op: 'createRecord',
      collectionId,
      data: { title: `${name} ${from + n}`, year: 2000 + (n % 26), about: name, read: n % 2 === 0 },
    }))
    await owner.send('post', '/batch').send({ operations }).expect(200)
  }
  return collectionId
}

/** Makes keys, members and invitations, and with them entries of the audit log. */
async function makePeople(own: TestService, count: number, name: string, person: string): Promise<void> {
  for (let n = 0; n < count; n++) {
    await own.mint({ label: `${name} ${n}`.slice(0, 100), scopes: n % 2 === 0 ? ['read'] : ['read', 'write'] })
    await signInAs(own, n % 2 === 0 ? 'editor' : 'author', { name: `${person} ${n}` })
  }
}

async function makeSites(own: TestService, count: number, name: string): Promise<void> {
  const { provisioner } = own.server.service.services
  for (let n = 0; n < count; n++)
    await provisioner.createSite(own.workspaceId, `${own.site.slug}-${n}`, { name: `${name} ${n}`.slice(0, 100) })
}
