// The endpoints of pages.

import { idParams } from '../../../../schemas/common.js'
import {
  backlinkData,
  createPageBody,
  createPageQuery,
  editContentBody,
  listBacklinksQuery,
  listPagesQuery,
  pageData,
  pageMergeQuery,
  putPageBody,
  putPageQuery,
  replaceContentBody,
  patchPageBody,
  unpublishQuery,
} from '../../../../schemas/pages.js'
import { getPageQuery } from '../../../../schemas/content.js'
import { pageHit, searchQuery } from '../../../../schemas/search.js'
import { ServiceError } from '../../../model/errors.js'
import { editContent, putPage, replaceContent } from '../../../usecases/merging/change-page.js'
import { patchPage } from '../../../usecases/moves/move-page.js'
import { unpublishPage } from '../../../usecases/moves/unpublish-page.js'
import { createPage, getPage, listPages } from '../../../usecases/pages/pages.js'
import { listBacklinks } from '../../../usecases/pages/links.js'
import { searchPages } from '../../../usecases/pages/search-pages.js'
import { refuseListOfAll } from '../../../usecases/requests/in-request.js'
import { route } from './route.js'

const page = idParams('page')
const changed = ['page_not_found', 'page_unpublished', 'ambiguous_id'] as const

export const pageRoutes = [
  route({
    method: 'get',
    path: '/pages',
    operationId: 'listPages',
    tag: 'Pages',
    summary: 'List pages',
    description: 'The pages of one site, ordered by path; with `path` and `as`, one page with its content.',
    query: listPagesQuery,
    data: pageData,
    list: true,
    errors: ['invalid_path'],
    run: (call, input) => {
      refuseListOfAll(input)
      return listPages(call, input)
    },
  }),
  route({
    method: 'get',
    path: '/search',
    operationId: 'searchPages',
    tag: 'Pages',
    summary: 'Search the text of pages',
    description:
      "The published pages of one site whose title, headings or text hold all words, the best first, as of the newest write. Scripts without spaces between words are searched by their characters. The first 1,048,576 characters of a page's text are searched.",
    query: searchQuery,
    data: pageHit,
    list: true,
    run: searchPages,
  }),
  route({
    method: 'post',
    path: '/pages',
    operationId: 'createPage',
    byPaths: true,
    tag: 'Pages',
    summary: 'Publish a page',
    description:
      'The page is live when the answer arrives. A path that is taken is refused with `page_exists`; an unpublished page at the path is published again with its id. `duplicateOf` copies a page. With `text/html` the body is the document, and `path` and `title` are query parameters.',
    scope: 'write',
    query: createPageQuery,
    json: createPageBody,
    html: true,
    data: pageData,
    creates: true,
    ifNoneMatch: true,
    errors: [
      'invalid_path',
      'page_exists',
      'page_not_found',
      'page_unpublished',
      'path_conflict',
      'site_mismatch',
      'unknown_template',
      'template_failed',
    ],
    run: (call, { path, ...input }) => createPage(call, { ...input, path: requirePath(path) }),
  }),
  route({
    method: 'put',
    path: '/pages',
    operationId: 'putPage',
    byPaths: true,
    tag: 'Pages',
    summary: 'Publish or replace the page at a path',
    description:
      'For `curl -T page.html`: a body without a media type is HTML. 201 for a new page, 200 for a replaced one.',
    scope: 'write',
    query: putPageQuery,
    json: putPageBody,
    html: true,
    data: pageData,
    creates: true,
    ifMatch: true,
    ifNoneMatch: true,
    errors: ['invalid_path', 'path_conflict', 'precondition_required', 'merge_conflict'],
    run: putPage,
  }),
  route({
    method: 'get',
    path: '/pages/{id}',
    operationId: 'getPage',
    tag: 'Pages',
    summary: 'Read a page',
    description:
      'Includes its html, or another form or a part of it. An unpublished page answers 404; its versions can still be read.',
    params: page,
    query: getPageQuery,
    data: pageData,
    errors: ['page_not_found', 'ambiguous_id', 'part_not_found'],
    run: getPage,
  }),
  route({
    method: 'patch',
    path: '/pages/{id}',
    operationId: 'retitlePage',
    byPaths: true,
    tag: 'Pages',
    summary: "Set a page's title, or move the page",
    description:
      "A title that is set stays when the html changes. `null` or a blank one removes it: the title is the document's again. With `path` the page moves in one commit, and keeps its id, versions and title. Its old address leads to it (308) until something is published there. A dry run names the pages that link to it.",
    scope: 'write',
    params: page,
    query: pageMergeQuery,
    json: patchPageBody,
    data: pageData,
    ifMatch: true,
    errors: [
      ...changed,
      'precondition_required',
      'merge_conflict',
      'invalid_path',
      'page_exists',
      'path_conflict',
      'conflict',
      'too_costly',
    ],
    run: patchPage,
  }),
  route({
    method: 'delete',
    path: '/pages/{id}',
    operationId: 'unpublishPage',
    byPaths: true,
    tag: 'Pages',
    summary: 'Unpublish a page',
    description:
      'Visitors no longer get it. Its versions stay readable with a key, and a rollback publishes it again. With `gone` or `redirectTo` its address answers 410 or leads elsewhere; both work for an unpublished page too.',
    scope: 'write',
    params: page,
    query: unpublishQuery,
    data: pageData,
    ifMatch: true,
    errors: [...changed, 'conflict'],
    run: unpublishPage,
  }),
  route({
    method: 'get',
    path: '/pages/{id}/backlinks',
    operationId: 'listBacklinks',
    tag: 'Pages',
    summary: 'List the pages that link to a page',
    description:
      'Published pages of the same site with a link to any URL of the page (`/docs`, `/docs.html`), ordered by path, as of the newest write. Only the first 5,000 URLs in the first 1,048,576 bytes of each page are read.',
    params: page,
    query: listBacklinksQuery,
    data: backlinkData,
    list: true,
    errors: ['page_not_found', 'ambiguous_id'],
    run: listBacklinks,
  }),
  route({
    method: 'put',
    path: '/pages/{id}/content',
    operationId: 'replacePage',
    byPaths: true,
    tag: 'Pages',
    summary: "Replace a page's HTML",
    description:
      'Makes a new version. Identical bytes make none: `changed` is false. A stale `If-Match` is refused, or merged with `onConflict=merge`: line by line, and HTML of long lines at its tags, from the version that it names. If changes overlap, 409 `merge_conflict` holds both texts with marks.',
    scope: 'write',
    params: page,
    query: pageMergeQuery,
    json: replaceContentBody,
    html: true,
    data: pageData,
    ifMatch: true,
    errors: [...changed, 'precondition_required', 'merge_conflict'],
    run: (call, { html, ...input }) => replaceContent(call, { ...input, html: html ?? '' }),
  }),
  route({
    method: 'patch',
    path: '/pages/{id}/content',
    operationId: 'editContent',
    byPaths: true,
    tag: 'Pages',
    summary: "Edit a page's HTML",
    description:
      'Finds and replaces text, or replaces lines: all edits or none, in one version. `If-Match` must name the version that was read; where it is stale, 412 holds the newest version and the difference. With `onConflict=merge` the edits are made in the version that it names, and merged.',
    scope: 'write',
    params: page,
    query: pageMergeQuery,
    json: editContentBody,
    data: pageData,
    ifMatch: true,
    errors: [...changed, 'precondition_required', 'edit_not_applicable', 'merge_conflict'],
    run: editContent,
  }),
]

function requirePath(path: string | undefined): string {
  if (path !== undefined) return path
  throw new ServiceError('invalid_query', 'Name the page: add ?path=/about to the URL.', [
    { field: '/path', message: 'is required with a text/html body' },
  ])
}
