type HomeForm = 'html' | 'json' | 'markdown'

const TYPES: [string, HomeForm][] = [
  ['text/html', 'html'],
  ['application/json', 'json'],
  ['text/markdown', 'markdown'],
]

/**
 * Returns the form that the header `Accept` prefers; HTML by default (RFC 9110, 12.5.1). Of equal ones it is the one that is
 * named first, because programs that read Markdown also name HTML.
 */
export function preferredForm(accept: string | undefined): HomeForm {
  const ranges = (accept ?? '*/*').split(',').map(readRange)
  const positionOf = (type: string) => {
    const index = ranges.findIndex((range) => range.type === type)
    return index === -1 ? ranges.length : index
  }
  let preferred: HomeForm = 'html'
  let best = { quality: 0, position: 0 }
  for (const [type, form] of TYPES) {
    const option = { quality: qualityOf(type, ranges), position: positionOf(type) }
    const isBetter =
      option.quality > best.quality ||
      (option.quality === best.quality && option.quality > 0 && option.position < best.position)
    if (!isBetter) continue
    preferred = form
    best = option
  }
  return preferred
}

interface Range {
  type: string
  quality: number
}

function readRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const [qualityParameter] = parameters.filter((item) => item.startsWith('q='))
  const quality = qualityParameter === undefined ? 1 : Number(qualityParameter.slice(2))
  return { type, quality: Number.isFinite(quality) ? quality : 0 }
}

/** Returns the quality of the most specific range that matches a type. */
function qualityOf(type: string, ranges: readonly Range[]): number {
  const [group = ''] = type.split('/')
  for (const name of [type, `${group}/*`, '*/*']) {
    const range = ranges.find((item) => item.type === name)
    if (range) return range.quality
  }
  return 0
}
