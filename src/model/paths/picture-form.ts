// Smaller forms of a hosted picture, as its query asks for them: `/img/fair.jpg?w=640&format=webp`.

/** The widths in pixels that can be asked for. */
export const PICTURE_WIDTHS: readonly number[] = [320, 640, 960, 1280, 1920]
/** About four times as many as a phone's camera takes. A small file can claim any number. */
export const MAX_PICTURE_PIXELS = 50_000_000
const FORMATS = ['webp', 'avif'] as const

export type PictureFormat = (typeof FORMATS)[number]

export interface PictureForm {
  /** In pixels. A picture that is not as wide keeps its width. */
  width: number
  /** Undefined for the format of the picture. */
  format: PictureFormat | undefined
}

/** Why a picture has no smaller forms. */
export type Unfit = 'too large' | 'unreadable'

/** `as it is`: the picture is not as wide, would not become smaller, or moves. */
export type Fitted = { bytes: Uint8Array } | { unfit: Unfit } | 'as it is'

/** Media types of pictures that have smaller forms. A drawing fits anywhere, and a GIF may move. */
const WITH_FORMS = /^image\/(?:jpeg|png|webp|avif)$/

export function hasForms(mediaType: string): boolean {
  return WITH_FORMS.test(mediaType)
}

/**
 * Reads the form that a target in origin form asks for; undefined for the picture as it is. Other values are ignored, as on every file: a
 * site may have been written for a service with other widths.
 */
export function pictureFormOf(target: string): PictureForm | undefined {
  const at = target.indexOf('?')
  if (at === -1) return undefined
  const query = new URLSearchParams(target.slice(at + 1))
  const width = PICTURE_WIDTHS.find((known) => String(known) === query.get('w'))
  const asked = query.get('format')
  const format = FORMATS.find((known) => known === asked)
  if (width === undefined || (asked !== null && format === undefined)) return undefined
  return { width, format }
}
