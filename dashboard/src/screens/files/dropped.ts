// The files that were dropped or chosen, with the names that they get in the site.

import type { LocalFile } from './upload.js'

/** Hidden names are left at home, as the command line leaves them, and folders that only a build needs. */
const LEFT_OUT = /(?:^|\/)(?:\.(?!well-known\/)|node_modules\/)/

/** Call it before the first `await` of a drop: browsers forget the items then. */
export function entriesOfDrop(items: DataTransferItemList): FileSystemEntry[] {
  return Array.from(items, (item) => item.webkitGetAsEntry()).filter((entry) => entry !== null)
}

/** A single folder becomes the root of what is uploaded: its own name is left out. */
export async function filesOfEntries(entries: readonly FileSystemEntry[]): Promise<LocalFile[]> {
  const [only] = entries
  const roots = entries.length === 1 && only !== undefined && isFolder(only) ? await readFolder(only) : entries
  const found: LocalFile[] = []
  for (const root of roots) await collect(root, '', found)
  return found.filter(({ name }) => !LEFT_OUT.test(name))
}

/** Of an input: files of a folder carry their path in it. */
export function filesOfInput(files: Iterable<File>): LocalFile[] {
  const named = Array.from(files, (file) => {
    const [, ...inside] = file.webkitRelativePath.split('/')
    return { name: inside.length > 0 ? inside.join('/') : file.name, bytes: file }
  })
  return named.filter(({ name }) => !LEFT_OUT.test(name))
}

async function collect(entry: FileSystemEntry, folder: string, found: LocalFile[]): Promise<void> {
  const name = `${folder}${entry.name}`.normalize('NFC')
  if (isFolder(entry)) {
    if (LEFT_OUT.test(`${name}/`)) return
    // Folders are read one by one: a large tree opens few files at once.
    // oxlint-disable-next-line no-await-in-loop
    for (const child of await readFolder(entry)) await collect(child, `${name}/`, found)
  } else found.push({ name, bytes: await readFile(entry as FileSystemFileEntry) })
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}

function readFile(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject))
}

/** A reader answers a part at a time, and nothing at the end. */
async function readFolder(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (part.length === 0) return all
    all.push(...part)
  }
}
