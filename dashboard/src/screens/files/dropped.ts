// Finds the dropped or chosen files, with their names in the site.

import type { LocalFile } from './upload.js'

/** Ignored: hidden names, as in the command line, and folders that only a build needs. */
export const LEFT_OUT = /(?:^|\/)(?:\.(?!well-known\/)|node_modules\/)/

/** Returns the entries of a drop. Call it before the first `await`: browsers discard the items then. */
export function entriesOfDrop(items: DataTransferItemList): FileSystemEntry[] {
  return Array.from(items, (item) => item.webkitGetAsEntry()).filter((entry) => entry !== null)
}

/** Returns the files of the entries. A single folder becomes the root of the upload: its own name is omitted. */
export async function filesOfEntries(entries: readonly FileSystemEntry[]): Promise<LocalFile[]> {
  const [only] = entries
  const roots = entries.length === 1 && only !== undefined && isFolder(only) ? await readFolder(only) : entries
  const found: LocalFile[] = []
  for (const root of roots) await collect(root, '', found)
  return found.filter(({ name }) => !LEFT_OUT.test(name))
}

/** Returns the files of an input. Those of a folder have their path in their name. */
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
    // Reads folders one by one, so that a large tree opens few files at once.
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

/** Lists a folder. The reader returns a part at a time, and an empty part at the end. */
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
