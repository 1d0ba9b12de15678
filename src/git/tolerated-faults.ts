// Faults of objects that old tools made and nothing reads wrongly. Other services take them too, so histories with them exist.

/** Message ids of git-fsck: a folder's mode as `040000`, no space before a date, and a time zone of another length. */
const TOLERATED = ['zeroPaddedFilemode', 'missingSpaceBeforeDate', 'badTimezone'] as const

/** The value of `--strict=` for `git index-pack`. */
export const TOLERATED_BY_INDEX_PACK = TOLERATED.map((id) => `${id}=ignore`).join(',')

/** The settings by which a command tolerates them: `fsck`, `receive.fsck` or `fetch.fsck`. */
export function toleratedSettings(section: string): (readonly [name: string, value: string])[] {
  return TOLERATED.map((id) => [`${section}.${id.toLowerCase()}`, 'ignore'])
}
