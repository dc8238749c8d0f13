import { createHash } from 'node:crypto'
import type { Json } from '../harness.ts'

// Replaces the parts of a recorded call that differ at each recording: ids, hashes, addresses and secrets.

const PREFIXED_ID = /\b([a-z]{2,8})_[0-9A-Za-z]{22}\b/g
const HASH = /^(?=.*[A-Za-z])[0-9A-Za-z]{12}$/
const HASH_FIELD = /^(hash|.*_hash|id|.*_id|.*_ids|product_ids)$/
const NUMBER_FIELD = /^(id|ids|into|banned_by|.*_id|.*_ids)$/
const NUMBER = /^\d+$/
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
/** The hashes of the first stores and products of a sample. */
const HASHES = ['a1B2c3D4e5F6', 'b2C3d4E5f6G7', 'c3D4e5F6g7H8', 'd4E5f6G7h8J9']
const DURATION_MS = 5
/** The time of the recorded calls. Ids begin with the time, so the clock is set before any record exists. */
export const RECORDED_AT = '2026-01-31T09:30:00.000Z'

/** Parts of texts that are random or count the calls of the process. `#` is the number of its occurrence. */
const PARTS: [RegExp, string][] = [
  [/http:\/\/127\.0\.0\.1:4100/g, 'https://shop.example.com'],
  [/http:\/\/127\.0\.0\.1:\d+/g, 'https://example.com'],
  [/game-shop-[a-z0-9]{6}\b/g, 'game-shop'],
  [/\bot_[\w-]{40,}/g, 'ot_EXAMPLE'],
  [/\/pay\/[\w-]{32}/g, '/pay/EXAMPLE'],
  [/\/(files|key-exports|photos)\/[\w.-]{30,}/g, '/$1/EXAMPLE'],
  [/\/callbacks\/(\w+)\/\w{12}\b/g, `/callbacks/$1/${HASHES[0]}`],
  [/\/r\/game-shop\/[a-z0-9]{10}\b/g, '/r/game-shop/ada'],
  [/whsec_[\w+/]{4}…/g, 'whsec_EXAM…'],
  [/\b\d{7,} seconds\b/g, '69850000 seconds'],
  [/\b(?:prepared|partner|applied|applicant|invited)-\d+@/g, 'person-#@'],
  [/\bcode-\d+\b/g, 'code-#'],
  [/\b(test|withdrawal|payment|refund|balance_entry)_\d+\b/g, '$1_#'],
  [/\b[0-9A-HJKMNP-TV-Z]{5}(?:-[0-9A-HJKMNP-TV-Z]{5}){4}\b/g, '7Q2RD-M0V4K-8XHTA-1WZ9C-5NEJ#'],
  [/\b(editor|greeting|plugin|max_layers|OLD)-\d+\b/g, '$1-#'],
]

/** Values for the fields that are random. No secret has the format of a real one. */
const FAKES: Record<string, string | number | boolean> = {
  secret: 'whsec_EXAMPLE',
  'affiliates.create_link code': 'ada',
  code: 'WELCOME10',
  external_id: '00000000-0000-4000-8000-000000000000',
  return_window_days: 30,
  subject: 'Order {{order_number}}',
  number: 1,
  key_preview: '5NEJ1',
  kid: 'EXAMPLE1',
  public_key: 'EXAMPLE-0J9n3kVt5mQx8sRw2yLb6pHd4fGc7uZa1Ee',
  v1: 'EXAMPLE-'.repeat(11).slice(0, 86),
  token: 'EXAMPLE-session-token',
  grant: 'EXAMPLE-grant',
  license_file: 'EXAMPLE.EXAMPLE.EXAMPLE',
}

interface Masks {
  /** The replacements of texts, by text. */
  texts: Map<string, string>
  /** The numbers of ids, by kind and id. */
  numbers: Map<string, number>
  /** The replacements of hashes of random values, by hash. */
  hashes: Map<string, string>
}

interface Position {
  name: string
  parent: string
}

interface RecordedCall {
  /** The path of the endpoint, and the values of its parameters. */
  path: string
  params: Record<string, string | number> | undefined
  body: Json
  answer: Json
}

/** Returns the masked sample of a call. The ids in its path are those of its answer. */
export function sampleOf({ path, params, body, answer }: RecordedCall): Json {
  const collections = [...path.matchAll(/(?<=([a-z-]+)\/):(\w+)/g)].map(
    ([, collection = '', name = '']) => [
      collection.replaceAll('-', '_'),
      { [name]: params?.[name] },
    ],
  )
  const masked = maskedSample({ body, answer, path: Object.fromEntries(collections) })
  return {
    ...(collections.length > 0 && {
      params: Object.assign({}, ...Object.values<Json>(masked.path)),
    }),
    ...(body !== undefined && { body: masked.body }),
    answer: masked.answer,
  }
}

/**
 * Returns the sample with ids that are numbered from 1: those of a sequence in their order, so that a newer record has
 * the larger id, and all others by their first occurrence.
 */
function maskedSample(sample: Json): Json {
  const masks: Masks = { texts: new Map(), numbers: new Map(), hashes: new Map() }
  collectHashes(sample, masks.texts)
  const found = new Map<string, Set<number>>()
  collectNumbers(sample, found, { name: '', parent: '' })
  for (const [kind, ids] of found) {
    const sorted = [...ids].sort((a, b) => a - b)
    for (const [index, id] of sorted.entries()) masks.numbers.set(`${kind} ${id}`, index + 1)
  }
  return maskValue(masks, sample, { name: '', parent: '' })
}

