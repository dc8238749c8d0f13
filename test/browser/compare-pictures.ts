import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'

const STORED = join(import.meta.dirname, 'pictures')
const RENEW = process.env.UPDATE_PICTURES === '1'
/** Colour difference from which a pixel counts; 1 is that of black and white. */
const THRESHOLD = 0.04
/** So many pixels may differ; a changed letter has more. */
const PIXELS_MAX = 10
/** The bits of each channel that are compared. Both pictures are reduced, which makes the stored files smaller by a fifth. */
const KEPT_BITS = 0b1111_1000

/**
 * Compares a picture with the stored one of this name. Returns what differs, or undefined.
 * With UPDATE_PICTURES=1, it stores the picture if it differs.
 */
export function differenceFrom(name: string, bytes: Buffer): string | undefined {
  const actual = reduced(bytes)
  const file = join(STORED, `${name}.png`)
  if (!existsSync(file)) return RENEW ? store(file, actual) : `${name} has no stored picture`
  const stored = PNG.sync.read(readFileSync(file))
  const diff = new PNG({ width: actual.width, height: actual.height })
  const isSameSize = stored.width === actual.width && stored.height === actual.height
  const pixels = isSameSize
    ? pixelmatch(stored.data, actual.data, diff.data, diff.width, diff.height, {
        threshold: THRESHOLD,
      })
    : Number.POSITIVE_INFINITY
  if (pixels <= PIXELS_MAX) return undefined
  if (RENEW) return store(file, actual)
  const folder = join(tmpdir(), 'tradepost-pictures')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.actual.png`), PNG.sync.write(actual))
  if (isSameSize) writeFileSync(join(folder, `${name}.diff.png`), PNG.sync.write(diff))
  const what = isSameSize ? `differs in ${pixels} pixels` : 'has another size'
  return `${name} ${what}; see ${folder}/${name}.*.png`
}

function reduced(bytes: Buffer): PNG {
  const picture = PNG.sync.read(bytes)
  for (let at = 0; at < picture.data.length; at++) {
    if (at % 4 !== 3) picture.data[at] = (picture.data[at] ?? 0) & KEPT_BITS
  }
  return picture
}

function store(file: string, picture: PNG): undefined {
  mkdirSync(STORED, { recursive: true })
  writeFileSync(
    file,
    PNG.sync.write(picture, { colorType: 2, deflateLevel: 9, deflateStrategy: 0, filterType: 0 }),
  )
}
