import { invalid } from '../../../kernel/errors.ts'
import { type AddedMedia, MEDIA_MAX, type Media } from './schema.ts'

type MediaItem = Pick<Media, 'id' | 'kind' | 'position' | 'is_main'>

/**
 * Returns the position of a new picture or video, and whether it becomes the main image, as the first image does.
 * Throws if it cannot be added.
 */
export function placeNewMedia(
  siblings: readonly MediaItem[],
  kind: Media['kind'],
  { url, is_main }: Pick<AddedMedia, 'url' | 'is_main'>,
): { position: number; is_main: boolean } {
  if (siblings.length >= MEDIA_MAX) {
    const field = url === undefined ? 'file' : 'url'
    throw invalid(field, `A product has at most ${MEDIA_MAX} media. Delete one first.`)
  }
  if (is_main && kind !== 'image')
    throw invalid('is_main', 'A video cannot be the main image. Set is_main to false.')
  const position = Math.max(-1, ...siblings.map((item) => item.position)) + 1
  const isFirstImage = kind === 'image' && !siblings.some((item) => item.is_main)
  return { position, is_main: isFirstImage || (is_main ?? false) }
}

/**
 * Returns the id of the image that becomes the main image after a deletion: the first other image. Returns
 * undefined if the deleted one was not the main image.
 */
export function nextMainImage(
  media: readonly MediaItem[],
  deletedMedia: MediaItem,
): number | undefined {
  if (!deletedMedia.is_main) return undefined
  return media.find((item) => item.kind === 'image' && item.id !== deletedMedia.id)?.id
}
