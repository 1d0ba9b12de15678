import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROUTES } from '../../src/protocols/api/routes/table.js'
import { TOOLS } from '../../src/protocols/mcp/tools/tool-table.js'

const DECISIONS = 'docs/decisions'
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]

describe('the documents', () => {
  it('name files and folders of the project that exist', () => {
    const lost = documents.flatMap((document) =>
      namedPaths(document)
        .filter((path) => !existsSync(path))
        .map((path) => `${document}: ${path}`),
    )
    assert.deepEqual(lost, [])
  })

  it('link to documents that exist, and to headings that are there', () => {
    const lost = documents.flatMap((document) =>
      linksOf(document)
        .filter(({ file, heading }) => !existsSync(file) || (heading !== '' && !headingsOf(file).includes(heading)))
        .map(({ file, heading }) => `${document}: ${file}#${heading}`),
    )
    assert.deepEqual(lost, [])
  })

  it('are all found from the page that begins "I want to…"', () => {
    const start = linksOf('docs/README.md').map(({ file }) => file)
    const near = new Set(start.flatMap((file) => (file.endsWith('.md') ? linksOf(file).map((link) => link.file) : [])))
    const lost = documents.filter(
      (document) => /^docs\/(?!decisions|README)/.test(document) && !start.includes(document) && !near.has(document),
    )
    assert.deepEqual(lost, [])
  })

  it('say of each block of a road whether it runs here, or where', () => {
    const roads = documents.filter((document) => /^docs\/(?:guides|bring-your-site)/.test(document))
    const odd = [...roads, 'README.md'].flatMap((document) =>
      Array.from(readFileSync(document, 'utf8').matchAll(/^ *```(sh.*)$/gm), ([, words = '']) => words)
        .filter((words) => !/^sh(?: (?:on-a-server|with-docker|elsewhere))?$/.test(words))
        .map((words) => `${document}: ${words}`),
    )
    assert.deepEqual(odd, [])
  })
})

describe('docs/architecture.md', () => {
  const text = readFileSync('docs/architecture.md', 'utf8')

  it('names each function together with the file that has it', () => {
    const rows = [...text.matchAll(/\| `(src\/[^`]+)` \| `(\w+)` \|/g)].map(
      ([, file, name]) => [file, name] as [string, string],
    )
    assert.ok(rows.length >= 10)
    const lost = rows.filter(([file, name]) => !new RegExp(`\\b${name}\\b`).test(readFileSync(file, 'utf8')))
    assert.deepEqual(lost, [])
  })

  it('says what each top-level folder of src is responsible for', () => {
    const folders = readdirSync('src').map((name) => `\`src/${name}\``)
    assert.deepEqual(
      folders.filter((name) => !text.includes(name)),
      [],
    )
  })

  it('gives a reason for each folder of more than 15 files', () => {
    const crowded = ['src', 'schemas', 'test', 'bench', 'scripts']
      .flatMap((top) => [
        top,
        ...readdirSync(top, { recursive: true, encoding: 'utf8' }).map((name) => join(top, name)),
      ])
      .filter((path) => statSync(path).isDirectory())
      .filter((folder) => readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile()).length > 15)
    assert.deepEqual(
      crowded.filter((folder) => !text.includes(`\`${folder}\` holds more`)),
      [],
    )
  })
})

describe('docs/agents.md', () => {
  it('names for each endpoint its tools, or the reason why it has none', () => {
    const rows = [...readFileSync('docs/agents.md', 'utf8').matchAll(/^\| (`[^|]+) \| ([^|]+) \|$/gm)]
    const endpoints = (cell: string) =>
      Array.from(cell.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) [^`]+)`/g), ([, name]) => name)
    const said = new Map<string, string[]>()
    for (const [, left = '', right = ''] of rows) {
      const tools = Array.from(left.matchAll(/`(\w+)`/g), ([, name = '']) => name)
      for (const name of endpoints(right)) if (name !== undefined) said.set(name, tools)
      for (const name of endpoints(left)) if (name !== undefined) said.set(name, [])
    }
    const expected = ROUTES.map(({ method, path, operationId }) => {
      const tools = TOOLS.filter((tool) => tool.operationId === operationId).map(({ name }) => name)
      return [`${method.toUpperCase()} ${path}`, tools] as const
    })
    for (const [endpoint, tools] of expected)
      assert.deepEqual(said.get(endpoint)?.toSorted(), tools.toSorted(), endpoint)
  })
})

describe('each decision', () => {
  for (const name of readdirSync(DECISIONS)) {
    it(`has its five parts in order: ${name}`, () => {
      const text = readFileSync(join(DECISIONS, name), 'utf8')
      const parts = [...text.matchAll(/^(Status|## (?:Context|Decision|Consequences|Revisit when))/gm)].map(
        ([part]) => part,
      )
      assert.deepEqual(parts, ['Status', '## Context', '## Decision', '## Consequences', '## Revisit when'])
    })
  }
})

/** Links to the project's own files, with the heading or nothing. */
function linksOf(document: string): { file: string; heading: string }[] {
  const text = withoutCode(document)
  return Array.from(text.matchAll(/\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)/g), ([, target = '', heading = '']) => ({
    file: target === '' ? document : join(dirname(document), target),
    heading,
  }))
}

/** Names of headings as GitHub makes them of their text. */
function headingsOf(file: string): string[] {
  return Array.from(withoutCode(file).matchAll(/^#+ (.+)$/gm), ([, text = '']) =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

function withoutCode(file: string): string {
  return readFileSync(file, 'utf8').replaceAll(/^ *```.*?^ *```$/gms, '')
}

/** Paths of the project that a document names as code, such as `src/model/ids.ts`. Patterns are left out. */
function namedPaths(document: string): string[] {
  const codes = [
    ...readFileSync(document, 'utf8').matchAll(
      /`((?:(?:src|schemas|test|bench|scripts)\/[^`\s]*|docs\/[^`\s]*\.md))`/g,
    ),
  ]
  return codes.map(([, path]) => path as string).filter((path) => !/[<>*{}…]/.test(path))
}

/** A comment begins with a verb or with the name of its subject: a stranger then knows at once what it is about. */
const COMMENTED = ['src', 'schemas', 'test', 'bench', 'dashboard', 'scripts']
const CODE = /\.(?:tsx?|js|sh|css)$/
/** The first line of a comment: a line before it may end the sentence of another comment. */
const COMMENT = /^\s*(?:\/\/|\/\*\*?|#) (\w+)/
const OBSCURE = new Set(['What', 'Of', 'Who', 'Whoever', 'Whose'])

describe('the comments', () => {
  it('begin with no word that hides their subject', () => {
    const found = COMMENTED.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => CODE.test(name) && !name.includes('node_modules'))
        .flatMap((name) => obscureLinesOf(join(folder, name))),
    )
    assert.deepEqual(found, [])
  })
})

function obscureLinesOf(file: string): string[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.flatMap((line, at) => {
    const [, word = ''] = COMMENT.exec(line) ?? []
    return OBSCURE.has(word) ? [`${file}:${at + 1} ${line.trim()}`] : []
  })
}
