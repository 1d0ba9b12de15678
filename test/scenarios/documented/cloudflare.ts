// Cloudflare's documented examples of `_redirects`, `_headers` and URLs, for Pages and for the static assets of Workers.

import { createHash } from 'node:crypto'
import { differs, type Example, says } from './example.js'

const DOCS = 'https://developers.cloudflare.com'
const SERVING = `${DOCS}/pages/configuration/serving-pages`
const HTML_HANDLING = `${DOCS}/workers/static-assets/routing/advanced/html-handling`
const REDIRECTS = `${DOCS}/pages/configuration/redirects`
const HEADERS = `${DOCS}/pages/configuration/headers`

const LITERAL = 'Cloudflare redirects `/about.html` to `/about`'
const TEMPORARY = "Cloudflare Workers redirect to a page's one URL with 307"
const ALWAYS_FOLLOWED = 'Cloudflare follows a rule even where a file is; Netlify does not'
const NO_STATUS = 'a rule without a status is 302 at Cloudflare'
const START_PAGE = 'Cloudflare shows the start page for everything where there is no `404.html`'
const SLASH = 'a rule of Cloudflare can add or remove a slash at the end'
const FRAGMENT = 'Cloudflare reads the path of a rule up to its `#`'
const FEWER = 'Cloudflare has no rules with parameters, and none with 404'
const BESIDE_TEXT = 'Cloudflare takes `:name` beside other text of a segment'
const RANGES = 'Cloudflare Pages answers a range with the whole file'
const OWN_FIELDS = 'Cloudflare sends `Access-Control-Allow-Origin: *` and a `Referrer-Policy` unasked'
const WHOLE_URLS = 'Cloudflare takes whole URLs as paths in `_headers`, Netlify in `_redirects`'

const STYLE = 'body{color:red}'.repeat(40)
const TAG = `"${createHash('sha1').update(`blob ${STYLE.length}\0${STYLE}`).digest('hex')}"`
const NONE_OF_OTHERS = { 'access-control-allow-origin': undefined, 'referrer-policy': undefined }

