// Recognizes pointers of Git LFS: small texts that stand for files kept elsewhere (git-lfs, docs/spec.md). They are served as they are.

/** Pointers are shorter than 1,024 bytes. */
export const MAX_POINTER_BYTES = 1023
const BEGINNING = Buffer.from('version https://git-lfs.github.com/spec/v1\n')

export const LFS_POINTER =
  'It is a pointer of Git LFS, and visitors get that text. Fetch the file with git lfs pull, and publish it; or run git lfs untrack and git add --renormalize, commit, and push.'

/** Whether these bytes of a file, read whole unless they are longer, are a pointer. */
export function isLfsPointer(bytes: Buffer | undefined): boolean {
  return (
    bytes !== undefined && bytes.length <= MAX_POINTER_BYTES && bytes.subarray(0, BEGINNING.length).equals(BEGINNING)
  )
}
