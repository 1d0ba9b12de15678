// Netlify's documented examples of `_redirects`, `_headers` and URLs.

import { differs, type Example, says } from './example.js'

const DOCS = 'https://docs.netlify.com/manage/routing'
const REDIRECTS = `${DOCS}/redirects/overview`
const OPTIONS = `${DOCS}/redirects/redirect-options`
const REWRITES = `${DOCS}/redirects/rewrites-proxies`
const HEADERS = `${DOCS}/headers`
const PRETTY = 'https://docs.netlify.com/build/post-processing/overview#pretty-urls'

const OTHERS_IN_PLACE = 'Netlify shows pages of other hosts in place, and asks for country, language, role and cookies'
const WHOLE_URLS = 'Cloudflare takes whole URLs as paths in `_headers`, Netlify in `_redirects`'
const NO_307 = 'Netlify has no 307'
const SPLAT_INSIDE = 'Netlify takes `*` only as a whole segment, which may be missing'
const LOGIN = 'Netlify takes `Basic-Auth` and `Set-Cookie` in `_headers`'

const DENY = { 'x-frame-options': 'DENY' }
/** Fields that Netlify says it sets itself, with values that our answers never have. We take one of them, for files of some names. */
const THEIR_OWN = {
  'accept-ranges': 'none',
  age: '1234',
  allow: 'BREW',
  'alt-svc': 'h2=":1"',
  connection: 'upgrade',
  'content-encoding': 'br',
  'content-length': '7777',
  'content-range': 'bytes 0-1/2',
  date: 'Sun, 06 Nov 1994 08:49:37 GMT',
  location: '/elsewhere',
  server: 'mine',
  trailer: 'Expires',
  'transfer-encoding': 'gzip',
  upgrade: 'h2c',
}

