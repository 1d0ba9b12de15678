// Checks the rules files and the names in a site's tree.

import type { Snapshot } from '../../repository/reading/snapshot.js'
import { isFile } from '../../repository/format/file-mode.js'
import { isLfsPointer, LFS_POINTER, MAX_POINTER_BYTES } from '../../repository/format/lfs-pointer.js'
import { joinTreePath } from '../../git/objects/tree-entry-name.js'
import { checkNames, type Folder, walkFolders } from './check-names.js'
import { checkRules } from './check-rules.js'
import { startCpuBound } from '../../threads/cpu-bound.js'
import { fileLinksCheck } from './file-links.js'
import { type Finding, MAX_FINDINGS } from './finding.js'
import { soundBytes } from './sound-bytes.js'

/** CPU time after which the check stops. */
const MAX_CHECK_MS = 1_500
/** The most files that are looked into. */
const MAX_FILES_READ = 10_000

export function checkTree(snapshot: Snapshot): { findings: Finding[]; isComplete: boolean } {
  const isOver = startCpuBound(MAX_CHECK_MS)
  const findings: Finding[] = []
  for (const finding of findingsIn(snapshot)) {
    if (findings.length === MAX_FINDINGS || isOver()) return { findings, isComplete: false }
    if (finding !== undefined) findings.push(finding)
  }
  return { findings, isComplete: true }
}

function* findingsIn(snapshot: Snapshot): Generator<Finding | undefined> {
  yield* checkRules(snapshot)
  const checkLinks = fileLinksCheck(snapshot)
  let room = MAX_FILES_READ
  for (const folder of walkFolders(snapshot)) {
    yield* checkNames(snapshot, folder)
    yield* checkLinks(folder)
    const files = folder.entries.filter(({ mode }) => isFile(mode)).slice(0, room)
    room -= files.length
    yield* checkPointers(snapshot, folder.path, files)
  }
}

function* checkPointers(snapshot: Snapshot, folder: string, files: Folder['entries']): Generator<Finding | undefined> {
  for (const { name, oid } of files) {
    const isPointer = isLfsPointer(soundBytes(snapshot, oid, MAX_POINTER_BYTES))
    yield isPointer ? { code: 'lfs_pointer', path: joinTreePath(folder, name), message: LFS_POINTER } : undefined
  }
}
