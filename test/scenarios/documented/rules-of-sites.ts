// Files of rules as sites of many kinds have them: after a move from another system, for an app of one page, for versions of documents,
// in several languages. Netlify's own matcher is asked about them.

/** `_redirects` by what the site is. */
export const RULES_OF_SITES: Readonly<Record<string, string>> = {
  'an app of one page': '/* /index.html 200',
  'an app beside an API': '/api/* https://api.example.com/:splat 200\n/* /index.html 200',
  'an app with functions':
    '/.netlify/functions/* /.netlify/functions/:splat 200\n/api/:name /.netlify/functions/:name 200\n/* /index.html 200',
  'an app in a folder': '/app/* /app/index.html 200\n/ /app/ 302\n/login /app/login 302\n/signup /app/signup 302',
  'two apps': '/admin/* /admin/index.html 200\n/shop/* /shop/index.html 200\n/* /404.html 404',
  'an app whose assets must not fall back': '/assets/* /404.html 404\n/static/:file /404.html 404\n/* /index.html 200',
  'a blog that came from WordPress': `/feed /index.xml 301
/feed/ /index.xml 301
/category/* /categories/:splat 301
/tag/:name /tags/:name/ 301
/author/* / 302
/:year/:month/:day/:slug /posts/:slug 301
/wp-content/uploads/* /images/:splat 301
/wp-admin/* https://wordpress.com/ 301!
/?p=12 /posts/twelve 301
/comments/feed /index.xml`,
  'a blog that came from Jekyll': `/blog/:year/:month/:day/:title.html /blog/:title 301
/atom.xml /feed.xml 301
/archive.html /archive/ 301
/page:num /page/:num 301
/tags.html /tags/`,
  'a blog that came from Blogger': `/2012/05/first-post.html /first-post/ 301
/2013/*/:slug /:slug 301
/search/label/* /tags/:splat 301
/p/:page /:page 301
/feeds/posts/default /feed.xml 301`,
  'a blog that came from Ghost':
    '/rss/ /rss.xml 301\n/tag/* /topics/:splat 301\n/author/:who/ /about/ 301\n/ghost/* https://old-blog.example.net/ghost/:splat 302\n/amp/* /:splat 301\n/:slug/amp /:slug 301',
  'a blog by the date':
    '/posts/:year/:month/:slug /:slug 301\n/:year/:month/* /archive?year=:year&month=:month 302\n/latest /posts/2026/11/newest 302',
  'a shop that came from Shopify': `/collections/:collection/products/:product /products/:product 301
/collections/* /category/:splat 301
/pages/* /:splat 301
/blogs/news/* /blog/:splat 301
/cart https://checkout.example.com/cart 302
/account/* https://checkout.example.com/account/:splat 302
/discount/:code /?discount=:code 302`,
  'a shop with parameters': `/store id=:id /products/:id 301
/store /products 301
/search q=:q /results/:q 302
/product.php id=:id lang=de /de/products/:id 301
/product.php id=:id /products/:id 301
/cart.php action=add id=:id /cart?add=:id 302`,
  'a forum with parameters':
    '/viewtopic.php f=:f t=:t /forum/:f/topic/:t 301\n/viewtopic.php t=:t /topic/:t 301\n/index.php / 301!\n/memberlist.php mode=viewprofile u=:u /users/:u 301',
  'a wiki with parameters':
    '/index.php title=:title /wiki/:title 301\n/wiki/index.php title=:title action=edit /wiki/:title 302\n/w/* /wiki/:splat 301\n/wiki /wiki/Main_Page 302',
  'a site that came from PHP':
    '/index.php / 301\n/about.php /about 301\n/contact.php /contact/ 301\n/products.php /products/ 301\n/*.php /:splat 301',
  'a site that came from ASP':
    '/Default.aspx / 301\n/News/Article.aspx id=:id /news/:id 301\n/Products/* /products/:splat 301\n/Contact.aspx /contact 301',
  'pages without their ending': `/index.html / 301!
/about.html /about 301!
/contact.html /contact 301!
/services.html /services 301
/home / 301!
/home.html / 301!`,
  'pages with their ending':
    '/about /about.html 301\n/contact /contact.html 301\n/blog /blog/index.html 301\n/docs /docs/README.html 301\n/team /team.html 302',
  'pages in place':
    '/portfolio/one /portfolio/one/ 200\n/services /pages/services.html 200\n/services/ /pages/services.html 200\n/projects/* /pages/projects.html 200\n/privacy /legal/privacy.html 200',
  'pages without and with a slash':
    '/blog/ /blog 301\n/news /news/ 301\n/docs/* /documentation/:splat/ 301\n/team/:name/ /people/:name 301',
  'versions of documents': `/ /latest/ 302
/docs /docs/latest/ 302
/docs/latest/* /docs/v3/:splat 302
/docs/stable/* /docs/v3/:splat 200
/docs/v1/* /docs/v2/:splat 301
/docs/next /docs/v4/
/docs/:version/api/:module.html /docs/:version/reference/:module 301`,
  'documents whose pages moved': `/docs/install /docs/getting-started/installation 301
/docs/install.html /docs/getting-started/installation 301
/docs/getting-started /docs/getting-started/introduction 302
/docs/guides/* /guides/:splat 301
/guide/:page.html /guides/:page 301
/reference/cli/* /cli/:splat 301
/reference/* /api/:splat 301
/api.html#methods /api/methods 301`,
  'documents at another host':
    '/docs/* https://docs.example.com/:splat 301!\n/blog/* https://blog.example.com/:splat 301!\n/status https://status.example.com 302\n/community https://forum.example.com/c/general?order=new 302',
  'links in short': `/gh https://github.com/example
/twitter https://twitter.com/example 302
/chat https://discord.gg/AbCdEf 302
/slides/* https://slides.example.com/:splat 302
/r/:repository https://github.com/example/:repository 302
/issues/:number https://github.com/example/tool/issues/:number 302
/cv https://docs.example.com/document/d/1aB_c-D/edit?usp=sharing 302!
/meet https://meet.example.com/abc-defg-hij#now 302`,
  'links with colons':
    '/map https://maps.example.com/@1.2,3.4,15z 302\n/cal https://calendar.example.com/r?cid=a:b@example.com 302\n/doc https://x.sharepoint.example/:b:/g/personal/a?e=1 301!\n/at https://example.com/time/12:30 302',
  'mail and other settings':
    '/.well-known/webfinger https://social.example.com/.well-known/webfinger 301\n/.well-known/host-meta https://social.example.com/.well-known/host-meta 301\n/.well-known/caldav https://dav.example.com/ 302\n/.well-known/change-password /account/password 302',
  'one host only': `http://example.com/* https://www.example.com/:splat 301!
https://example.com/* https://www.example.com/:splat 301!
https://old-name.netlify.app/* https://www.example.com/:splat 301!
/old /new 301
/older/* /new/:splat`,
  'several languages': `/ /de/ 302 Language=de
/ /fr/ 302 Language=fr
/ /en/ 302
/en-us/* /en/:splat 301
/de/* /de/404.html 404
/fr/* /fr/404.html 404
/en/* /en/404.html 404`,
  countries:
    '/ /uk 302 Country=gb\n/ /anz 302 Country=au,nz\n/israel/* /il/:splat 302 Country=il Language=he\n/china/* /cn/:splat 302',
  roles:
    '/admin/* 200! Role=admin\n/admin/* /login 302!\n/members/* /members/:splat 200 Role=member\n/members/* /join 401!',
  'a not-found page of each folder': '/docs/* /docs/404.html 404\n/blog/* /blog/404.html 404\n/* /404.html 404',
  'all that is not there leads home': '/* / 302',
  'all that is not there leads home, in place': '/* /index.html 404',
  'a site that has ended': '/* https://new.example.com/:splat 301!',
  'a site under maintenance': '/assets/* /assets/:splat 200\n/* /maintenance.html 503!\n/* /maintenance.html 200!',
  'pages that are gone':
    '/old-offer /gone.html 410\n/jobs/* /gone.html 410\n/press /gone.html 404!\n/events/2019/* /gone 410',
  'spaces and other letters': `/with%20space /without-space 301
/caf%C3%A9 /coffee 301
/über-uns /about 301
/日本語/* /ja/:splat 301
/files/my%20file.pdf /files/my-file.pdf 301
/c++ /cpp 301
/q%26a /faq 301`,
  'upper case': '/About /about 301\n/BLOG/* /blog/:splat 301\n/Docs/:Page /docs/:Page 302',
  podcasts:
    '/rss https://feeds.example.com/show/rss 302\n/episode/:number /episodes/:number/ 301\n/ep/:number /episodes/:number/ 302\n/:number/listen https://listen.example.com/:number 302\n/audio/* https://cdn.example.com/audio/:splat 302',
  'events by the year':
    '/ /2026/ 302\n/schedule /2026/schedule 302\n/2025/* https://2025.example.com/:splat 301\n/tickets https://tickets.example.com/e/26?ref=site 302\n/speakers/:name /2026/speakers/:name 302',
  'proxies for statistics':
    '/js/script.js https://stats.example.com/js/script.js 200\n/api/event https://stats.example.com/api/event 202\n/ingest/* https://eu.example.com/:splat 200\n/* /index.html 200',
  'proxies for sitemaps and feeds':
    '/sitemap.xml https://api.example.com/sitemap.xml 200\n/robots.txt /robots-live.txt 200\n/feed https://feeds.example.com/all 301\n/blog/sitemap.xml /sitemap.xml 301',
  'rules with comments and blank lines': `# Redirects
   # indented

/a    /b     301   # why
/c	/d	302
/e /f 301 # see https://example.com/issue/1

#/off /nowhere 301
/g /h
`,
  'rules with mistakes': '/a\n/b /c 301 302\nd /e 301\n/f /g 999\n/h//i /j 301\n/k /l 301\n/m -> /n\n/o, /p 301',
  'splats in the middle':
    '/a/*/edit /edit?page=:splat 302\n/*.jpg /images/:splat.webp 301\n/old-*/x /new/:splat 301\n/img/*.png /pictures/:splat.png 301\n/x/* /y/:splat 301',
  'placeholders beside text':
    '/p-:id /post/:id 301\n/@:user /users/:user 301\n/v:version/* /versions/:version/:splat 301\n/user/:id.json /api/users/:id 302\n/:a-:b /pair/:a/:b 302',
  'targets with parameters':
    '/go/:where /open?to=:where&from=site 302\n/find/* /search?q=:splat 302\n/utm /?utm_source=card&utm_medium=print 302\n/jump/:where /page#:where 301\n/keep /page?x=1#top 301',
  'rules that lead on':
    '/one /two 301\n/two /three 301\n/three /about 301\n/loop-a /loop-b 301\n/loop-b /loop-a 301\n/self /self 301\n/self/* /self/:splat 301',
  'order and force':
    '/docs/special /special 301\n/docs/* /manual/:splat 301\n/docs/late /never 301\n/about /team 301\n/blog /journal 301!\n/blog/* /journal/:splat 301!\n/img/* /pictures/:splat 302',
}
