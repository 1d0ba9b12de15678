// Moves of folders: the body that clients send, and the answer.

import { type Static, Type } from 'typebox'
import { pagePath, treePath } from './answer-texts.js'
import { closed, nullable, oid, reasonField, uuid } from './common.js'
import { dryRunData, pathField, rewriteLinksField } from './pages.js'

export const moveFolderBody = Type.Object(
  {
    from: Type.String({ ...pathField, description: 'The folder, such as `/docs/`.', examples: ['/docs/'] }),
    to: Type.String({ ...pathField, description: 'Its new path.', examples: ['/guide/'] }),
    rewriteLinks: Type.Optional(rewriteLinksField),
    reason: Type.Optional(reasonField),
  },
  { ...closed, title: 'MoveFolder' },
)

export const movedFolderData = Type.Object(
  {
    commit: nullable(oid('The commit; null in a dry run, and where nothing differed.')),
    changed: Type.Boolean(),
    path: pagePath({ description: 'The folder after the move.' }),
    pages: Type.Array(Type.Object({ id: uuid('The id of the page.'), path: pagePath() }, closed), {
      maxItems: 2_000,
      description: 'The pages that moved, with their new paths.',
    }),
    files: Type.Array(treePath(), { maxItems: 2_000, description: 'The new paths of the files that moved.' }),
    dryRun: Type.Optional(dryRunData),
  },
  { ...closed, title: 'MovedFolder' },
)
export type MovedFolderData = Static<typeof movedFolderData>
