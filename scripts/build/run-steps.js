// Runs the steps of a build in order. Skips steps whose inputs and outputs have not changed since their last success.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const MAX_OUTPUT_BYTES = 1 << 28

/** Runs the steps that are not up to date, and returns whether all succeeded. Stops at the first failure. */
export function runSteps(steps, { root, stampFile, print }) {
  const stamps = readStamps(join(root, stampFile))
  const isUpToDate = (step) => stamps[step.name] === stampOf(root, step, digest(root, step.inputs))
  const due = new Set(steps.filter((step) => !isUpToDate(step)))
  if (due.size === 0) print('The build is up to date.\n')
  else if (due.size < steps.length) print(`${steps.length - due.size} of ${steps.length} steps are up to date.\n`)
  for (const [index, step] of steps.entries()) {
    if (!due.has(step)) continue
    print(`[${index + 1}/${steps.length}] ${step.name}…`)
    // Taken before the step runs: a file that changes meanwhile makes the step due again.
    const inputs = digest(root, step.inputs)
    const begun = performance.now()
    const options = { cwd: root, encoding: 'utf8', maxBuffer: MAX_OUTPUT_BYTES }
    const { status, stdout, stderr } = spawnSync(process.execPath, [step.script], options)
    const seconds = ((performance.now() - begun) / 1000).toFixed(1)
    print(` ${status === 0 ? '' : 'failed after '}${seconds} s\n${stdout}${stderr}`)
    if (status !== 0) return false
    stamps[step.name] = stampOf(root, step, inputs)
    writeStamps(join(root, stampFile), stamps)
  }
  return true
}

/** Returns the stamp of a step; it is up to date while it has that of its last success. Outputs count, as a run may be interrupted. */
function stampOf(root, step, inputs) {
  return `${process.version} ${inputs} ${digest(root, step.outputs)}`
}

function readStamps(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}

function writeStamps(file, stamps) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, `${JSON.stringify(stamps, undefined, 2)}\n`)
  renameSync(`${file}.new`, file)
}

/** Returns a digest of the names and contents of all files below the paths. */
function digest(root, paths) {
  const hash = createHash('sha256')
  for (const file of paths.flatMap((path) => filesBelow(root, path))) {
    const bytes = readFileSync(join(root, file))
    hash.update(`${file}\0${bytes.length}\0`).update(bytes)
  }
  return hash.digest('hex')
}

/** Lists the file itself, the files below a folder, or none if the path does not exist. */
function filesBelow(root, path) {
  const stats = statSync(join(root, path), { throwIfNoEntry: false })
  if (stats === undefined) return []
  if (!stats.isDirectory()) return [path]
  const entries = readdirSync(join(root, path), { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return files.map((entry) => relative(root, join(entry.parentPath, entry.name))).toSorted()
}
