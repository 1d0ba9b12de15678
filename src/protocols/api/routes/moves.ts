// The endpoint that moves a folder. `PATCH /pages/{id}` moves a page, and `POST /files/move` a file.

import { idParams } from '../../../../schemas/common.js'
import { movedFolderData, moveFolderBody } from '../../../../schemas/moves.js'
import { dryRunQuery } from '../../../../schemas/pages.js'
import { moveFolder } from '../../../usecases/moves/move-folder.js'
import { route } from './route.js'

export const moveRoutes = [
  route({
    method: 'post',
    path: '/sites/{id}/moves',
    operationId: 'moveFolder',
    byPaths: true,
    tag: 'Pages',
    summary: 'Move a folder',
    description:
      'Moves the published pages and the files of a folder in one commit, up to 2,000. Pages keep their ids. Each old address leads to the new one (308) until something is published there. A dry run names the pages that link there.',
    scope: 'write',
    params: idParams('site'),
    query: dryRunQuery,
    json: moveFolderBody,
    data: movedFolderData,
    errors: [
      'site_not_found',
      'invalid_path',
      'file_not_found',
      'page_exists',
      'path_conflict',
      'conflict',
      'too_costly',
    ],
    run: moveFolder,
  }),
]
