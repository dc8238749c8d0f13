import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'

const FOLDER = join(import.meta.dirname, 'pictures')
const IS_UPDATE = process.env.UPDATE_PICTURES === '1'
/** Colour difference from which a pixel counts; 1 is the difference of black and white. */
const THRESHOLD = 0.04
/** The number of pixels that may differ; a changed letter has more. */
const PIXELS_MAX = 10
/** The bits of each channel that are stored and compared. The mask makes the stored files smaller by a fifth. */
const CHANNEL_MASK = 0b1111_1000

/** A picture that differs from the stored picture of its name. */
export interface Difference {
  name: string
  actual: PNG
  /** The differing pixels. Undefined if there is no stored picture, or one of another size. */
  diff?: PNG
  sentence: string
}

/** Compares a picture with the stored picture of this name. Returns undefined if they look the same. */
export function differenceFrom(name: string, bytes: Buffer): Difference | undefined {
  const actual = reduceColors(bytes)
  const { width, height } = actual
  const file = fileOf(name)
  if (!existsSync(file)) return { name, actual, sentence: `${name} has no stored picture` }
  const stored = PNG.sync.read(readFileSync(file))
  if (stored.width !== width || stored.height !== height) {
    return { name, actual, sentence: `${name} has another size` }
  }
  const diff = new PNG({ width, height })
  const options = { threshold: THRESHOLD }
  const pixels = pixelmatch(stored.data, actual.data, diff.data, width, height, options)
  if (pixels <= PIXELS_MAX) return undefined
  return { name, actual, diff, sentence: `${name} differs in ${pixels} pixels` }
}

/**
 * Writes the picture and its difference next to each other, and returns a sentence about them. With
 * UPDATE_PICTURES=1, the picture is stored instead.
 */
export function reportDifference({ name, actual, diff, sentence }: Difference): string | undefined {
  if (IS_UPDATE) return store(fileOf(name), actual)
  const folder = join(tmpdir(), 'tradepost-pictures')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.actual.png`), PNG.sync.write(actual))
  if (diff) writeFileSync(join(folder, `${name}.diff.png`), PNG.sync.write(diff))
  return `${sentence}; see ${folder}/${name}.*.png`
}

const fileOf = (name: string) => join(FOLDER, `${name}.png`)

function reduceColors(bytes: Buffer): PNG {
  const picture = PNG.sync.read(bytes)
  for (let index = 0; index < picture.data.length; index++) {
    const isAlpha = index % 4 === 3
    if (!isAlpha) picture.data[index] = (picture.data[index] ?? 0) & CHANNEL_MASK
  }
  return picture
}

function store(file: string, picture: PNG): undefined {
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(
    file,
    PNG.sync.write(picture, { colorType: 2, deflateLevel: 9, deflateStrategy: 0, filterType: 0 }),
  )
}
