// Random folders with files up to the largest that are taken, by a deploy, by single puts and by a push: the same tree.

import * as fc from 'fast-check'
import { foldersOf } from '../../scenarios/files/random-folders.js'
import { publishThreeWays } from '../../scenarios/files/three-ways.js'
import { Ground } from '../ground/ground.js'
import type { FaultProgram } from '../program.js'

const FOLDERS = 3
const MIB = 1024 * 1024
const SIZES = [0, 1, 65_535, 65_536, MIB, MIB + 1, 2 * MIB, 16 * MIB - 1, 64 * MIB - 1, 64 * MIB]

export const sameTree: FaultProgram = {
  name: 'same-tree',
  about:
    'folders with files up to 64 MiB come by a deploy, by single puts and by a push over HTTP: the same tree, byte for byte',
  needs: [],
  async run(report) {
    const ground = await Ground.prepare({ MAX_PUSH_BYTES: String(4096 * MIB) })
    try {
      const place = {
        api: () => ground.api,
        ...ground.target,
        gitdir: (slug: string) => ground.gitdir(slug),
      }
      for (const [at, folder] of fc.sample(foldersOf(SIZES), FOLDERS).entries()) {
        const bytes = Object.values(folder).reduce((sum, { length }) => sum + length, 0)
        report.begin(`${Object.keys(folder).length} files, ${Math.round(bytes / MIB)} MiB`, FOLDERS)
        const ways = await publishThreeWays(place, folder, String(at))
        report.acknowledge(ways.length)
        for (const { slug, tree } of ways) {
          if (tree.join() !== ways[0]?.tree.join()) report.lose(`${slug} has another tree than ${ways[0]?.slug}`)
          for (const damage of ground.damage(slug)) report.violate(damage)
        }
      }
    } finally {
      await ground.destroy()
    }
  },
}
