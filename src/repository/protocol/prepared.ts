// The parts of a write that are made outside the writer: merges, reverts and trees of deploys. Plain data, as the rest of a write.

/** The changes of a merge, made outside the writer. */
export interface PreparedMerge {
  edits: readonly FileEdit[]
  /** The files that the merge depended on. */
  judged: readonly JudgedFile[]
}

export interface PreparedBranchMerge extends PreparedMerge {
  /** Files that come beside another page or file of their URL or name, as both are in the other branch. */
  beside: readonly string[]
}

export interface PreparedRevert extends PreparedMerge {
  /** The subject of the commit that it makes. */
  subject: string
}

export interface JudgedFile {
  path: string
  /** Null if there was no file. */
  before: { mode: number; oid: string } | null
}

/** A tree that was built outside the writer. */
export interface PreparedDeploy {
  /** The tree to build on, and the built one; equal if nothing differs. */
  base: string
  tree: string
  /** The paths in which the two differ. */
  touched: readonly string[]
  /** Whether it removes files that it does not name; then no other page or file may have been added since. */
  replaces: boolean
  subject: string
}

export interface FileEdit {
  path: string
  /** Null removes the file. */
  after: { mode: number; oid: string } | null
  /** Bytes that the repository does not hold yet. */
  content?: Uint8Array
}
