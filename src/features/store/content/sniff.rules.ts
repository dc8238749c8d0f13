/** A file format that a page may show. Formats that can contain scripts are excluded. */
export interface MediaFormat {
  kind: 'image' | 'video'
  mime_type: string
  extension: string
}

interface Signature extends MediaFormat {
  offset: number
  bytes: string
}

const image = (extension: string, mime_type: string, offset: number, bytes: string): Signature => ({
  kind: 'image',
  mime_type,
  extension,
  offset,
  bytes,
})
const video = (extension: string, mime_type: string, offset: number, bytes: string): Signature => ({
  kind: 'video',
  mime_type,
  extension,
  offset,
  bytes,
})

/**
 * Brands of MP4 videos. Other brands of the same container are photos (HEIC), sound (M4A), or
 * QuickTime.
 */
const MP4_BRANDS = ['mp4', 'iso', 'avc1', 'M4V', 'dash', 'MSNV', 'XAVC']

const SIGNATURES: readonly Signature[] = [
  image('png', 'image/png', 0, '\x89PNG\r\n\x1a\n'),
  image('jpg', 'image/jpeg', 0, '\xff\xd8\xff'),
  image('gif', 'image/gif', 0, 'GIF87a'),
  image('gif', 'image/gif', 0, 'GIF89a'),
  image('webp', 'image/webp', 8, 'WEBP'),
  image('avif', 'image/avif', 4, 'ftypavif'),
  ...MP4_BRANDS.map((brand) => video('mp4', 'video/mp4', 4, `ftyp${brand}`)),
  video('webm', 'video/webm', 0, '\x1a\x45\xdf\xa3'),
]

/** Returns the format of a file by its first bytes, or undefined if a page may not show it. */
export function sniff(head: Uint8Array): MediaFormat | undefined {
  const text = Buffer.from(head).toString('latin1')
  const signature = SIGNATURES.find(({ offset, bytes }) => text.startsWith(bytes, offset))
  if (!signature) return undefined
  const { kind, mime_type, extension } = signature
  return { kind, mime_type, extension }
}

/** Returns the media type of an extension that this module assigned. */
export const mediaTypeOfExtension = (extension: string): string | undefined =>
  SIGNATURES.find((signature) => signature.extension === extension)?.mime_type
