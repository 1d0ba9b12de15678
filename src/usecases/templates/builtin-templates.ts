// The templates that every site has. A site's own `.templates/<id>.html` overrides the one with the same id.

const BLANK = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ title }}</title>
</head>
<body>
{{ content }}
</body>
</html>
`

const ARTICLE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ title }}</title>
<style>
:root { color-scheme: light dark }
body { font: 1.1rem/1.65 Georgia, serif; max-width: 42rem; margin: 3rem auto; padding: 0 1.25rem }
h1, h2, h3 { line-height: 1.2 }
img, video, table { max-width: 100% }
pre { overflow-x: auto }
</style>
</head>
<body>
<article>
{% if title != "" %}<h1>{{ title }}</h1>
{% endif %}{{ content }}
</article>
</body>
</html>
`

const LANDING = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ title }}</title>
<style>
:root { color-scheme: light dark }
body { font: 1.15rem/1.6 system-ui, sans-serif; margin: 0 }
header { padding: 18vh 1.25rem 8vh; text-align: center }
header h1 { font-size: clamp(2rem, 7vw, 4rem); line-height: 1.1; margin: 0 }
main { max-width: 52rem; margin: 0 auto; padding: 0 1.25rem 6rem }
</style>
</head>
<body>
<header><h1>{{ title }}</h1></header>
<main>
{{ content }}
</main>
</body>
</html>
`

/** Liquid sources by template id. */
export const BUILTIN_TEMPLATES: ReadonlyMap<string, string> = new Map([
  ['article', ARTICLE],
  ['blank', BLANK],
  ['landing', LANDING],
])

/** The template of a page that is created with neither html nor a template. */
export const DEFAULT_TEMPLATE = 'blank'
