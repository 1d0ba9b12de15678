import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { FOLDER_RULES } from './folder-rules.js'
import { withPicture } from './folder-picture.js'
import { isAllowed, judgeImports, packageOf } from './judge-imports.js'
import { readImports } from './read-imports.js'
import { fileGraph, folderOf, sourceFiles, targetOf } from './source-files.js'

const files = sourceFiles()
const folders = [...new Set(files.map(folderOf))]

/** Every form of an import that the rules must see. */
const FORMS = [
  (path: string) => `import { name } from '${path}'`,
  (path: string) => `import type { Name } from '${path}'`,
  (path: string) => `import '${path}'`,
  (path: string) => `export { name } from '${path}'`,
  (path: string) => `export * from '${path}'`,
  (path: string) => `export const later = () => import('${path}')`,
  (path: string) => `export type Name = import('${path}').Name`,
  (path: string) => `export const entry = new URL('${path}', import.meta.url)`,
]

/** The files outside of src/nodes that import from it, and why. No other file may ask whether it runs on a node. */
const IMPORTING_NODES: Record<string, string> = {
  'src/processes/machine.ts': 'it makes what differs on a node',
  'src/processes/config/check-environment.ts': 'it refuses a wrong DATABASE_URL',
  'src/cli/operator/offline.ts': "an operator's command beside a node",
  'src/cli/operator/on-server.ts': 'errors of the database, explained to the operator',
  'src/cli/operator/signing.ts': 'the keys that sign on all nodes',
}

describe('the import rules', () => {
  it('allow every import of src and schemas', () => {
    const refused = files.flatMap((file) => judgeImports(file, readFileSync(file, 'utf8')))
    assert.deepEqual(refused, [])
  })

  const refusedPairs = pairs().filter(({ from, to }) => !isAllowed(from, to))

  it(`refuse one generated import for each of the ${refusedPairs.length} ordered pairs of folders that they do not allow`, () => {
    assert.ok(refusedPairs.length >= 52)
    for (const [number, { from, to }] of refusedPairs.entries()) {
      const { file, text } = importBetween(from, to, FORMS[number % FORMS.length] as (typeof FORMS)[number])
      assert.equal(judgeImports(file, text).length, 1, `${from} → ${to} is not refused: ${text}`)
    }
  })

  it('accept one generated import for each ordered pair of folders that they allow', () => {
    for (const { from, to } of pairs().filter((pair) => isAllowed(pair.from, pair.to))) {
      const { file, text } = importBetween(from, to, (path) => `import { name } from '${path}'`)
      assert.deepEqual(judgeImports(file, text), [])
    }
  })

  it('refuse packages that a folder does not name', () => {
    assert.deepEqual(judgeImports('src/model/ids.ts', "import git from 'isomorphic-git'"), [
      'src/model/ids.ts imports isomorphic-git',
    ])
  })

  it('let commands load isomorphic-git by import() alone, so that no other command waits for it', () => {
    const inFull = /^import (?!type ).*'isomorphic-git/m
    assert.deepEqual(
      files.filter((file) => inFull.test(readFileSync(file, 'utf8'))),
      [],
    )
  })

  it('allow nothing that no file needs', () => {
    const needed = new Set(files.flatMap((file) => needsOf(file, readFileSync(file, 'utf8'))))
    const allowed = Object.entries(FOLDER_RULES).flatMap(([from, { knows, packages }]) =>
      [...knows.filter((name) => !name.endsWith('/*')), ...packages].map((name) => `${from} → ${name}`),
    )
    const unused = allowed.filter((line) => !needed.has(line))
    assert.deepEqual(unused, [], 'remove these from test/project/folder-rules.ts')
  })

  it('are drawn in docs/architecture.md', () => {
    const document = readFileSync('docs/architecture.md', 'utf8')
    assert.equal(document, withPicture(document), 'the picture is stale: run `npm run draw-folders`')
  })

  it('name no folder that does not exist', () => {
    assert.deepEqual(Object.keys(FOLDER_RULES).toSorted(), [...folders].toSorted())
  })
})

describe('imports', () => {
  it('take code of nodes into the file that makes a machine, and into few others', () => {
    const isOfNodes = (file: string) => file.startsWith('src/nodes/')
    const importing = [...fileGraph(files)]
      .filter(([file, targets]) => !isOfNodes(file) && targets.some(isOfNodes))
      .map(([file]) => file)
    assert.deepEqual(importing.toSorted(), Object.keys(IMPORTING_NODES).toSorted())
  })

  it('make no cycle between folders', () => {
    const allowed = new Map(folders.map((from) => [from, folders.filter((to) => to !== from && isAllowed(from, to))]))
    assert.deepEqual(cyclesIn(allowed), [])
  })

  it('make no cycle between files, imports of types included', () => {
    assert.deepEqual(cyclesIn(fileGraph(files)), [])
  })
})

function pairs(): { from: string; to: string }[] {
  return folders.flatMap((from) => folders.filter((to) => to !== from).map((to) => ({ from, to })))
}

/** A file of the one folder that imports a file of the other. */
function importBetween(from: string, to: string, form: (path: string) => string): { file: string; text: string } {
  const file = join(from === 'schemas' ? from : from === 'main' ? 'src' : `src/${from}`, 'generated.ts')
  const target = files.find((name) => folderOf(name) === to) as string
  const path = relative(dirname(file), target).replace(/\.ts$/, '.js')
  return { file, text: form(path.startsWith('.') ? path : `./${path}`) }
}

/** Returns `git/storage → git/objects` and `git/storage → lru-cache`, for the imports of the file. */
function needsOf(file: string, text: string): string[] {
  return readImports(file, text).map(({ specifier }) => {
    const target = targetOf(file, specifier)
    return `${folderOf(file)} → ${target === null ? packageOf(specifier) : folderOf(target)}`
  })
}

/** One cycle of each strongly connected part, as `a → b → a`. */
function cyclesIn(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const cycles: string[] = []
  const done = new Set<string>()
  const visit = (node: string, path: readonly string[]): void => {
    const at = path.indexOf(node)
    if (at >= 0) {
      cycles.push([...path.slice(at), node].join(' → '))
      return
    }
    if (done.has(node)) return
    for (const next of graph.get(node) ?? []) visit(next, [...path, node])
    done.add(node)
  }
  for (const node of graph.keys()) visit(node, [])
  return cycles
}