export const CLOUDFLARE: readonly Example[] = [
  {
    files: ['index.html', 'file.html', 'folder/index.html', 'news.html', 'c.html', 'faq/all.html', 'shown/404.html'],
    texts: { 'style.css': STYLE },
    redirects: `# whole lines are comments
/home301 / 301
/home302 / 302
/querystrings /?query=string 301
/twitch https://twitch.example
/trailing /trailing/ 301
/notrailing/ /notrailing 301
/page/ /page2/#fragment 301
/blog/* https://blog.my.domain/:splat
/products/:code/:name /products?code=:code&name=:name
/cut#here /home
/home301 /never
/file / 301
/news / 301!
/301 / 301\n/302 / 302\n/303 / 303\n/307 / 307\n/308 / 308
/posts/* /articles/:splat 301
/on/:year/:month/:date/:slug /in/:year/:month/:date/:slug 301
/closed/* /shown/404.html 404
/shop id=:id /blog/:id 301
/folded/* /folder/:splat 200
www.example.org/* www.example.org/blog/:splat 301
/ /us 302 Country=us
/* /preview/:splat 302 Cookie=preview
/greedy/*/end /to/:splat 301
/two/*/and/* /to 301
/movies/:title /media/:title 301
/img/*.jpg /pictures/:splat.webp 301
/film-:title /media/:title 301
/:a/:a/twice /to 301
/a /b 200
/b /c 200
/out https://example.org/ 200
/faq/* /faq/all 200
`,
    headers: '/faq/*\n  Link: </faq/all>; rel="canonical"\n',
    wrong: [11, 25, 26, 27, 29, 33, 36].map((line) => `_redirects:${line}`),
    rows: {
      [`${HTML_HANDLING}#automatic-trailing-slashes-default`]: [
        ['/file', '200 file.html'],
        differs('/file.html', '200 file.html', '307 /file', LITERAL, { fields: { link: '</file>; rel="canonical"' } }),
        differs('/file/', '308 /file', '307 /file', TEMPORARY),
        differs('/file/index', '308 /file', '307 /file', TEMPORARY),
        differs('/file/index.html', '308 /file', '307 /file', TEMPORARY),
        differs('/folder', '308 /folder/', '307 /folder/', TEMPORARY),
        differs('/folder.html', '308 /folder/', '307 /folder', TEMPORARY),
        ['/folder/', '200 folder/index.html'],
        differs('/folder/index', '308 /folder/', '307 /folder', TEMPORARY),
        differs('/folder/index.html', '200 folder/index.html', '307 /folder', LITERAL, {
          fields: { link: '</folder/>; rel="canonical"' },
        }),
      ],
      [`${SERVING}#route-matching`]: [
        differs('/c.html', '200 c.html', 'a redirect to /c', LITERAL),
        ['/c', '200 c.html'],
      ],
      [`${SERVING}#single-page-application-spa-rendering`]: [
        ['/', '200 index.html'],
        differs('/help', '404', '200 index.html', START_PAGE),
      ],
      [`${SERVING}#caching-and-performance, #headers`]: [
        says('/style.css', `200 ${STYLE}`, {
          etag: TAG,
          'content-type': 'text/css; charset=utf-8',
          'x-content-type-options': 'nosniff',
          'cache-control': 'public, max-age=0, must-revalidate',
        }),
        ['/style.css', '304', { asked: { 'If-None-Match': TAG } }],
        ['/style.css', `200 ${STYLE}`, { asked: { 'If-None-Match': '"another"' } }],
        ['/style.css', '200', { asked: { 'Accept-Encoding': 'gzip' }, fields: { 'content-encoding': 'gzip' } }],
        ['/style.css', '200', { asked: { 'Accept-Encoding': 'gzip, br' }, fields: { 'content-encoding': 'br' } }],
        differs('/style.css', '206 body', `200 ${STYLE}`, RANGES, { asked: { Range: 'bytes=0-3' } }),
        differs('/style.css', `200 ${STYLE}`, '200 with both fields', OWN_FIELDS, { fields: NONE_OF_OTHERS }),
      ],
      [`${REDIRECTS}#per-line`]: [
        ['/home301', '301 /'],
        ['/home302', '302 /'],
        ['/querystrings', '301 /?query=string'],
        differs('/twitch', '301 https://twitch.example', '302 https://twitch.example', NO_STATUS),
        differs('/trailing', '404', '301 /trailing/', SLASH),
        differs('/notrailing/', '404', '301 /notrailing', SLASH),
        ['/page/', '301 /page2/#fragment'],
        differs('/blog/a/b', '301 https://blog.my.domain/a/b', '302 https://blog.my.domain/a/b', NO_STATUS),
        differs('/products/12/tea', '301 /products?code=12&name=tea', '302 /products?code=12&name=tea', NO_STATUS),
        differs('/cut', '404', '302 /home', FRAGMENT),
        ['/_redirects', '404'],
      ],
      [`${REDIRECTS}#per-file`]: [differs('/file', '200 file.html', '301 /', ALWAYS_FOLLOWED), ['/news', '301 /']],
      [`${REDIRECTS}#advanced-redirects`]: [
        ...[301, 302, 303, 307, 308].map((status): [string, string] => [`/${status}`, `${status} /`]),
        differs('/closed/x', '404 shown/404.html', 'not supported', FEWER),
        ['/posts/a/b', '301 /articles/a/b'],
        ['/on/2026/11/21/tea', '301 /in/2026/11/21/tea'],
        differs('/shop?id=tea', '301 /blog/tea?id=tea', 'not supported', FEWER),
        ['/folded/index.html', '200 folder/index.html'],
        ['/', '200 index.html'],
        ['/any', '404'],
      ],
      [`${REDIRECTS}#splats, #placeholders`]: [
        ['/greedy/a/end/b/end', '301 /to/a/end/b'],
        ['/two/a/and/b', '404'],
        ['/movies/up', '301 /media/up'],
        ['/movies/up/again', '404'],
        ['/img/a/b.jpg', '301 /pictures/a/b.webp'],
        differs('/film-up', '404', '301 /media/up', BESIDE_TEXT),
      ],
      [`${REDIRECTS}#proxying`]: [
        ['/b', '200 c.html'],
        ['/a', '404'],
        ['/out', '404'],
        says('/faq/one', '200 faq/all.html', { link: '</faq/all>; rel="canonical"' }),
      ],
    },
  },
  {
    files: ['index.html', '404.html', 'blog/404.html', 'blog/one.html', 'docs/api/x.html'],
    redirects: [
      ...Array.from({ length: 2001 }, (_, at) => `/static-${at} /to 301`),
      ...Array.from({ length: 101 }, (_, at) => `/dynamic-${at}/* /to 301`),
      `/long /${'x'.repeat(1000)}`,
    ].join('\n'),
    headers: [
      `/rule-0\n  X-Rule: 0\n  X-Long: ${'x'.repeat(2000)}\n`,
      ...Array.from({ length: 100 }, (_, at) => `/rule-${at + 1}\n  X-Rule: ${at + 1}\n`),
    ].join(''),
    wrong: ['_redirects:2001', '_redirects:2102', '_redirects:2103', '_headers:3', '_headers:202'],
    rows: {
      [`${SERVING}#not-found-behavior`]: [
        ['/none', '404 404.html'],
        ['/blog/none', '404 blog/404.html'],
        ['/blog/none/below/it', '404 blog/404.html'],
        ['/docs/api/none', '404 404.html'],
      ],
      [`${REDIRECTS}#per-file`]: [
        ['/static-0', '301 /to'],
        ['/static-1999', '301 /to'],
        ['/static-2000', '404 404.html'],
        ['/dynamic-99/x', '301 /to'],
        ['/dynamic-100/x', '404 404.html'],
        ['/long', '404 404.html'],
      ],
      [`${HEADERS}#attach-a-header`]: [
        says('/rule-99', '404 404.html', { 'x-rule': '99' }),
        says('/rule-100', '404 404.html', { 'x-rule': undefined }),
        says('/rule-0', '404 404.html', { 'x-rule': '0', 'x-long': undefined }),
      ],
    },
  },
  {
    files: [
      'home.html',
      'secure/page.html',
      'static/image.jpg',
      'a.jpg',
      'docs/b.jpg',
      'movies/up.html',
      'files/a/b.txt',
    ],
    redirects: '/moved /home 301\n',
    headers: `# a comment
/secure/page
  X-Frame-Options: DENY
  X-Content-Type-Options: nosniff
  Referrer-Policy: no-referrer

/static/*
  Access-Control-Allow-Origin: *
  X-Robots-Tag: nosnippet
  Cache-Control: public, max-age=31536000, immutable

/*
  X-Robots-Tag: noindex
  Content-Security-Policy: default-src 'self';

https://site.example/*
  X-Whole: url

/*.jpg
  ! Content-Security-Policy
/movies/:title
  x-movie-name: You are watching ":title"
/files/*
  x-file: :splat
`,
    wrong: ['_headers:16'],
    rows: {
      [`${HEADERS}#attach-a-header`]: [
        says('/secure/page', '200 secure/page.html', {
          'x-frame-options': 'DENY',
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
          'x-robots-tag': 'noindex',
        }),
        says('/static/image.jpg', '200 static/image.jpg', {
          'access-control-allow-origin': '*',
          'x-robots-tag': 'nosnippet, noindex',
          'cache-control': 'public, max-age=31536000, immutable',
        }),
        says('/home', '200 home.html', { 'x-robots-tag': 'noindex', 'referrer-policy': undefined }),
        differs('/home', '200 home.html', '200 home.html with the field, on that host', WHOLE_URLS, {
          fields: { 'x-whole': undefined },
        }),
      ],
      [`${HEADERS}#match-a-path, ${REDIRECTS}#redirects-and-header-matching`]: [
        says('/moved', '301 /home', { 'x-robots-tag': undefined }),
      ],
      [`${HEADERS}#detach-a-header`]: [
        says('/home', '200 home.html', { 'content-security-policy': "default-src 'self';" }),
        says('/a.jpg', '200 a.jpg', { 'content-security-policy': undefined }),
        says('/docs/b.jpg', '200 docs/b.jpg', { 'content-security-policy': undefined }),
      ],
      [`${HEADERS}#splats, #placeholders`]: [
        says('/movies/up', '200 movies/up.html', { 'x-movie-name': 'You are watching "up"' }),
        says('/files/a/b.txt', '200 files/a/b.txt', { 'x-file': 'a/b.txt' }),
      ],
    },
  },
]
