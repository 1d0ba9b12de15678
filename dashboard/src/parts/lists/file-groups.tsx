// Files in the order of their paths. Many are folded by their folders, and can be searched.

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { formatCount } from '../../format.js'
import { SearchField } from '../controls/search-field.js'
import { Disclosure } from '../states/disclosure.js'

interface FileGroupsProps<T> {
  files: readonly T[]
  children: (file: T) => ComponentChildren
}

/** So many are shown without folding. */
const FEW = 20
/** The most of a folder, or found by a search, that are shown. */
const MAX_SHOWN = 100

const { compare } = new Intl.Collator('en', { numeric: true })

export function FileGroups<T extends { path: string }>({ files, children }: FileGroupsProps<T>) {
  const [words, setWords] = useState('')
  const sorted = files.toSorted((a, b) => compare(a.path, b.path))
  if (sorted.length <= FEW) return <Files files={sorted}>{children}</Files>
  const wanted = words.trim().toLowerCase()
  const found = sorted.filter(({ path }) => path.toLowerCase().includes(wanted))
  return (
    <div class="stack">
      <div class="bar">
        <SearchField label="Find in these files" value={words} onValue={setWords} />
      </div>
      {wanted === '' ? (
        [...byFolder(sorted)].map(([folder, within]) => (
          <Disclosure key={folder} title={<Title folder={folder} count={within.length} />}>
            <Files files={within}>{children}</Files>
          </Disclosure>
        ))
      ) : (
        <>
          {found.length === 0 && <p class="hint">None of them has this in its path.</p>}
          <Files files={found}>{children}</Files>
        </>
      )}
    </div>
  )
}

function Title({ folder, count }: { folder: string; count: number }) {
  return (
    <>
      {folder} <span class="hint">{formatCount(count, 'file')}</span>
    </>
  )
}

function Files<T extends { path: string }>({ files, children }: FileGroupsProps<T>) {
  return (
    <>
      <ul class="files">
        {files.slice(0, MAX_SHOWN).map((file) => (
          <li key={file.path}>{children(file)}</li>
        ))}
      </ul>
      {files.length > MAX_SHOWN && (
        <p class="hint">and {formatCount(files.length - MAX_SHOWN, 'more file')}: search for them</p>
      )}
    </>
  )
}

/** Groups by the folder that holds a file; those at the top come first. */
function byFolder<T extends { path: string }>(files: readonly T[]): ReadonlyMap<string, T[]> {
  const groups = new Map<string, T[]>([['/', []]])
  for (const file of files) {
    const folder = `/${file.path.replace(/[^/]*$/, '')}`
    groups.set(folder, [...(groups.get(folder) ?? []), file])
  }
  return new Map([...groups].filter(([, within]) => within.length > 0))
}
