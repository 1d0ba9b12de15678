import assert from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import { type Resolution, resolve } from '../../src/host/resolution.js'
import type { Snapshot } from '../../src/store/snapshot.js'
import { Hosting } from './hosting.js'
import { createSnapshots } from './trees.js'

const NETLIFY = 'https://docs.netlify.com/manage/routing/redirects/redirect-options'
const REWRITES = 'https://docs.netlify.com/manage/routing/redirects/rewrites-proxies'
const CLOUDFLARE = 'https://developers.cloudflare.com/pages/configuration/redirects'
const OURS = 'docs/hosting.md'

/** What a target comes to: `301 /location`, `200 file`, `missing`. */
interface Row {
  source: string
  rules: string
  /** Files beside index.html, about.html, docs/index.html and blog/new.html, each holding its name. */
  files?: string[]
  answers: Record<string, string>
}

const FILES = ['index.html', 'about.html', 'docs/index.html', 'blog/new.html']

const ROWS: Record<string, Row> = {
  'a rule without a status is a 301': { source: NETLIFY, rules: '/home /about', answers: { '/home': '301 /about' } },
  'a rule says its status': {
    source: `${NETLIFY}#http-status-codes, ${CLOUDFLARE}`,
    rules: '/a /about 301\n/b /about 302\n/c /about 303\n/d /about 307\n/e /about 308',
    answers: { '/a': '301 /about', '/b': '302 /about', '/c': '303 /about', '/d': '307 /about', '/e': '308 /about' },
  },
  'a 200 shows another page in place': {
    source: `${NETLIFY}#http-status-codes`,
    rules: '/pass-through /index.html 200\n/clean /about 200\n/folder /docs 200',
    answers: { '/pass-through': '200 index.html', '/clean': '200 about.html', '/folder': '200 docs/index.html' },
  },
  'a 404 shows a page of its own for a path': {
    source: `${NETLIFY}#http-status-codes`,
    rules: '/ecommerce /about 404\n/en/* /en/404.html 404\n/* /404.html 404',
    files: ['en/404.html', '404.html'],
    answers: {
      '/ecommerce': '404 about.html',
      '/en/x': '404 en/404.html',
      '/x': '404 404.html',
      '/': '200 index.html',
    },
  },
  'a 410 says that something is gone': {
    source: OURS,
    rules: '/old /about 410',
    answers: { '/old': '410 about.html' },
  },
  'a rewrite to a page that is not there is not found': {
    source: REWRITES,
    rules: '/x /none 200',
    answers: { '/x': 'missing' },
  },
  'everything can lead to one page, where no file is': {
    source: `${REWRITES}#history-pushstate-and-single-page-apps`,
    rules: '/* /index.html 200',
    answers: { '/app/users/1': '200 index.html', '/about': '200 about.html', '/': '200 index.html' },
  },
  'a file shadows a rule': {
    source: `${REWRITES}#shadowing`,
    rules: '/about /docs/ 301\n/docs /about 301\n/blog/* /about 302',
    answers: {
      '/about': '200 about.html',
      '/docs': '308 /docs/',
      '/blog/new': '200 blog/new.html',
      '/blog/x': '302 /about',
    },
  },
  'an exclamation mark makes a rule win over a file': {
    source: `${REWRITES}#shadowing`,
    rules: '/about /docs/ 301!\n/blog/* /about 200!',
    answers: { '/about': '301 /docs/', '/blog/new': '200 about.html' },
  },
  'a splat stands for the rest of the path': {
    source: `${NETLIFY}#splats`,
    rules: '/news/* /blog/:splat',
    answers: {
      '/news/2004/01/10/my-story': '301 /blog/2004/01/10/my-story',
      '/news/': '301 /blog/',
      '/news': '301 /blog/',
      '/newsletter': 'missing',
      '/news/a/': '301 /blog/a/',
    },
  },
  'a splat may have text around it': {
    source: `${CLOUDFLARE}#splats`,
    rules: '/img/*.jpg /pictures/:splat.webp\n/team-*/x /people/:splat',
    answers: { '/img/a/b.jpg': '301 /pictures/a/b.webp', '/img/a.png': 'missing', '/team-red/x': '301 /people/red' },
  },
  'placeholders stand for one segment each': {
    source: `${NETLIFY}#placeholders`,
    rules: '/news/:month/:date/:year/:slug /blog/:year/:month/:date/:slug\n/on/:y/:m /blog-:y-:m.html',
    answers: {
      '/news/02/12/2004/my-story': '301 /blog/2004/02/12/my-story',
      '/news/02/12/2004': 'missing',
      '/news/02/12/2004/my/story': 'missing',
      '/on/2004/02': '301 /blog-2004-02.html',
    },
  },
  'placeholders stand in a query too': {
    source: CLOUDFLARE,
    rules: '/products/:code/:name /products?code=:code&name=:name',
    answers: { '/products/12/a%26b': '301 /products?code=12&name=a%26b' },
  },
  'named parameters must be there, and no other': {
    source: `${NETLIFY}#query-parameters`,
    rules: '/store id=:id /blog/:id 301\n/articles id=:id tag=:tag /posts/:tag/:id 301\n/search type=all /docs/ 302',
    answers: {
      '/store?id=my-blog-post': '301 /blog/my-blog-post?id=my-blog-post',
      '/store': 'missing',
      '/store?id=1&x=2': 'missing',
      '/articles?tag=b&id=a': '301 /posts/b/a?tag=b&id=a',
      '/articles?id=a': 'missing',
      '/search?type=all': '302 /docs/?type=all',
      '/search?type=some': 'missing',
    },
  },
  'the query goes along unless the destination has its own': {
    source: `${NETLIFY}#query-parameters`,
    rules: '/a /about\n/b /about?x=1',
    answers: { '/a?q=1&r=%20': '301 /about?q=1&r=%20', '/b?q=1': '301 /about?x=1', '/b': '301 /about?x=1' },
  },
  'a slash at the end is no difference to a rule': {
    source: `${NETLIFY}#trailing-slash`,
    rules: '/blog/title /about\n/shop/ /docs/',
    answers: { '/blog/title/': '301 /about', '/blog/title': '301 /about', '/shop': '301 /docs/' },
  },
  'a rule adds or removes no slash': {
    source: `${NETLIFY}#trailing-slash`,
    rules: '/about /about/ 301!\n/docs/ /docs 301!\n/gone /gone/ 301',
    answers: {
      '/about': '200 about.html',
      '/about/': '308 /about',
      '/docs/': '200 docs/index.html',
      '/gone': 'missing',
    },
  },
  'the first rule that matches wins': {
    source: `${NETLIFY}, ${CLOUDFLARE}`,
    rules: '/a /first\n/a /second\n/b/* /dynamic\n/b/c /fixed\n/d/e /fixed\n/d/* /dynamic',
    answers: { '/a': '301 /first', '/b/c': '301 /dynamic', '/d/e': '301 /fixed', '/d/f': '301 /dynamic' },
  },
  'a destination may be a URL, with a fragment': {
    source: CLOUDFLARE,
    rules: '/twitch https://twitch.tv\n/page/ /page2/#fragment 301\n/blog/* https://blog.my.domain/:splat',
    answers: {
      '/twitch': '301 https://twitch.tv',
      '/page': '301 /page2/#fragment',
      '/page?a': '301 /page2/?a#fragment',
      '/blog/x/y': '301 https://blog.my.domain/x/y',
    },
  },
  'a rewrite follows no further rule': {
    source: `${CLOUDFLARE}#proxying`,
    rules: '/a /b 200\n/b /about 200',
    answers: { '/a': 'missing', '/b': '200 about.html' },
  },
  'comments and empty lines are no rules': {
    source: NETLIFY,
    rules: '# one\n\n   \n/a /about # why\n  /b   /docs/   302\r\n/c\t/about',
    answers: { '/a': '301 /about', '/b': '302 /docs/', '/c': '301 /about' },
  },
  'a rule is for the decoded path': {
    source: OURS,
    rules: '/caf%C3%A9 /about\n/tea/b%20c /docs/\n/données /about',
    answers: {
      '/caf%C3%A9': '301 /about',
      '/caf%c3%a9': '301 /about',
      '/tea/b%20c': '301 /docs/',
      '/donn%C3%A9es': '301 /about',
    },
  },
  'a splat never names another host': {
    source: OURS,
    rules: '/out/* /:splat',
    answers: { '/out//evil.example/x': '301 /evil.example/x', '/out///evil.example': '301 /evil.example' },
  },
  'a loop ends where it begins': {
    source: OURS,
    rules: '/a /b\n/b /a\n/c /c/\n/d/* /d/x/:splat\n/e /f\n/f /about\n/about /e 301!',
    answers: {
      '/a': 'missing',
      '/b': 'missing',
      '/c': 'missing',
      '/d/1': 'missing',
      '/e': 'missing',
      '/about': '200 about.html',
    },
  },
  'no rule shows what is never served': {
    source: OURS,
    rules: '/a /_redirects 200\n/b /.site.json 200\n/c /../x 200',
    files: ['.site.json'],
    answers: { '/a': 'missing', '/b': 'missing', '/c': 'missing' },
  },
}

describe('the rules of _redirects', () => {
  const hosting = new Hosting()
  let snapshots: Map<string, Snapshot>

  before(async () => {
    const trees = Object.values(ROWS).map(({ rules, files = [] }) =>
      Object.fromEntries([...FILES, ...files].map((name) => [name, name] as const).concat([['_redirects', rules]])),
    )
    const made = await createSnapshots(hosting, 'rules', trees)
    snapshots = new Map(Object.keys(ROWS).map((name, at) => [name, made[at]!]))
  })
  after(() => hosting.stop())

  for (const [name, { source, answers }] of Object.entries(ROWS)) {
    it(`${name} (${source})`, () => {
      const snapshot = snapshots.get(name)!
      const got = Object.fromEntries(
        Object.keys(answers).map((target) => [target, show(resolve({ snapshot }, target))]),
      )
      assert.deepEqual(got, answers)
    })
  }
})

function show(found: Resolution): string {
  if (found.kind === 'file') return `${found.file.status} ${found.file.treePath}`
  return found.kind === 'redirect' ? `${found.status} ${found.location}` : found.kind
}
