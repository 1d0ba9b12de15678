// The smaller forms of pictures of a service that has room to keep them.

import type { Limits } from '../model/limits.js'
import { KeptPictures } from '../protocols/host/pictures/kept-pictures.js'
import type { PicturesParts } from '../protocols/host/pictures/pictures.js'
import { picturesIn } from '../repository/disk/site-folders.js'
import { readPicture } from '../tasks/read-picture.js'
import type { Tasks } from '../tasks/tasks.js'

/** Returns what makes and keeps the smaller forms; undefined if there are none. */
export function createPictures(
  { dataDir, limits }: { dataDir: string; limits: Pick<Limits, 'pictureCacheBytes'> },
  tasks: Tasks,
  repositories: Parameters<typeof readPicture>[1],
): PicturesParts | undefined {
  if (limits.pictureCacheBytes === 0) return undefined
  return {
    readPicture: (view, blob, form) => readPicture(tasks, repositories, view, blob, form),
    kept: new KeptPictures(picturesIn(dataDir), limits.pictureCacheBytes),
  }
}
