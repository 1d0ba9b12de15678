// Reads the files of a zip archive in the browser (APPNOTE 6.3, sections 4.3.6 to 4.4). It reads the list at the end, then each file.

import { LEFT_OUT } from './dropped.js'
import type { LocalFile } from './upload.js'

const END = 0x06_05_4b_50
const ENTRY = 0x02_01_4b_50
/** The end record, with the longest comment. */
const MAX_END_BYTES = 22 + 65_535
const IN_ZIP64 = 0xff_ff_ff_ff
/** A folder, or what macOS adds beside the files. */
const NO_FILE = /\/$|^__MACOSX\//
const STORED = 0
const DEFLATED = 8

interface Entry {
  name: string
  method: number
  packedBytes: number
  bytes: number
  /** The place of its own head. */
  at: number
}

/** Returns the archive, if the only one of these files is one. */
export function onlyZip(files: Iterable<File>): File | undefined {
  const [only, other] = files
  const isZip = only !== undefined && (/\.zip$/i.test(only.name) || only.type === 'application/zip')
  return isZip && other === undefined ? only : undefined
}

/** Returns the files. A single folder around all of them is left away, as for a folder that is dropped. Throws an error for people. */
export async function filesOfZip(zip: Blob): Promise<LocalFile[]> {
  const files: LocalFile[] = []
  const entries = (await readEntries(zip)).filter(({ name }) => !NO_FILE.test(name))
  const around = folderAround(entries.map(({ name }) => name))
  for (const entry of entries) {
    if (LEFT_OUT.test(entry.name.slice(around.length))) continue
    // One file at a time, so that a large archive does not open thousands of streams.
    // oxlint-disable-next-line no-await-in-loop
    files.push({ name: entry.name.slice(around.length), bytes: await unpack(zip, entry) })
  }
  return files
}

async function readEntries(zip: Blob): Promise<Entry[]> {
  const tail = await viewOf(zip, Math.max(0, zip.size - MAX_END_BYTES), zip.size)
  let end = tail.byteLength - 22
  while (end >= 0 && tail.getUint32(end, true) !== END) end--
  if (end < 0) throw new Error('This file is no zip archive.')
  const count = tail.getUint16(end + 10, true)
  const start = tail.getUint32(end + 16, true)
  if (start === IN_ZIP64 || count === 0xff_ff)
    throw new Error('This zip archive is too large: drop its folder instead.')
  const list = await viewOf(zip, start, start + tail.getUint32(end + 12, true))
  const entries: Entry[] = []
  for (let at = 0; entries.length < count && at + 46 <= list.byteLength; ) {
    if (list.getUint32(at, true) !== ENTRY) break
    entries.push(entryAt(list, at))
    at += 46 + list.getUint16(at + 28, true) + list.getUint16(at + 30, true) + list.getUint16(at + 32, true)
  }
  if (entries.length !== count) throw damaged()
  return entries
}

function entryAt(list: DataView<ArrayBuffer>, at: number): Entry {
  if ((list.getUint16(at + 8, true) & 1) !== 0) throw new Error('This zip archive has a password: make one without.')
  const bytes = new Uint8Array(list.buffer, list.byteOffset + at + 46, list.getUint16(at + 28, true))
  return {
    name: new TextDecoder().decode(bytes).replaceAll('\\', '/').normalize('NFC'),
    method: list.getUint16(at + 10, true),
    packedBytes: list.getUint32(at + 20, true),
    bytes: list.getUint32(at + 24, true),
    at: list.getUint32(at + 42, true),
  }
}

async function unpack(zip: Blob, { name, method, packedBytes, bytes, at }: Entry): Promise<Blob> {
  const head = await viewOf(zip, at, at + 30)
  if (head.byteLength < 30) throw damaged()
  const start = at + 30 + head.getUint16(26, true) + head.getUint16(28, true)
  const packed = zip.slice(start, start + packedBytes)
  if (method === STORED) return packed
  if (method !== DEFLATED)
    throw new Error(`${name} is packed in a way that browsers do not know: drop the folder instead.`)
  return await inflate(packed, bytes)
}

/** Stops at the size that the archive tells: a small archive may pack endless bytes. */
async function inflate(packed: Blob, size: number): Promise<Blob> {
  const parts: BlobPart[] = []
  let left = size
  const reader = packed.stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
  for (;;) {
    // Chunks come one after the other.
    // oxlint-disable-next-line no-await-in-loop
    const { done, value } = await reader.read().catch(() => {
      throw damaged()
    })
    if (done) break
    left -= value.byteLength
    if (left < 0) throw damaged()
    parts.push(value)
  }
  if (left !== 0) throw damaged()
  return new Blob(parts)
}

/** Returns the folder that holds all files, with its slash; '' where there is none. */
function folderAround(names: readonly string[]): string {
  const folder = names[0]?.replace(/\/.*$|[^/]*$/s, '') ?? ''
  if (folder === '' || !names.every((name) => name.startsWith(`${folder}/`))) return ''
  return `${folder}/`
}

async function viewOf(zip: Blob, from: number, to: number): Promise<DataView<ArrayBuffer>> {
  return new DataView(await zip.slice(from, to).arrayBuffer())
}

function damaged(): Error {
  return new Error('This zip archive is damaged: make it again, or drop its folder.')
}
