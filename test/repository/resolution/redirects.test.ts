import assert from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import { type Resolution, resolve } from '../../../src/repository/resolution/resolution.js'
import type { Snapshot } from '../../../src/repository/reading/snapshot.js'
import { Hosting } from '../../protocols/host/hosting.js'
import { createSnapshots, ORIGIN } from '../../protocols/host/trees.js'

/** An answer to a target is `301 /location`, `200 file` or `missing`. Examples that others document are in ../scenarios/documented. */
interface Row {
  rules: string
  /** Files in addition to index.html, about.html, docs/index.html and blog/new.html, each containing its name. */
  files?: string[]
  answers: Record<string, string>
}

const FILES = ['index.html', 'about.html', 'docs/index.html', 'blog/new.html']

const ROWS: Record<string, Row> = {
  'a 200 shows another page in place': {
    rules: '/pass-through /index.html 200\n/clean /about 200\n/folder /docs 200',
    answers: { '/pass-through': '200 index.html', '/clean': '200 about.html', '/folder': '200 docs/index.html' },
  },
  'a 410 says that something is gone': {
    rules: '/old /about 410',
    answers: { '/old': '410 about.html' },
  },
  'a file shadows a rule': {
    rules: '/about /docs/ 301\n/docs /about 301\n/blog/* /about 302',
    answers: {
      '/about': '200 about.html',
      '/docs': '308 /docs/',
      '/blog/new': '200 blog/new.html',
      '/blog/x': '302 /about',
    },
  },
  'an exclamation mark makes a rule win over a file': {
    rules: '/about /docs/ 301!\n/blog/* /about 200!',
    answers: { '/about': '301 /docs/', '/blog/new': '200 about.html' },
  },
  'a splat may have text around it': {
    rules: '/img/*.jpg /pictures/:splat.webp\n/team-*/x /people/:splat',
    answers: { '/img/a/b.jpg': '301 /pictures/a/b.webp', '/img/a.png': 'missing', '/team-red/x': '301 /people/red' },
  },
  'placeholders stand in a query too': {
    rules: '/products/:code/:name /products?code=:code&name=:name',
    answers: { '/products/12/a%26b': '301 /products?code=12&name=a%26b' },
  },
  'a parameter may have to have one value': {
    rules: '/search type=all /docs/ 302',
    answers: { '/search?type=all': '302 /docs/?type=all', '/search?type=some': 'missing', '/search': 'missing' },
  },
  'the query goes along unless the destination has its own': {
    rules: '/a /about\n/b /about?x=1',
    answers: { '/a?q=1&r=%20': '301 /about?q=1&r=%20', '/b?q=1': '301 /about?x=1', '/b': '301 /about?x=1' },
  },
  'the first rule that matches wins': {
    rules: '/a /first\n/a /second\n/b/* /dynamic\n/b/c /fixed\n/d/e /fixed\n/d/* /dynamic',
    answers: { '/a': '301 /first', '/b/c': '301 /dynamic', '/d/e': '301 /fixed', '/d/f': '301 /dynamic' },
  },
  'a destination may be a URL, with a fragment': {
    rules: '/twitch https://twitch.tv\n/page/ /page2/#fragment 301\n/blog/* https://blog.my.domain/:splat',
    answers: {
      '/twitch': '301 https://twitch.tv',
      '/page': '301 /page2/#fragment',
      '/page?a': '301 /page2/?a#fragment',
      '/blog/x/y': '301 https://blog.my.domain/x/y',
    },
  },
  'comments and empty lines are no rules': {
    rules: '# one\n\n   \n/a /about # why\n  /b   /docs/   302\r\n/c\t/about',
    answers: { '/a': '301 /about', '/b': '302 /docs/', '/c': '301 /about' },
  },
  'a rule is for the decoded path': {
    rules: '/caf%C3%A9 /about\n/tea/b%20c /docs/\n/données /about',
    answers: {
      '/caf%C3%A9': '301 /about',
      '/caf%c3%a9': '301 /about',
      '/tea/b%20c': '301 /docs/',
      '/donn%C3%A9es': '301 /about',
    },
  },
  'a splat never names another host': {
    rules: '/out/* /:splat',
    answers: { '/out//evil.example/x': '301 /evil.example/x', '/out///evil.example': '301 /evil.example' },
  },
  'a loop ends where it begins': {
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
  'a rule to its own path is skipped where it names the site by its URL too': {
    rules: [
      `/same ${ORIGIN}/same`,
      '/other-scheme http://demo.example.org/other-scheme/ 302!',
      '/case HTTPS://DEMO.Example.ORG/case',
      '/dot https://demo.example.org./dot#there',
      '/port https://demo.example.org:443/port\n/other-port http://demo.example.org:80/other-port',
      '/encoded https://%64emo.example.org/encoded',
      '/wide https://ｄｅｍｏ。example.org/wide',
      '/caf%C3%A9 https://demo.example.org/caf%C3%A9',
      '/way https://demo.example.org/./x/../way\n/dots /./dots',
      '/by/:name https://demo.example.org/by/:name',
      '/query id=:id https://demo.example.org/query?id=:id',
      '/about https://demo.example.org/about 301!',
    ].join('\n'),
    answers: {
      '/same': 'missing',
      '/same/?a=%20': 'missing',
      '/other-scheme': 'missing',
      '/case': 'missing',
      '/dot': 'missing',
      '/port': 'missing',
      '/other-port': 'missing',
      '/encoded': 'missing',
      '/wide': 'missing',
      '/caf%C3%A9': 'missing',
      '/way': 'missing',
      '/dots': 'missing',
      '/by/me': 'missing',
      "/query?id='": 'missing',
      '/about': '200 about.html',
    },
  },
  'a rule from http to https of the site shows the site': {
    rules: 'http://demo.example.org/* https://demo.example.org/:splat 301!\n/* https://demo.example.org/:splat 301!',
    answers: {
      '/': '200 index.html',
      '/about': '200 about.html',
      '/docs': '308 /docs/',
      '/docs/?q=1': '200 docs/index.html',
      '/none': 'missing',
    },
  },
  "the site's own URL leads to another path or query as it is written": {
    rules:
      '/old https://demo.example.org./About\n/new/* http://DEMO.example.org/blog/:splat 302!\n/q HTTPS://demo.example.org/q?a=1',
    answers: {
      '/old': '301 https://demo.example.org./About',
      '/new/new?a': '302 http://DEMO.example.org/blog/new?a',
      '/q': '301 HTTPS://demo.example.org/q?a=1',
      '/q?a=1': 'missing',
    },
  },
  "another port, and another site's host, are another place": {
    rules: '/a https://demo.example.org:8443/a\n/b https://x-demo.example.org/b\n/c https://demo.example.org.example/c',
    answers: {
      '/a': '301 https://demo.example.org:8443/a',
      '/b': '301 https://x-demo.example.org/b',
      '/c': '301 https://demo.example.org.example/c',
    },
  },
  "a loop ends where it begins over the site's own URL too": {
    rules:
      '/a https://demo.example.org/b\n/b http://DEMO.example.org:80/a\n/c/* https://demo.example.org/c/x/:splat\n/e /f\n/f https://demo.example.org/e',
    answers: { '/a': 'missing', '/b': 'missing', '/c/1': 'missing', '/e': 'missing', '/f': 'missing' },
  },
  'no rule shows what is never served': {
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

  for (const [name, { answers }] of Object.entries(ROWS)) {
    it(name, () => {
      const snapshot = snapshots.get(name)!
      const got = Object.fromEntries(
        Object.keys(answers).map((target) => [target, show(resolve({ snapshot, origin: ORIGIN }, target))]),
      )
      assert.deepEqual(got, answers)
    })
  }
})

function show(found: Resolution): string {
  if (found.kind === 'file') return `${found.file.status} ${found.file.treePath}`
  return found.kind === 'redirect' ? `${found.status} ${found.location}` : found.kind
}
