type HomeForm = 'html' | 'json' | 'markdown'

const TYPES: [string, HomeForm][] = [
  ['text/html', 'html'],
  ['application/json', 'json'],
  ['text/markdown', 'markdown'],
]

/** Returns the form that the header `Accept` prefers; HTML by default (RFC 9110, 12.5.1). */
export function preferredForm(accept: string | undefined): HomeForm {
  const ranges = (accept ?? '*/*').split(',').map(readRange)
  let preferred: HomeForm = 'html'
  let highestQuality = 0
  for (const [type, form] of TYPES) {
    const quality = qualityOf(type, ranges)
    if (quality <= highestQuality) continue
    preferred = form
    highestQuality = quality
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
