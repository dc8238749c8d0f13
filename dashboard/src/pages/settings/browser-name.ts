/** The sequence matters: Edge and Opera name Chrome too, and Chrome names Safari. */
const BROWSERS: readonly [name: string, pattern: RegExp][] = [
  ['Edge', /Edg(e|A|iOS)?\//],
  ['Opera', /OPR\//],
  ['Firefox', /(Firefox|FxiOS)\//],
  ['Chrome', /(Headless)?Chrom(e|ium)\/|CriOS\//],
  ['Safari', /Safari\//],
]
const SYSTEMS: readonly [name: string, pattern: RegExp][] = [
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/],
]

const matchingName = (names: readonly [string, RegExp][], text: string): string | undefined =>
  names.find(([, pattern]) => pattern.test(text))?.[0]

/** The browser and the system that a `User-Agent` names, such as `Firefox · Windows`. */
export function browserName(userAgent: string): string {
  const names = [matchingName(BROWSERS, userAgent), matchingName(SYSTEMS, userAgent)].filter(
    Boolean,
  )
  return names.join(' · ') || userAgent || '–'
}
