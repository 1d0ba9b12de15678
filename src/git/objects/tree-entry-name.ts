// Names of tree entries: refuses unsafe names (git's verify_path and fsck, and names that checkouts would misread), and joins paths.

const MAX_NAME_BYTES = 255

/** Returns why the entry is skipped; undefined for a good name. `raw` are the bytes that `name` was decoded from. */
export function refuseName(name: string, raw: Uint8Array): string | undefined {
  if (name === '' || name === '.' || name === '..') return 'the name is not a file name'
  if (raw.length > MAX_NAME_BYTES) return 'the name is longer than 255 bytes'
  if (name.includes('\uFFFD') && !Buffer.from(name, 'utf8').equals(raw)) return 'the name is not UTF-8'
  if (/[/\\]/.test(name)) return 'the name holds a slash or a backslash'
  if (/\p{Cc}/u.test(name)) return 'the name holds a control character'
  if (isDotGit(name)) return 'the name could be read as .git'
  return undefined
}

/** Whether HFS+ (ignorable characters), NTFS (short names, trailing dots and spaces, streams) or a change of case makes it `.git`. */
function isDotGit(name: string): boolean {
  const plain = name.replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '').toLowerCase()
  return /^(\.git|git~[0-9]+)[ .]*(:.*)?$/.test(plain)
}

/** Returns the path of an entry of a folder, with slashes between names and none at either end; '' is the root. */
export function joinTreePath(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}
