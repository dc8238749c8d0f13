/**
 * A kind of file that a page may show, determined by its first bytes. Files that
 * could run are excluded.
 */
export interface Sniffed {
  kind: 'image' | 'video'
  mime_type: string
  extension: string
}

interface Mark extends Sniffed {
  at: number
  bytes: string
}

const image = (extension: string, mime_type: string, at: number, bytes: string): Mark => ({
  ...{ kind: 'image', mime_type, extension },
  at,
  bytes,
})
const video = (extension: string, mime_type: string, at: number, bytes: string): Mark => ({
  ...{ kind: 'video', mime_type, extension },
  at,
  bytes,
})

/**
 * Brands of MP4 videos. Other brands of the same container are photos (HEIC), sound (M4A), or
 * QuickTime.
 */
const MP4_BRANDS = ['mp4', 'iso', 'avc1', 'M4V', 'dash', 'MSNV', 'XAVC']

const MARKS: readonly Mark[] = [
  image('png', 'image/png', 0, '\x89PNG\r\n\x1a\n'),
  image('jpg', 'image/jpeg', 0, '\xff\xd8\xff'),
  image('gif', 'image/gif', 0, 'GIF87a'),
  image('gif', 'image/gif', 0, 'GIF89a'),
  image('webp', 'image/webp', 8, 'WEBP'),
  image('avif', 'image/avif', 4, 'ftypavif'),
  ...MP4_BRANDS.map((brand) => video('mp4', 'video/mp4', 4, `ftyp${brand}`)),
  video('webm', 'video/webm', 0, '\x1a\x45\xdf\xa3'),
]

export function sniff(head: Uint8Array): Sniffed | undefined {
  const text = Buffer.from(head).toString('latin1')
  const mark = MARKS.find(({ at, bytes }) => text.startsWith(bytes, at))
  if (!mark) return undefined
  const { kind, mime_type, extension } = mark
  return { kind, mime_type, extension }
}

/** Returns the media type of an extension that this module assigned. */
export const mediaTypeOfExtension = (extension: string): string | undefined =>
  MARKS.find((mark) => mark.extension === extension)?.mime_type