/** Collects the numeric ids in the sample, by kind. */
function collectNumbers(value: Json, found: Map<string, Set<number>>, at: Position): void {
  if (Array.isArray(value)) {
    for (const item of value) collectNumbers(item, found, at)
  } else if (value !== null && typeof value === 'object') {
    for (const [name, item] of Object.entries(value))
      collectNumbers(item, found, { name, parent: at.name })
  } else if (isNumericId(value, at)) {
    const kind = kindOf(at)
    found.set(kind, (found.get(kind) ?? new Set()).add(Number(value)))
  }
}

const isNumericId = (value: Json, { name }: Position): boolean =>
  NUMBER_FIELD.test(name) &&
  (typeof value === 'number' || (typeof value === 'string' && NUMBER.test(value)))

function maskValue(masks: Masks, value: Json, at: Position): Json {
  if (Array.isArray(value)) return value.map((item) => maskValue(masks, item, at))
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value).map(([name, item]) => [
      maskText(masks, name),
      maskValue(masks, item, { name, parent: at.name }),
    ])
    return withPreview(Object.fromEntries(entries))
  }
  // Two durations may be equal, so they do not count as random.
  if (at.name.endsWith('duration_ms') && value !== null) return DURATION_MS
  if (isNumericId(value, at)) {
    const number = masks.numbers.get(`${kindOf(at)} ${value}`) ?? 0
    return typeof value === 'number' ? number : String(number)
  }
  if (typeof value !== 'string') return value
  const text = maskText(masks, value)
  return isHashOfContent(at) ? text : maskHashes(masks, text)
}

/** The content of an uploaded file is the same in each recording, so its hash is shown as it is. */
const isHashOfContent = ({ name }: Position): boolean => name === 'sha256'

/** Replaces hashes and signatures of random values by the SHA-256 of a number. The header of an example is shown. */
const maskHashes = ({ hashes }: Masks, text: string): string =>
  text.startsWith('t=')
    ? text
    : text.replace(/\b[0-9a-f]{64}\b/g, (hash) => {
        const number = String(hashes.size + 1)
        const fake = hashes.get(hash) ?? createHash('sha256').update(number).digest('hex')
        hashes.set(hash, fake)
        return fake
      })

/** A record and the fields that name it have the same kind: `variants[].id` and `variant_id`. */
const kindOf = ({ name, parent }: Position): string =>
  (name === 'id' || name === 'ids' ? parent : name.replace(/_ids?$/, ''))
    .replace(/ies$/, 'y')
    .replace(/s$/, '')

const PREVIEW_LENGTH = 5

/** Returns a license key with the preview of its masked text. */
const withPreview = (record: Json): Json =>
  record.key_preview && typeof record.key === 'string'
    ? { ...record, key_preview: record.key.slice(-PREVIEW_LENGTH) }
    : record

function maskText({ texts }: Masks, text: string): string {
  let masked = text
  for (const [hash, fake] of texts) {
    if (HASH.test(hash)) masked = masked.replaceAll(hash, fake)
  }
  masked = masked.replace(PREFIXED_ID, (id, prefix: string) => {
    const position = String([...texts.keys()].filter((key) => !HASH.test(key)).length)
    const fake = texts.get(id) ?? `${prefix}_0350${position.padStart(18, '0')}`
    texts.set(id, fake)
    return fake
  })
  for (const [part, fake] of PARTS) {
    masked = masked.replace(part, (match, ...groups) => {
      const filled = fake.replace('$1', String(groups[0]))
      if (!filled.includes('#')) return filled
      const earlier = [...texts.values()].filter((other) =>
        other.startsWith(filled.split('#')[0] ?? ''),
      )
      const numbered = texts.get(match) ?? filled.replace('#', String(earlier.length + 1))
      texts.set(match, numbered)
      return numbered
    })
  }
  return masked
}

/** Adds the hashes of stores and products in the sample. */
function collectHashes(value: Json, texts: Map<string, string>, name = ''): void {
  if (value !== null && typeof value === 'object') {
    for (const [key, item] of Object.entries(value))
      collectHashes(item, texts, Array.isArray(value) ? name : key)
  } else if (typeof value === 'string' && HASH_FIELD.test(name) && HASH.test(value)) {
    if (!texts.has(value)) texts.set(value, HASHES[texts.size] ?? '')
  }
}

/** Returns the sample with fakes instead of values that differ in another recording of the same call. */
export function withFakes(id: string, sample: Json, other: Json, name = ''): Json {
  if (JSON.stringify(sample) === JSON.stringify(other)) return sample
  if (
    sample !== null &&
    typeof sample === 'object' &&
    other !== null &&
    typeof other === 'object'
  ) {
    const entries = Object.entries<Json>(sample).map(([key, value]) => [
      key,
      withFakes(id, value, other[key], Array.isArray(sample) ? name : key),
    ])
    return Array.isArray(sample) ? entries.map(([, value]) => value) : Object.fromEntries(entries)
  }
  const fake = TIME.test(String(sample)) ? RECORDED_AT : (FAKES[`${id} ${name}`] ?? FAKES[name])
  if (fake === undefined)
    throw new Error(
      `${id}: ${name} is ${sample}, and in another recording ${other}. Add a fake for it.`,
    )
  return fake
}
