import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DiskRepositories } from '../../../src/repository/disk/disk-repositories.js'
import { MemoryRepositories } from './memory-repositories.js'
import { describeRepositoryContract } from './repository-contract.js'

describeRepositoryContract(
  'on a disk',
  () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-contract-'))
    return {
      repositories: new DiskRepositories(dataDir),
      remove: () => rmSync(dataDir, { recursive: true, force: true }),
    }
  },
  { canLoseAnswers: false },
)

describeRepositoryContract('in memory', () => {
  let isLost = false
  return {
    repositories: new MemoryRepositories(async () => {
      if (isLost) throw new Error('the answer is lost')
    }),
    remove: () => undefined,
    async whileAnswersAreLost(work) {
      isLost = true
      await work()
      isLost = false
    },
  }
})
