// The page that a first start publishes: it shows the site's address and says how to replace the page.

export const WELCOME_PATH = '/'

export function welcomePage(site: { url: string }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>It works: this page is a commit</title>
<style>
:root { color-scheme: light dark }
body { font: 1.05rem/1.6 system-ui, sans-serif; max-width: 38rem; margin: 12vh auto; padding: 0 1.25rem }
h1 { font-size: 1.9rem; line-height: 1.2 }
code { background: color-mix(in srgb, currentColor 10%, transparent); padding: .1em .3em; border-radius: .25em }
</style>
</head>
<body>
<h1>It works: this page is a commit.</h1>
<p>You are looking at <code>${site.url}/</code>, served from <code>index.html</code> at the head of a git repository.
Replace it through the API and the new version is here with the answer; every version stays in the history.</p>
<p>The terminal that started the service shows how to make a key and publish the next page.</p>
</body>
</html>
`
}
