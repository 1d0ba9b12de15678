// Random folders for tests that hold several ways to publish against each other.

import * as fc from 'fast-check'
import { isFilePath } from '../../../src/model/paths/file-path.js'
import { foldCase, pagePathOf } from '../../../src/model/paths/page-path.js'
import type { Folder } from './folder.js'

const MAX_PAGE_BYTES = 3_000_000
const NAMES = [
  'a',
  'B',
  'é',
  '日本',
  'a b',
  'x+y',
  '100%',
  'c~d',
  "it's",
  '-rf',
  'index',
  'v1.2',
  'emoji😀',
  '_x',
  '[slug]',
  'a&b=c',
]
const ENDINGS = ['.html', '.html', '.css', '.mjs', '.wasm', '.avif', '.webmanifest', '.js.map', '.woff2', '', '.txt']
/**
 * A folder of files of these sizes, of which every protocol takes every name: no two are one where case does not count, no page answers
 * for another. A page has at most `MAX_PAGE_BYTES`, and at least one.
 */
export const foldersOf = (sizes: readonly number[]): fc.Arbitrary<Folder> =>
  fc
    .uniqueArray(
      fc.record({
        folders: fc.array(fc.constantFrom(...NAMES), { maxLength: 3 }),
        name: fc.constantFrom(...NAMES),
        ending: fc.constantFrom(...ENDINGS),
        size: fc.constantFrom(...sizes),
        fill: fc.integer({ min: 97, max: 122 }),
      }),
      {
        minLength: 20,
        maxLength: 30,
        selector: ({ name, ending, folders: above }) => foldCase([...above, name + ending].join('/')),
      },
    )
    .map((files) => {
      const folder: Folder = {}
      const taken = new Set<string>()
      for (const { folders: above, name, ending, size, fill } of files) {
        const path = [...above.map((part) => `d-${part}`), name + ending].join('/')
        const page = pagePathOf(path)
        // A page and a file or folder of its name would be one URL.
        const place = foldCase(path.replace(/(?:\/index)?\.html$/, ''))
        if (taken.has(place) || (page === undefined && !isFilePath(path))) continue
        taken.add(place)
        folder[path] =
          page === undefined ? bytesOf(size, fill) : Buffer.alloc(Math.min(Math.max(size, 1), MAX_PAGE_BYTES), fill)
      }
      return folder
    })

/** No two blocks of them are alike, so that none could stand for another. */
function bytesOf(size: number, fill: number): Buffer {
  const bytes = Buffer.alloc(size, fill)
  for (let at = 0; at + 4 <= size; at += 4096) bytes.writeUInt32LE(at + fill, at)
  return bytes
}
