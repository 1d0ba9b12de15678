// Makes the `<img>` tag of an image that a site serves.

import { MAX_PICTURE_PIXELS } from '../../../src/model/paths/picture-form.js'

export interface Pixels {
  width: number
  height: number
}

/**
 * `path` is percent-encoded. The alternative text is left empty for the author. `widths`: those in which the service serves the picture
 * too, in ascending order.
 */
export function imageTag(path: string, pixels: Pixels, widths: readonly number[] = []): string {
  const src = path.replaceAll('&', '&amp;')
  const { width, height } = pixels
  return `<img src="${src}"${sourcesOf(src, pixels, widths)} width="${width}" height="${height}" alt="">`
}

/** Returns the position of the alternative text in such a tag. */
export function placeOfAlt(tag: string): number {
  return tag.length - '">'.length
}

/** Lists smaller forms for browsers to choose from (HTML §4.8.4.2.1). The picture itself is not among them: it may have megabytes. */
function sourcesOf(src: string, { width, height }: Pixels, widths: readonly number[]): string {
  // The width above that of the picture gives its own width, in a smaller format.
  const forms = widths.filter((_, at) => (widths[at - 1] ?? 0) < width)
  if (forms.length < 2 || width * height > MAX_PICTURE_PIXELS) return ''
  const sources = forms.map((form) => `${src}?w=${form}&amp;format=webp ${Math.min(form, width)}w`)
  return ` srcset="${sources.join(', ')}" sizes="100vw"`
}
