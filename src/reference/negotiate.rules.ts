export type HomeForm = 'html' | 'json' | 'markdown'

const TYPES: [string, HomeForm][] = [
  ['text/html', 'html'],
  ['application/json', 'json'],
  ['text/markdown', 'markdown'],
]

/** The form that `Accept` prefers; HTML by default (RFC 9110, 12.5.1). */
export function preferredForm(accept: string | undefined): HomeForm {
  const ranges = (accept ?? '*/*').split(',').map(readRange)
  let best: HomeForm = 'html'
  let highest = 0
  for (const [type, form] of TYPES) {
    const quality = qualityOf(type, ranges)
    if (quality <= highest) continue
    best = form
    highest = quality
  }
  return best
}

interface Range {
  type: string
  quality: number
}

function readRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const [q] = parameters.filter((item) => item.startsWith('q='))
  const quality = q === undefined ? 1 : Number(q.slice(2))
  return { type, quality: Number.isFinite(quality) ? quality : 0 }
}

/** The most specific range decides. */
function qualityOf(type: string, ranges: readonly Range[]): number {
  const [group = ''] = type.split('/')
  for (const name of [type, `${group}/*`, '*/*']) {
    const range = ranges.find((item) => item.type === name)
    if (range) return range.quality
  }
  return 0
}
