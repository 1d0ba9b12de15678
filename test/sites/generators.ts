// Sites built by the generators themselves, each from npm with a Node of its own in a folder that goes afterwards.

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { run } from '../scenarios/serve-process.js'
import { installPackages, NODE_PACKAGE } from '../support/npm/install.js'
import { writeArticles } from './articles.js'
import type { SiteSource } from './program.js'

const BUILD_LIMIT_MS = 300_000
/** Newer than the project's own. */
const NODE_VERSION = '22.23.3'

interface Generator {
  name: string
  packages: Readonly<Record<string, string>>
  /** The files of its source, by name, in addition to the articles. */
  source: Readonly<Record<string, string>>
  writeContent: (folder: string) => void
  /** A program of its packages, and arguments. */
  build: readonly [program: string, ...args: string[]]
  /** The folder that the build writes. */
  output: string
}

const TYPEFACE = { '@fontsource/inter': '5.2.8' }
const PACKAGE = JSON.stringify({ private: true, type: 'module' })

const GENERATORS: readonly Generator[] = [
  {
    name: 'astro',
    packages: { astro: '7.3.5', ...TYPEFACE },
    source: {
      'package.json': PACKAGE,
      'astro.config.mjs': `import { defineConfig, passthroughImageService } from 'astro/config'
export default defineConfig({ image: { service: passthroughImageService() }, devToolbar: { enabled: false } })`,
      'src/layouts/Article.astro': `---
import '@fontsource/inter/400.css'
const { title } = Astro.props.frontmatter
---
<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title><link rel="icon" href="/favicon.svg"></head>
<body><main><slot /></main><button>0</button>
<style is:global>body { font-family: Inter; margin: 2rem }</style>
<script>const button = document.querySelector('button')
button.onclick = () => (button.textContent = String(Number(button.textContent) + 1))</script>
</body></html>`,
      'src/pages/404.md': '---\nlayout: /src/layouts/Article.astro\ntitle: Not found\n---\n# Not found\n',
      'public/favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    },
    writeContent: (folder) =>
      writeArticles(join(folder, 'src/pages'), {
        frontMatter: 'layout: /src/layouts/Article.astro\n',
        linkTo: (chapter) => `/guide/chapter-${chapter}/`,
      }),
    build: ['astro', 'build'],
    output: 'dist',
  },
  {
    name: 'vitepress',
    packages: { vitepress: '1.6.4' },
    source: {
      'package.json': PACKAGE,
      '.vitepress/config.mjs': `export default { title: 'A site', lastUpdated: false,
  themeConfig: { search: { provider: 'local' }, sidebar: [{ text: 'Guide', items: [{ text: 'One', link: '/guide/chapter-1' }] }] } }`,
    },
    writeContent: (folder) => writeArticles(folder, { linkTo: (chapter) => `./chapter-${chapter}.md` }),
    build: ['vitepress', 'build'],
    output: '.vitepress/dist',
  },
  {
    name: 'eleventy',
    packages: { '@11ty/eleventy': '3.1.2', ...TYPEFACE },
    source: {
      'package.json': PACKAGE,
      'eleventy.config.js': `export default (config) => {
  config.addPassthroughCopy('content/**/*.png')
  config.addPassthroughCopy('content/style.css')
  config.addPassthroughCopy({ 'node_modules/@fontsource/inter/files/inter-latin-400-normal.woff2': 'fonts/inter.woff2' })
  return { dir: { input: 'content', output: '_site' } }
}`,
      'content/style.css':
        '@font-face { font-family: Inter; src: url("fonts/inter.woff2") format("woff2") } body { font-family: Inter }',
      'content/_includes/article.njk': `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{{ title }}</title>
<link rel="stylesheet" href="/style.css"><link rel="icon" href="data:,"></head><body>{{ content | safe }}</body></html>`,
    },
    writeContent: (folder) =>
      writeArticles(join(folder, 'content'), {
        // A chapter stands in a folder of its own, its picture does not.
        frontMatter: 'layout: article.njk\npermalink: "{{ page.filePathStem }}.html"\n',
        linkTo: (chapter) => `/guide/chapter-${chapter}.html`,
      }),
    build: ['eleventy'],
    output: '_site',
  },
  {
    name: 'docusaurus',
    packages: {
      '@docusaurus/core': '3.10.2',
      '@docusaurus/preset-classic': '3.10.2',
      react: '19.2.0',
      'react-dom': '19.2.0',
      // A newer one refuses the progress bar of Docusaurus.
      webpack: '5.99.9',
    },
    source: {
      'package.json': JSON.stringify({ private: true, name: 'site' }),
      'docusaurus.config.js': `module.exports = { title: 'A site', url: 'http://docusaurus.localhost', baseUrl: '/',
  presets: [['classic', { docs: { routeBasePath: '/' }, blog: false }]] }`,
    },
    writeContent: (folder) => writeArticles(join(folder, 'docs'), { linkTo: (chapter) => `./chapter-${chapter}.md` }),
    build: ['docusaurus', 'build'],
    output: 'build',
  },
]

export const GENERATED: readonly SiteSource[] = GENERATORS.map((generator) => ({
  name: generator.name,
  build: async (folder) => await build(generator, folder),
}))

async function build({ packages, source, writeContent, build: command, output }: Generator, folder: string) {
  for (const [name, text] of Object.entries(source)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  writeContent(folder)
  await installPackages(folder, { [NODE_PACKAGE]: NODE_VERSION, ...packages })
  const modules = join(folder, 'node_modules')
  const node = join(modules, NODE_PACKAGE, 'bin', 'node')
  const [program, ...args] = command
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    CI: 'true',
    NODE_ENV: 'production',
    ASTRO_TELEMETRY_DISABLED: '1',
  }
  const built = await run(node, [join(modules, '.bin', program), ...args], {
    cwd: folder,
    env,
    timeout: BUILD_LIMIT_MS,
  })
  if (built.code !== 0) throw new Error(`${command.join(' ')}: ${built.stdout}${built.stderr}`)
  return { folder: join(folder, output), options: [] }
}
