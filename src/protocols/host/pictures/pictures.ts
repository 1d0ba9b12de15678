// Serves smaller forms of pictures: decides which requests get one, and has each made once.

import { LRUCache } from 'lru-cache'
import {
  type Fitted,
  hasForms,
  type PictureForm,
  pictureFormOf,
  type Unfit,
} from '../../../model/paths/picture-form.js'
import { mediaTypeOf } from '../../../model/media-type.js'
import { ServiceError } from '../../../model/errors.js'
import type { Content } from '../answer/representation.js'
import type { SiteView } from '../views/site-view.js'
import type { KeptPictures } from './kept-pictures.js'

/** Makes a smaller form of a picture. Rejects if that takes too long, or if too many requests wait. */
export type ReadPicture = (view: Pick<SiteView, 'site' | 'commit'>, oid: string, form: PictureForm) => Promise<Fitted>

export interface PicturesParts {
  readPicture: ReadPicture
  kept: Pick<KeptPictures, 'find' | 'keep'>
}

/** A part of names and entity tags. Increase its number with each change of the conversion. */
const FORM = 'p1'
/** Pictures without a smaller form that are remembered. */
const MAX_REMEMBERED = 4096

type Found = Buffer | Unfit | 'as it is'

export class Pictures {
  readonly #parts: PicturesParts
  /** Answers that are no bytes, so that a hostile picture costs its time once. */
  readonly #without = new LRUCache<string, Exclude<Found, Buffer>>({ max: MAX_REMEMBERED })
  /** Forms under way, so that concurrent requests share one. */
  readonly #making = new Map<string, Promise<Found>>()

  constructor(parts: PicturesParts) {
    this.#parts = parts
  }

  /** Returns the form that is asked for. The pictures of drafts are not in the site's repository, and are shown as they are. */
  formOf({ toRead }: SiteView, target: string, { treePath, status }: Content): PictureForm | undefined {
    const form = pictureFormOf(target)
    if (form === undefined || status !== 200 || !hasForms(mediaTypeOf(treePath))) return undefined
    return toRead.draft === undefined && toRead.request === undefined ? form : undefined
  }

  /** Resolves to the bytes, or to why there are none. Without room or time at the moment, the picture is sent as it is. */
  async find(view: SiteView, oid: string, form: PictureForm): Promise<Found> {
    const name = `${view.site.id}/${keyOf(oid, form)}`
    const known = this.#without.get(name)
    if (known !== undefined) return known
    const making = this.#making.get(name) ?? this.#make(view, oid, form, name)
    this.#making.set(name, making)
    try {
      return await making
    } finally {
      this.#making.delete(name)
    }
  }

  async #make(view: SiteView, oid: string, form: PictureForm, name: string): Promise<Found> {
    const kept = await this.#parts.kept.find(name)
    if (kept !== undefined) return kept
    try {
      const fitted = await this.#parts.readPicture(view, oid, form)
      if (fitted === 'as it is' || 'unfit' in fitted) {
        const without = fitted === 'as it is' ? fitted : fitted.unfit
        this.#without.set(name, without)
        return without
      }
      const bytes = Buffer.from(fitted.bytes)
      await this.#parts.kept.keep(name, bytes)
      return bytes
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      if (error.code !== 'too_costly') return 'as it is'
      this.#without.set(name, 'too large')
      return 'too large'
    }
  }
}

/** Returns the content of a form, with its own entity tag. */
export function contentOfForm(picture: Content, form: PictureForm, bytes: Buffer): Content {
  const type = form.format === undefined ? {} : { 'content-type': `image/${form.format}` }
  return { ...picture, oid: keyOf(picture.oid, form), size: bytes.length, fields: { ...picture.fields, ...type } }
}

function keyOf(oid: string, { width, format }: PictureForm): string {
  return [oid, FORM, width, format].filter((part) => part !== undefined).join('-')
}
