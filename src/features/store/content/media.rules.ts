import { invalid } from '../../../kernel/errors.ts'
import { type AddedMedia, MEDIA_MAX, type Media } from './schema.ts'

type Known = Pick<Media, 'id' | 'kind' | 'position' | 'is_main'>

/** The position of a new picture or video. The first image becomes the main one. */
export function positionOf(
  siblings: readonly Known[],
  kind: Media['kind'],
  { url, is_main }: Pick<AddedMedia, 'url' | 'is_main'>,
): { position: number; is_main: boolean } {
  if (siblings.length >= MEDIA_MAX) {
    const field = url === undefined ? 'file' : 'url'
    throw invalid(field, `A product has at most ${MEDIA_MAX} media; delete one first.`)
  }
  if (is_main && kind !== 'image') throw invalid('is_main', 'Only an image can be the main one.')
  const position = Math.max(-1, ...siblings.map((item) => item.position)) + 1
  const first = kind === 'image' && !siblings.some((item) => item.is_main)
  return { position, is_main: first || (is_main ?? false) }
}

/** Which image is the main one when this one is gone: the first of the others, if it was this one. */
export function heirOf(media: readonly Known[], gone: Known): number | undefined {
  if (!gone.is_main) return undefined
  return media.find((item) => item.kind === 'image' && item.id !== gone.id)?.id
}
