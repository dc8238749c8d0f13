import { crc32, deflateSync } from 'node:zlib'

/** Width and height in pixels. */
const SIZE = 240

type Colour = readonly [number, number, number]
type Motif = 'disc' | 'sheet' | 'waves' | 'ring' | 'grid'

export interface Picture {
  motif: Motif
  back: Colour
  mark: Colour
}

/** The share of the mark's colour at a point. `x` and `y` are from -1 to 1. */
const MOTIFS: Readonly<Record<Motif, (x: number, y: number) => number>> = {
  disc: (x, y) => edge(0.55 - Math.hypot(x, y)),
  sheet: (x, y) => edge(Math.min(0.42 - Math.abs(x), 0.6 - Math.abs(y))),
  waves: (x, y) => 0.5 + 0.5 * Math.sin(9 * y + 2 * Math.sin(4 * x)),
  ring: (x, y) => edge(0.14 - Math.abs(Math.hypot(x, y) - 0.48)),
  grid: (x, y) =>
    edge(0.6 - Math.max(Math.abs(x), Math.abs(y))) * edge(stripes(x) + stripes(y) - 0.6),
}

/** Returns 1 inside the motif and 0 outside, with a smooth edge. `distance` to the edge is positive inside. */
const edge = (distance: number): number => Math.min(1, Math.max(0, distance * 60 + 0.5))
const stripes = (position: number): number => Math.abs(Math.sin(position * 10))

/** Draws a PNG: a motif on a background that is darker at the bottom. */
export function drawPng({ motif, back, mark }: Picture): Buffer {
  const stride = 1 + SIZE * 3
  const pixels = Buffer.alloc(SIZE * stride)
  for (let row = 0; row < SIZE; row++) {
    const y = (2 * row) / (SIZE - 1) - 1
    const shade = 1 - 0.18 * (row / SIZE)
    for (let column = 0; column < SIZE; column++) {
      const part = MOTIFS[motif]((2 * column) / (SIZE - 1) - 1, y)
      // The first byte of a row names its filter, 0 for none.
      const offset = row * stride + 1 + column * 3
      for (const [band, from] of back.entries()) {
        pixels[offset + band] = Math.round((from + ((mark[band] ?? 0) - from) * part) * shade)
      }
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(SIZE, 0)
  header.writeUInt32BE(SIZE, 4)
  // 8 bits a band, red, green and blue.
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(pixels)), chunk('IEND')]
  return Buffer.concat([signature, ...parts])
}

function chunk(type: string, data = Buffer.alloc(0)): Buffer {
  const typedData = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(typedData))
  return Buffer.concat([length, typedData, sum])
}