export const NETLIFY: readonly Example[] = [
  {
    files: [
      'index.html',
      'about.html',
      'store-closed.html',
      'blog/bare.html',
      'pets/dogs.html',
      'pets/cats.html',
      'b.html',
    ],
    redirects: `# what was asked for, and where it is
/home              /
/blog/my-post.php  /blog/my-post
/news              /blog
/cuties            https://pets.example
/authors/c%C3%A9line  /authors/about-c%C3%A9line
# the order
/blog/old /blog/first
/blog/old /blog/second
# statuses
/home301 / 301
/my-redirect / 302
/ecommerce /store-closed 404
/pass-through /index.html 200
/kept / 307
# splats and placeholders
/stories/* /tales/:splat
/jobs/ninja /careers/support
/jobs/* /careers/:splat
/jobs/late /never
/press/*.txt /press/:splat.md
/posts/:month/:date/:year/:slug /archive/:year/:month/:date/:slug
/on/:year/:file /archive/:year-:file
# parameters
/store id=:id /blog/:id 301
/articles id=:id tag=:tag /tagged/:tag/:id 301
/path/* one=:one two=:two /other/:one/:two/:splat 301
/path/* one=:one /other/:one/:splat 301
/path/* /other/:splat 301
/moved /about 301
/for-now /about 302
/shown /about 200
# slashes
/blog/title /about
/shop/ /about
/blog/bare/ /blog/bare 301!
/gone /gone/ 301
# files
/about / 301
/pets/dogs /pets/cats.html 200!
/pets/cats / 302!
# what leads to itself, or on
/old-pets/* /pets/:splat 200
/loop /loop 301
/around /around/ 302
/a /b 200
/b /index.html 200
/c /a 200
`,
    rows: {
      [`${REDIRECTS}#syntax-for-the-_redirects-file`]: [
        ['/home', '301 /'],
        ['/blog/my-post.php', '301 /blog/my-post'],
        ['/news', '301 /blog'],
        ['/cuties', '301 https://pets.example'],
        ['/authors/c%C3%A9line', '301 /authors/about-c%C3%A9line'],
        ['/Home', '404'],
        ['/_redirects', '404'],
      ],
      [`${REDIRECTS}#rule-processing-order`]: [
        ['/blog/old', '301 /blog/first'],
        ['/jobs/ninja', '301 /careers/support'],
        ['/jobs/late', '301 /careers/late'],
      ],
      [`${OPTIONS}#http-status-codes`]: [
        ['/home', '301 /'],
        ['/home301', '301 /'],
        ['/my-redirect', '302 /'],
        ['/ecommerce', '404 store-closed.html'],
        ['/pass-through', '200 index.html'],
        differs('/kept', '307 /', 'not supported', NO_307),
      ],
      [`${OPTIONS}#splats`]: [
        ['/stories/2004/01/10/my-story', '301 /tales/2004/01/10/my-story'],
        ['/stories/', '301 /tales/'],
        ['/stories', '301 /tales/'],
        ['/stories/a/', '301 /tales/a/'],
        ['/storiesteller', '404'],
        differs('/press/a/b.txt', '301 /press/a/b.md', '404', SPLAT_INSIDE),
      ],
      [`${OPTIONS}#placeholders`]: [
        ['/posts/02/12/2004/my-story', '301 /archive/2004/02/12/my-story'],
        ['/posts/02/12/2004/story.html?q', '301 /archive/2004/02/12/story.html?q'],
        ['/posts/02/12/2004', '404'],
        ['/posts/02/12/2004/my/story', '404'],
        ['/on/2004/all.html', '301 /archive/2004-all.html'],
      ],
      [`${OPTIONS}#query-parameters`]: [
        ['/store?id=my-blog-post', '301 /blog/my-blog-post?id=my-blog-post'],
        ['/store', '404'],
        ['/store?id=1&more=2', '404'],
        ['/articles?tag=b&id=a', '301 /tagged/b/a?tag=b&id=a'],
        ['/articles?id=a', '404'],
        ['/path/a/b?one=1&two=2', '301 /other/1/2/a/b?one=1&two=2'],
        ['/path/a/b?two=2&one=1', '301 /other/1/2/a/b?two=2&one=1'],
        ['/path/a?one=1', '301 /other/1/a?one=1'],
        ['/path/a', '301 /other/a'],
        ['/path/a?three=3', '301 /other/a?three=3'],
        ['/moved?a=1&b=%20', '301 /about?a=1&b=%20'],
        ['/for-now?a=1', '302 /about?a=1'],
        ['/shown?a=1', '200 about.html'],
      ],
      [`${OPTIONS}#trailing-slash`]: [
        ['/blog/title', '301 /about'],
        ['/blog/title/', '301 /about'],
        ['/shop', '301 /about'],
        ['/shop/', '301 /about'],
        // No rule adds or removes one: it would lead to where the visitor is.
        ['/blog/bare', '200 blog/bare.html'],
        ['/blog/bare/', '308 /blog/bare'],
        ['/gone', '404'],
        ['/gone/', '404'],
      ],
      [`${REWRITES}#shadowing`]: [
        ['/about', '200 about.html'],
        ['/pets/dogs', '200 pets/cats.html'],
        ['/pets/cats', '302 /'],
      ],
      [`${REWRITES}#limitations`]: [
        ['/old-pets/dogs', '200 pets/dogs.html'],
        ['/old-pets/none', '404'],
        ['/loop', '404'],
        ['/around', '404'],
        ['/a', '200 b.html'],
        ['/b', '200 b.html'],
        ['/c', '404'],
      ],
    },
  },
  {
    files: [
      'index.html',
      'about.html',
      '404.html',
      'en/404.html',
      'de/404.html',
      'admin/index.html',
      'both.html',
      'both/index.html',
    ],
    redirects: `/en/* /en/404.html 404
/de/* /de/404.html 404
/ /anz 302! Country=au,nz
/china/* /china/zh-cn/:splat 302 Language=zh-cn
/* /legacy/:splat 200! Cookie=is_legacy
/admin/* 200! Role=admin
http://blog.example.org/* https://www.example.org/blog/:splat 301!
/api/* https://api.example.org/:splat 200
/still /about
`,
    wrong: [3, 4, 5, 6, 7, 8].map((line) => `_redirects:${line}`),
    rows: {
      [`${OPTIONS}#custom-404-page-handling`]: [
        ['/none', '404 404.html'],
        ['/none/below/it', '404 404.html'],
        ['/en/none', '404 en/404.html'],
        ['/de/none/below', '404 de/404.html'],
        ['/about', '200 about.html'],
      ],
      [`${OPTIONS}#redirect-by-country-or-language`]: [
        differs('/', '200 index.html', '302 /anz for some countries', OTHERS_IN_PLACE),
        differs('/china/x', '404 404.html', '302 /china/zh-cn/x for one language', OTHERS_IN_PLACE),
      ],
      [`${OPTIONS}#redirect-by-cookie-presence, #role-based-redirects`]: [
        differs('/about', '200 about.html', '200 with the page of /legacy/about, where a cookie is', OTHERS_IN_PLACE),
        differs('/admin/', '200 admin/index.html', '404 without the role', OTHERS_IN_PLACE),
      ],
      [`${OPTIONS}#domain-level-redirects`]: [
        differs('/any', '404 404.html', '301 https://www.example.org/blog/any on that host', WHOLE_URLS),
        ['/still', '301 /about'],
      ],
      [`${REWRITES}#proxy-to-another-service`]: [
        differs('/api/x', '404 404.html', 'what https://api.example.org/x answers', OTHERS_IN_PLACE),
      ],
      [PRETTY]: [
        ['/about', '200 about.html'],
        ['/admin/', '200 admin/index.html'],
        ['/admin', '308 /admin/'],
        ['/both', '200 both.html'],
        ['/both/', '200 both/index.html'],
      ],
    },
  },
  {
    files: [
      'index.html',
      'partials/chat.html',
      'templates/one.html',
      'Templates/two.html',
      'docs/v1/x.html',
      'docs/v1/more/x.html',
    ],
    redirects: '/* /index.html 200\n',
    headers: `# a page:
/templates/one.html
  # its fields:
  X-Frame-Options: DENY
  X-XSS-Protection: 1; mode=block
# others:
/Templates/two.html
  x-frame-options: SAMEORIGIN
/*
  X-All: yes
  cache-control: max-age=0
  cache-control: no-cache
  cache-control: no-store
/templates/*
  X-Template: yes
/docs/:version/x
  X-Docs: yes
`,
    rows: {
      [`${REWRITES}#history-pushstate-and-single-page-apps, #shadowing`]: [
        ['/', '200 index.html'],
        ['/app/users/1', '200 index.html'],
        ['/app?view=all', '200 index.html'],
        ['/partials/chat.html', '200 partials/chat.html'],
      ],
      [`${HEADERS}#syntax-for-the-_headers-file`]: [
        says('/templates/one.html', '200 templates/one.html', { ...DENY, 'x-xss-protection': '1; mode=block' }),
        says('/Templates/two.html', '200 Templates/two.html', { 'x-frame-options': 'SAMEORIGIN' }),
        says('/', '200 index.html', { 'x-frame-options': undefined }),
      ],
      [`${HEADERS}#wildcards-and-placeholders-in-paths`]: [
        says('/', '200 index.html', { 'x-all': 'yes', 'x-template': undefined }),
        says('/templates/one', '200 templates/one.html', { 'x-all': 'yes', 'x-template': 'yes' }),
        says('/Templates/two', '200 Templates/two.html', { 'x-template': undefined }),
        says('/docs/v1/x', '200 docs/v1/x.html', { 'x-docs': 'yes' }),
        says('/docs/v1/more/x', '200 docs/v1/more/x.html', { 'x-docs': undefined }),
      ],
      [`${HEADERS}#multi-value-headers`]: [
        says('/', '200 index.html', { 'cache-control': 'max-age=0, no-cache, no-store' }),
      ],
    },
  },
  {
    files: ['index.html'],
    headers: [
      '/*',
      ...Object.entries(THEIR_OWN).map(([name, value]) => `  ${name}: ${value}`),
      '  Basic-Auth: someone:secret',
      '  Set-Cookie: a=b',
      '  X-Frame-Options: DENY',
    ].join('\n'),
    wrong: [...Object.keys(THEIR_OWN), 'basic-auth', 'set-cookie'].flatMap((name, at) =>
      name === 'content-encoding' ? [] : [`_headers:${at + 2}`],
    ),
    rows: {
      [`${HEADERS}#limitations`]: [
        says('/', '200 index.html', {
          ...Object.fromEntries(Object.keys(THEIR_OWN).map((name) => [name, undefined])),
          'accept-ranges': 'bytes',
          'content-length': '10',
          ...DENY,
        }),
        differs('/', '200 index.html', '200 with a cookie', LOGIN, { fields: { 'set-cookie': undefined } }),
      ],
      'https://docs.netlify.com/manage/security/secure-access-to-sites/basic-authentication-with-custom-http-headers': [
        differs('/', '200 index.html', '401', LOGIN, { fields: { 'www-authenticate': undefined } }),
      ],
    },
  },
]
