// Reads an image file: whether browsers can show it, its size in pixels, and a name for it.

import { toDataUrl } from './data-url.js'
import type { Pixels } from './image-tag.js'

/** The service's default limit; its operator may set another (`MAX_FILE_BYTES`). */
const MAX_IMAGE_BYTES = 64 * 1024 * 1024

/** File extensions by which the service knows the media type. Types that browsers cannot show are missing. */
const ENDINGS: Readonly<Record<string, string>> = {
  'image/avif': 'avif',
  'image/bmp': 'bmp',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/svg+xml': 'svg',
  'image/webp': 'webp',
}

/** Returns the image's size. Throws an error for people. */
export async function pixelsOf(file: File): Promise<Pixels> {
  if (ENDINGS[file.type] === undefined)
    throw new Error(`${file.name} is no image that browsers show: use PNG, JPEG, GIF, WebP, AVIF or SVG.`)
  if (file.size > MAX_IMAGE_BYTES) throw new Error(`${file.name} has more than 64 MiB: make it smaller.`)
  try {
    return file.type === 'image/svg+xml' ? await pixelsOfDrawing(file) : await pixelsOfBitmap(file)
  } catch (cause) {
    throw new Error(`${file.name} is damaged: the browser cannot show it.`, { cause })
  }
}

/** Returns a file name for the image: `Holiday Photo.PNG` gives `holiday-photo` and `.png`. */
export function nameOf({ name, type }: File): { stem: string; ending: string } {
  const stem = name
    .normalize('NFC')
    .toLowerCase()
    .replace(/\.[^.]*$/, '')
    .replaceAll(/[^\p{L}\p{M}\p{N}_]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
  return { stem: stem.slice(0, 80) || 'image', ending: `.${ENDINGS[type] ?? 'png'}` }
}

async function pixelsOfBitmap(file: File): Promise<Pixels> {
  const bitmap = await createImageBitmap(file)
  const { width, height } = bitmap
  bitmap.close()
  return { width, height }
}

async function pixelsOfDrawing(file: File): Promise<Pixels> {
  const image = new Image()
  image.src = await toDataUrl(file)
  await image.decode()
  return { width: image.naturalWidth, height: image.naturalHeight }
}
