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
  'a rule is for paths that cannot be decoded too, and keeps their escapes': {
    rules: [
      '/old/* https://new.example/:splat 301!',
      '/wiki/AC%2FDC /about\n/caf%E9 /docs/\n/x/:a/c /a:a',
      '/by/:name /people?n=:name#:name',
      '/img/*.jpg /pictures/:splat.webp\n/* /index.html 200',
    ].join('\n'),
    answers: {
      '/old/a%2Fb': '301 https://new.example/a%2Fb',
      '/old/a%2fb/c%20d/caf%C3%A9%5c': '301 https://new.example/a%2Fb/c%20d/caf%C3%A9%5C',
      '/old/%00%0a%7F': '301 https://new.example/%00%0A%7F',
      '/old/%E9/%C0%AE/%ED%A0%80': '301 https://new.example/%E9/%C0%AE/%ED%A0%80',
      '/old/%F0%9F%90%A5%2F%F0%9F%90%A5': '301 https://new.example/%F0%9F%90%A5%2F%F0%9F%90%A5',
      '/old/100%': '301 https://new.example/100%25',
      '/old/%zz%2': '301 https://new.example/%25zz%252',
      '/old/a\\b%2F{': '301 https://new.example/a%5Cb%2F%7B',
      '/old/%': '301 https://new.example/%25',
      '/wiki/AC%2FDC': '301 /about',
      '/wiki/AC%2fDC': '301 /about',
      '/wiki/AC%252FDC': '200 index.html',
      '/caf%E9': '301 /docs/',
      '/caf%e9/': '301 /docs/',
      '/x/%2F/c': '301 /a%2F',
      '/by/a%2Fb%26': '301 /people?n=a%2Fb%26#a%2Fb%26',
      '/img/a%2Fb.jpg': '301 /pictures/a%2Fb.webp',
      '/items/a%2Fb': '200 index.html',
      '/%2e%2e%2f.site.json': '200 index.html',
    },
  },
  'a parameter of a rule is decoded as that of a request': {
    rules: [
      '/v q=a%20b /about\n/w q=a+b /about\n/n caf%C3%A9=%31 /about\n/plus q=c%2B%2B /about',
      '/colon q=%3Aid /about\n/percent q=100% /about\n/raw é=ü /about\n/id caf%C3%A9=:id /docs/:id?\n/and q=a%26b /about',
    ].join('\n'),
    answers: {
      '/v?q=a%20b': '301 /about?q=a%20b',
      '/v?q=a+b': '301 /about?q=a+b',
      '/v?%71=a%20%62': '301 /about?%71=a%20%62',
      '/v?q=a%2520b': 'missing',
      '/w?q=a%20b': '301 /about?q=a%20b',
      '/n?caf%c3%a9=1': '301 /about?caf%c3%a9=1',
      '/plus?q=c%2b%2B': '301 /about?q=c%2b%2B',
      '/plus?q=c++': 'missing',
      '/colon?q=:id': '301 /about?q=:id',
      '/colon?q=x': 'missing',
      '/percent?q=100%25': '301 /about?q=100%25',
      '/percent?q=100%': '301 /about?q=100%',
      '/raw?%C3%A9=%C3%BC': '301 /about?%C3%A9=%C3%BC',
      '/id?caf%C3%A9=a%20%2F': '301 /docs/a%20/?',
      '/and?q=a%26b': '301 /about?q=a%26b',
      '/and?q=a&b': 'missing',
    },
  },
  'an unknown placeholder stays as it is': {
    rules:
      '/cv https://x.sharepoint.com/:b:/g/personal/a?e=:x 301!\n/c/:d /:e/:d?q=:f#:g\n/s /c/:splat\n/in/* /:a/:splat 200',
    answers: {
      '/cv': '301 https://x.sharepoint.com/:b:/g/personal/a?e=:x',
      '/c/%C3%A9': '301 /:e/%C3%A9?q=:f#:g',
      '/s': '301 /c/:splat',
      '/in/x': 'missing',
    },
  },
  'a splat never names another host': {
    rules: '/out/* /:splat',
    answers: {
      '/out//evil.example/x': '301 /evil.example/x',
      '/out///evil.example': '301 /evil.example',
      '/out/%2F%2Fevil.example': '301 /%2F%2Fevil.example',
      '/out/%2F/evil.example': '301 /%2F/evil.example',
      '/out/%5Cevil.example': '301 /%5Cevil.example',
      '/out/\\evil.example': '301 /%5Cevil.example',
    },
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
  'a rule to its own path is skipped in every encoding': {
    rules: '/self/* /self/:splat\n/%7Euser /~user\n/a%26b /a&b 302!',
    answers: {
      '/self/one%20%26%20two': 'missing',
      '/self/%61': 'missing',
      '/self/a%2fb': 'missing',
      '/%7euser': 'missing',
      '/a%26b': 'missing',
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
      '/a%2Fb': 'missing',
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
    rules: '/a /_redirects 200\n/b /.site.json 200\n/c /../x 200\n/d/* /docs/:splat 200',
    files: ['.site.json', 'docs/%2F.html'],
    answers: {
      '/a': 'missing',
      '/b': 'missing',
      '/c': 'missing',
      '/d/': '200 docs/index.html',
      '/d/%2e%2e%2F.site.json': 'missing',
      '/d/..%2f_redirects': 'missing',
      '/d/%2Findex.html': 'missing',
      '/d/%2F': 'missing',
    },
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
